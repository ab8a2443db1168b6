#include "support/distance_output.h"

#include <charconv>
#include <utility>

#include "geodome/base/atomic_file.h"
#include "geodome/base/error.h"
#include "geodome/report/picture.h"
#include "geodome/shape/io/npy.h"
#include "geodome/shape/io/parse/input_file.h"
#include "geodome/shape/triangulate.h"
#include "support/distance_colours.h"

namespace geodome::cli {

using namespace internal;

namespace {

class NoOutput : public DistanceOutput {
 public:
  void append(const RowMatrix<double>&) override {}
  void finish(nlohmann::ordered_json&) override {}
};

class NpyOutput : public DistanceOutput {
 public:
  NpyOutput(const std::string& path, std::size_t sources, Index vertices)
      : writer_(path, static_cast<std::int64_t>(sources), vertices) {}
  void append(const RowMatrix<double>& rows) override { writer_.append(rows); }
  void finish(nlohmann::ordered_json&) override { writer_.commit(); }

 private:
  NpyWriter<double> writer_;
};

class CsvOutput : public DistanceOutput {
 public:
  CsvOutput(const std::string& path, const Numbering& numbering, std::vector<std::int64_t> sources)
      : file_(path), numbering_(numbering), sources_(std::move(sources)) {}

  void append(const RowMatrix<double>& rows) override {
    columns_.conservativeResize(rows.cols(), columns_.cols() + rows.rows());
    columns_.rightCols(rows.rows()) = rows.transpose();
  }

  void finish(nlohmann::ordered_json&) override {
    std::string line = "vertex";
    for (const std::int64_t source : sources_) line += text(",from ", source);
    file_.write(line + "\n");
    for (Index v = 0; v < columns_.rows(); ++v) {
      line = std::to_string(numbering_.number(v));
      for (Eigen::Index s = 0; s < columns_.cols(); ++s) {
        char digits[32];
        const auto written = std::to_chars(digits, digits + sizeof digits, columns_(v, s));
        line += ',';
        line.append(digits, written.ptr);
      }
      file_.write(line + "\n");
    }
    file_.commit();
  }

 private:
  AtomicFile file_;
  const Numbering& numbering_;
  std::vector<std::int64_t> sources_;
  Eigen::MatrixXd columns_;  // #V by #sources so far: column-major, so that appending copies nothing twice
};

class ColourOutput : public DistanceOutput {
 public:
  ColourOutput(const std::string& path, const Shape& shape)
      : path_(path), shape_(shape), nearest_(Vector::Constant(vertex_count(shape), infinity)) {}

  void append(const RowMatrix<double>& rows) override {
    for (Eigen::Index s = 0; s < rows.rows(); ++s) nearest_ = nearest_.cwiseMin(rows.row(s).transpose());
  }

  void finish(nlohmann::ordered_json& facts) override {
    const DistanceColours coloured = colour_by_distance(shape_, nearest_);
    if (file_extension(path_) == "png")
      draw(coloured.colours);
    else
      write_shape(shape_, path_, coloured.colours);
    facts["isoline_step"] = coloured.isoline_step;
  }

 private:
  void draw(const Colours& colours) const {
    const auto* polygons = std::get_if<PolygonMesh>(&shape_);
    const TriangleMesh mesh = polygons ? triangulate(*polygons) : std::get<TriangleMesh>(shape_);
    View view;
    view.width = 960;
    view.height = 720;
    write_png(render(mesh, colours, view), path_);
  }

  std::string path_;
  const Shape& shape_;
  Vector nearest_;
};

}  // namespace

std::unique_ptr<DistanceOutput> make_distance_output(const std::string& path, const Shape& shape,
                                                     const Numbering& numbering,
                                                     const std::vector<std::int64_t>& sources) {
  if (path.empty()) return std::make_unique<NoOutput>();
  const std::string extension = path.ends_with(".gz") ? "gz" : file_extension(path);  // never packed
  if (extension == "npy") return std::make_unique<NpyOutput>(path, sources.size(), vertex_count(shape));
  if (extension == "csv") return std::make_unique<CsvOutput>(path, numbering, sources);
  if (extension != "ply" && extension != "png")
    throw InputError(text("cannot write '", path, "': the extension must be one of .npy, .csv, .ply, .png"));
  const bool surface =
      std::holds_alternative<TriangleMesh>(shape) || std::holds_alternative<PolygonMesh>(shape);
  const bool shown = surface || (extension == "ply" && std::holds_alternative<PointCloud>(shape));
  if (!shown)
    throw InputError(text("cannot write '", path, "': .", extension, " output requires a mesh",
                          extension == "ply" ? " or a point cloud" : "", ", and this shape is of kind '",
                          kind_name(shape), "': write .npy or .csv"));
  return std::make_unique<ColourOutput>(path, shape);
}

}  // namespace geodome::cli
