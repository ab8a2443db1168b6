#include "geodome/file/shape_sections.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/file/codec.h"
#include "geodome/file/matrix_sections.h"

namespace geodome::internal {
namespace {

constexpr SectionNeed optional = SectionNeed::optional;

template <typename Matrix>
auto numbers_of(const Matrix& matrix) {
  return std::span<const typename Matrix::Scalar>(matrix.data(), static_cast<std::size_t>(matrix.size()));
}

/// Half the bytes where the coordinates came from 32-bit floats.
void write_points(ContainerWriter& writer, const Points& points) {
  const auto numbers = numbers_of(points);
  const auto fits = [](double x) { return static_cast<double>(static_cast<float>(x)) == x; };
  if (!std::all_of(numbers.begin(), numbers.end(), fits)) {
    writer.add(sections::points, numbers, optional);
    return;
  }
  const std::vector<float> halves(numbers.begin(), numbers.end());
  writer.add(sections::points, std::span<const float>(halves), optional);
}

struct Writer {
  ContainerWriter& writer;

  void operator()(const TriangleMesh& mesh) const {
    write_points(writer, mesh.points);
    writer.add(sections::triangles, numbers_of(mesh.triangles), optional);
  }
  void operator()(const PolygonMesh& mesh) const {
    write_points(writer, mesh.points);
    writer.add(sections::corners, std::span<const Index>(mesh.corners), optional);
    writer.add(sections::offsets, std::span<const std::int64_t>(mesh.offsets), optional);
  }
  void operator()(const PointCloud& cloud) const {
    write_points(writer, cloud.points);
    if (cloud.normals.rows() > 0) writer.add(sections::normals, numbers_of(cloud.normals), optional);
  }
  void operator()(const Graph& graph) const {
    std::vector<Index> ends;
    std::vector<double> lengths;
    for (const Edge& edge : graph.edges) {
      ends.insert(ends.end(), {edge.a, edge.b});
      lengths.push_back(edge.length);
    }
    writer.add(sections::edges, std::span<const Index>(ends), optional);
    writer.add(sections::lengths, std::span<const double>(lengths), optional);
  }
  void operator()(const Samples& samples) const {
    writer.add(sections::samples, numbers_of(samples.values), optional);
  }
};

/// Reads the sections of one file, each checked against what the others say.
class Reader {
 public:
  Reader(const Container& file, Index vertices) : file_(file), vertices_(vertices) {}

  Shape read(std::string_view kind) const {
    if (kind == "triangle mesh") return TriangleMesh{points(), triangles()};
    if (kind == "polygon mesh") return polygons();
    if (kind == "point cloud") return cloud();
    if (kind == "graph") return graph();
    if (kind == "samples") return samples();
    fail(text("contains a shape of unknown kind '", kind, "'"));
  }

 private:
  [[noreturn]] void fail(const std::string& cause) const {
    throw FileError(text("'", file_.path(), "' ", cause));
  }
  void require(bool holds, const char* what) const {
    if (!holds)
      fail(text("is inconsistent: ", what, " of its shape do not fit its ", vertices_, " vertices"));
  }
  bool in_range(Index vertex) const { return vertex >= 0 && vertex < vertices_; }

  template <typename T>
  std::span<const T> view(SectionKind kind) const {
    return file_.section(kind).view<T>();
  }

  template <typename T>
  Points points_from(SectionKind kind) const {
    const auto numbers = view<T>(kind);
    require(numbers.size() == 3 * static_cast<std::size_t>(vertices_), "coordinates");
    return Eigen::Map<const Eigen::Matrix<T, Eigen::Dynamic, 3, Eigen::RowMajor>>(numbers.data(), vertices_,
                                                                                  3)
        .template cast<double>();
  }
  Points points() const {
    const bool halves = file_.section(sections::points).element() == ElementType::float32;
    return halves ? points_from<float>(sections::points) : points_from<double>(sections::points);
  }

  Triangles triangles() const {
    const auto numbers = view<Index>(sections::triangles);
    require(numbers.size() % 3 == 0 &&
                std::all_of(numbers.begin(), numbers.end(), [&](Index v) { return in_range(v); }),
            "triangles");
    return Eigen::Map<const Triangles>(numbers.data(), static_cast<Eigen::Index>(numbers.size() / 3), 3);
  }

  PolygonMesh polygons() const {
    const auto corners = view<Index>(sections::corners);
    const auto offsets = view<std::int64_t>(sections::offsets);
    require(std::all_of(corners.begin(), corners.end(), [&](Index v) { return in_range(v); }), "corners");
    require(!offsets.empty() && offsets.front() == 0 && std::is_sorted(offsets.begin(), offsets.end()) &&
                offsets.back() == static_cast<std::int64_t>(corners.size()),
            "faces");
    const auto too_small = [](std::int64_t begin, std::int64_t end) { return end - begin < 3; };
    require(std::adjacent_find(offsets.begin(), offsets.end(), too_small) == offsets.end(), "faces");
    return {points(), {corners.begin(), corners.end()}, {offsets.begin(), offsets.end()}};
  }

  PointCloud cloud() const {
    PointCloud cloud{points(), {}};
    if (file_.find(sections::normals) != nullptr) cloud.normals = points_from<double>(sections::normals);
    return cloud;
  }

  Graph graph() const {
    const auto ends = view<Index>(sections::edges);
    const auto lengths = view<double>(sections::lengths);
    require(ends.size() == 2 * lengths.size() &&
                std::all_of(ends.begin(), ends.end(), [&](Index v) { return in_range(v); }),
            "edges");
    Graph graph{vertices_, {}, {}};
    for (std::size_t e = 0; e < lengths.size(); ++e)
      graph.edges.push_back({ends[2 * e], ends[2 * e + 1], lengths[e]});
    if (const Section* labels = file_.find(sections::labels)) {
      const auto numbers = labels->view<std::int64_t>();
      require(numbers.size() == static_cast<std::size_t>(vertices_), "vertex numbers");
      graph.labels.assign(numbers.begin(), numbers.end());
    }
    return graph;
  }

  Samples samples() const {
    const auto numbers = view<double>(sections::samples);
    const auto count = static_cast<std::size_t>(vertices_);
    require(count > 0 && numbers.size() % count == 0, "values");
    return {Eigen::Map<const RowMatrix<double>>(numbers.data(), vertices_,
                                                static_cast<Eigen::Index>(numbers.size() / count))};
  }

  const Container& file_;
  Index vertices_;
};

}  // namespace

void write_shape_sections(ContainerWriter& writer, const Shape& shape) {
  writer.add_text(sections::shape_kind, kind_name(shape), optional);
  std::visit(Writer{writer}, shape);
}

namespace {

/// Verifies bytes of one section when they are first read, and keeps the file open.
class OneSection : public StorageCheck {
 public:
  OneSection(std::shared_ptr<const Container> file, const Section& section)
      : file_(std::move(file)), section_(section), begin_(section.verified(0, 0).data()) {}

  void verify(const void* begin, std::size_t bytes) const override {
    section_.verified(static_cast<std::uint64_t>(static_cast<const std::byte*>(begin) - begin_), bytes);
  }

 private:
  std::shared_ptr<const Container> file_;
  const Section& section_;
  const std::byte* begin_;
};

}  // namespace

namespace {

[[noreturn]] void fail_to_fit(const Container& file, Index vertices, const char* what) {
  throw FileError(text("'", file.path(), "' is inconsistent: ", what, " of its shape do not fit its ",
                       vertices, " vertices"));
}

/// The positions in a section, which has `columns` numbers for each vertex; 0: any number of them.
PositionArray stored_positions(const std::shared_ptr<const Container>& file, SectionKind section,
                               Index vertices, Index columns) {
  const auto stored = std::make_shared<const StoredArrays>(file);
  const auto check = std::make_shared<const OneSection>(file, file->section(section));
  PositionArray array{{}, columns, check.get(), check};
  std::size_t count = 0;
  if (file->section(section).element() == ElementType::float32) {
    array.values = stored->unchecked<float>(section);
    count = stored->unchecked<float>(section).size();
  } else {
    array.values = stored->unchecked<double>(section);
    count = stored->unchecked<double>(section).size();
  }
  const auto rows = static_cast<std::size_t>(vertices);
  if (columns == 0 && rows > 0) array.columns = static_cast<Index>(count / rows);
  if (count != rows * static_cast<std::size_t>(array.columns)) fail_to_fit(*file, vertices, "coordinates");
  return array;
}

}  // namespace

LowerBound stored_lower_bound(std::shared_ptr<const Container> file, Index vertices) {
  const Section* kind = file->find(sections::shape_kind);
  if (kind == nullptr) return {};
  if (kind->as_text() == "graph") {
    const auto stored = std::make_shared<const StoredArrays>(file);
    const auto ends = stored->sound<Index>(sections::edges);
    const auto lengths = stored->sound<double>(sections::lengths);
    const auto in_range = [&](Index v) { return v >= 0 && v < vertices; };
    if (ends.size() != 2 * lengths.size() || !std::all_of(ends.begin(), ends.end(), in_range))
      fail_to_fit(*file, vertices, "edges");
    return LowerBound(EdgeArrays{vertices, ends, lengths, stored});
  }
  const bool samples = kind->as_text() == "samples";
  const SectionKind section = samples ? sections::samples : sections::points;
  if (file->find(section) == nullptr) return {};
  return LowerBound(stored_positions(file, section, vertices, samples ? 0 : 3));
}

std::optional<MeshArrays> stored_mesh(std::shared_ptr<const Container> file, Index vertices) {
  const Section* kind = file->find(sections::shape_kind);
  if (kind == nullptr || kind->as_text() != "triangle mesh") return {};
  const auto stored = std::make_shared<const StoredArrays>(file);
  const auto triangles = stored->sound<Index>(sections::triangles);
  const auto in_range = [&](Index v) { return v >= 0 && v < vertices; };
  if (triangles.size() % 3 != 0 || !std::all_of(triangles.begin(), triangles.end(), in_range))
    fail_to_fit(*file, vertices, "triangles");
  return MeshArrays{stored_positions(file, sections::points, vertices, 3), triangles, stored};
}

std::optional<Shape> read_shape_sections(const Container& file, Index vertices) {
  const Section* kind = file.find(sections::shape_kind);
  if (kind == nullptr) return std::nullopt;
  return Reader(file, vertices).read(kind->as_text());
}

}  // namespace geodome::internal
