#include "geodome/file/codecs.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <memory>
#include <random>

#include "baselines/baseline_cases.h"
#include "file/file_damage.h"
#include "geodome/baselines/ctg/ctg.h"
#include "geodome/baselines/spectrometer_matrix.h"
#include "geodome/cell/cell_matrix.h"
#include "geodome/file/matrix_file.h"
#include "geodome/file/matrix_sections.h"
#include "geodome/geodesic/adjacency.h"
#include "geodome/matrix/packed_full_matrix.h"
#include "geodome/pipeline/build.h"
#include "geodome/shape/digest.h"

namespace geodome::internal {
namespace {

using testing::contents;
using testing::TemporaryFolder;

/// A matrix that a file can hold, and what it stands on.
struct Stored {
  std::string name;
  Shape shape;
  std::shared_ptr<const DistanceMatrix> matrix;
};

CtgMatrix ctg_of(const RivalCase& one, const Points* points, DistanceKind kind) {
  const Adjacency edges = make_adjacency(one.size(), face_edges(one.base.mesh));
  return make_ctg(one.columns(), ctg_triangles(one.base.mesh.triangles, edges, one.columns()), points, kind);
}

/// Any numbers will do: what they mean is tested elsewhere.
SpectrometerMatrix any_spectrometer(const RivalCase& one, DistanceKind kind) {
  return {RowMatrix<float>::Random(one.size(), 13), RowMatrix<float>::Random(one.size(), 13),
          one.columns().labels(), kind};
}

std::shared_ptr<const DistanceMatrix> cells_of(const RivalCase& one, DistanceKind kind) {
  BuildOptions options;
  options.method = Method::cell;
  options.landmarks.count = static_cast<Index>(one.base.landmarks.vertices.size());
  options.kind = kind;
  return build_matrix(one.base.mesh, options).matrix;
}

std::vector<Stored> stored_matrices() {
  std::vector<Stored> all;
  for (const RivalCase& one : rival_cases())
    for (const DistanceKind kind : {DistanceKind::distance, DistanceKind::squared}) {
      const auto add = [&](const char* method, auto matrix) {
        all.push_back({text(method, " of ", one.base.name), one.base.mesh,
                       std::make_shared<decltype(matrix)>(std::move(matrix))});
      };
      add("ctg", ctg_of(one, &one.base.mesh.points, kind));
      add("ctg without positions", ctg_of(one, nullptr, kind));
      add("spectrometer", any_spectrometer(one, kind));
      add("compact", one.base.compact(Precision::float32, kind));
      all.push_back({text("cell of ", one.base.name), one.base.mesh, cells_of(one, kind)});
    }
  return all;
}

void expect_equal(const DistanceMatrix& a, const DistanceMatrix& b, const std::string& name) {
  ASSERT_EQ(a.size(), b.size()) << name;
  EXPECT_EQ(a.kind(), b.kind()) << name;
  EXPECT_EQ(a.bytes(), b.bytes()) << name;
  EXPECT_EQ(a.component_labels(), b.component_labels()) << name;
  EXPECT_EQ(all_entries(a), all_entries(b)) << name;
  const Pairs pairs = random_pairs(a.size(), 100);
  EXPECT_EQ(a.entries(pairs.I, pairs.J), b.entries(pairs.I, pairs.J)) << name;
}

TEST(Codecs, GiveBackWhatWasSaved) {
  const TemporaryFolder folder;
  for (const Stored& one : stored_matrices()) {
    save_matrix(folder / "m", *one.matrix, "{\"a\": 1}", &one.shape);
    const MatrixFile file = MatrixFile::open(folder / "m");
    expect_equal(file.matrix(), *one.matrix, one.name);
    EXPECT_EQ(file.recipe(), "{\"a\": 1}");
    EXPECT_EQ(shape_digest(*file.shape()), shape_digest(one.shape));
    file.verify();
    const std::string bytes = contents(folder / "m");
    save_matrix(folder / "again", file.matrix(), file.recipe(), &one.shape);
    EXPECT_EQ(contents(folder / "again"), bytes) << one.name;
  }
}

TEST(Codecs, AMappedMatrixOutlivesItsFile) {
  const TemporaryFolder folder;
  for (const Stored& one : stored_matrices()) {
    save_matrix(folder / "m", *one.matrix, "{}");
    const auto mapped = MatrixFile::open(folder / "m").shared_matrix();
    std::filesystem::remove(folder / "m");
    expect_equal(*mapped, *one.matrix, one.name);
  }
}

/// What a reader of matrices P W Pᵀ alone would know.
std::vector<KnownSection> symmetric_sections() {
  std::vector<KnownSection> known(sections::common.begin(), sections::common.end());
  known.insert(known.end(), sections::symmetric.begin(), sections::symmetric.end());
  return known;
}

TEST(Codecs, KnowOneFormFromAnother) {
  const TemporaryFolder folder;
  for (const Stored& one : stored_matrices()) {
    save_matrix(folder / "m", *one.matrix, "{}");
    const MatrixFile file = MatrixFile::open(folder / "m");
    const bool symmetric = one.name.starts_with("compact");
    EXPECT_EQ(file.matrix().landmark_matrix() != nullptr, symmetric || one.name.starts_with("cell"))
        << one.name;
    EXPECT_TRUE(file.stored_as().starts_with(one.matrix->codec())) << one.name;
    // A reader that does not know the sections refuses them.
    if (symmetric)
      EXPECT_NO_THROW(Container::open(folder / "m", symmetric_sections()));
    else
      EXPECT_THROW(Container::open(folder / "m", symmetric_sections()), FileError) << one.name;
  }
  const PackedFullMatrix packed(3, std::vector<float>(6, 0), DistanceKind::distance);
  EXPECT_THROW(save_matrix(folder / "n", packed, "{}"), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder / "n"));
}

TEST(Codecs, HaveSectionsOfTheirOwn) {
  std::vector<SectionKind> seen;
  const auto add = [&](std::span<const KnownSection> known) {
    for (const KnownSection& one : known) {
      EXPECT_TRUE(std::find(seen.begin(), seen.end(), one.kind) == seen.end()) << one.kind.name();
      seen.push_back(one.kind);
    }
  };
  add(sections::common);
  add(sections::symmetric);
  const auto shared =
      [](const KnownSection& one) {  // landmarks and what belongs to them mean the same everywhere
        const std::array kinds{sections::landmark, sections::component_first, sections::step,
                               sections::spacing, sections::distances};
        return std::find(kinds.begin(), kinds.end(), one.kind) != kinds.end();
      };
  for (const FileCodec* codec : file_codecs()) {
    if (codec->sections.data() == sections::symmetric.data()) continue;
    std::vector<KnownSection> own;
    for (const KnownSection& one : codec->sections)
      if (codec->name != "cell" || !shared(one)) own.push_back(one);
    add(own);
  }
}

/// Opens the file and asks it everything; the answers must be those of `right`, or a FileError.
bool refused(const std::string& path, const Stored& right) {
  try {
    const MatrixFile file = MatrixFile::open(path);
    const auto shape = file.shape();
    EXPECT_TRUE(shape.has_value());
    EXPECT_EQ(shape_digest(*shape), shape_digest(right.shape));
    expect_equal(file.matrix(), *right.matrix, right.name);
    file.verify();
    return false;
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
    return true;
  }
}

/// One of each, of two components.
std::vector<Stored> few_matrices() {
  const RivalCase one = make_rival_case("apart", apart(make_sphere(2), make_plane(4, 3)), 12);
  const DistanceKind kind = DistanceKind::distance;
  return {{"ctg", one.base.mesh, std::make_shared<CtgMatrix>(ctg_of(one, &one.base.mesh.points, kind))},
          {"spectrometer", one.base.mesh, std::make_shared<SpectrometerMatrix>(any_spectrometer(one, kind))},
          {"cell", one.base.mesh, cells_of(one, kind)}};
}

TEST(Codecs, ACutFileIsRefused) {
  const TemporaryFolder folder;
  for (const Stored& one : few_matrices()) {
    save_matrix(folder / "m", *one.matrix, "{}", &one.shape);
    testing::for_each_cut(contents(folder / "m"), folder / "cut", [&](std::size_t length) {
      EXPECT_TRUE(refused(folder / "cut", one)) << one.name << " " << length;
    });
  }
}

TEST(Codecs, AFlippedBitIsFoundBeforeItMatters) {
  const TemporaryFolder folder;
  for (const Stored& one : few_matrices()) {
    save_matrix(folder / "m", *one.matrix, "{}", &one.shape);
    testing::for_each_flip(contents(folder / "m"), folder / "damaged", [&](std::size_t place) {
      EXPECT_TRUE(refused(folder / "damaged", one)) << one.name << " " << place;
    });
  }
}

/// What a file of cells holds, to be changed.
struct StoredCells {
  std::vector<std::int64_t> header;
  std::vector<Index> landmark, component_first;
  std::vector<double> step, spacing;
  std::vector<std::uint8_t> tables;
  std::vector<std::uint32_t> distances, cells, vertices, blocks;

  explicit StoredCells(const CellMatrixArrays& from)
      : header{from.code.size, from.code.connected},
        landmark(from.landmark.begin(), from.landmark.end()),
        component_first(from.component_first.begin(), from.component_first.end()),
        step(from.step.begin(), from.step.end()),
        spacing(from.spacing.begin(), from.spacing.end()),
        tables(from.code.tables.begin(), from.code.tables.end()),
        distances(from.code.distances.begin(), from.code.distances.end()),
        cells(from.code.cells.begin(), from.code.cells.end()),
        vertices(from.code.vertices.begin(), from.code.vertices.end()),
        blocks(from.code.block_begin.begin(), from.code.block_begin.end()) {}

  void write(const std::string& path) const {
    ContainerWriter writer(path);
    writer.add_text(sections::recipe, "{}");
    writer.add_text(sections::form, "cell distance");
    writer.add(SectionKind("CHDR"), std::span(header));
    writer.add(sections::landmark, std::span(landmark));
    writer.add(sections::component_first, std::span(component_first));
    writer.add(sections::step, std::span(step));
    writer.add(sections::spacing, std::span(spacing));
    writer.add(SectionKind("CTAB"), std::span(tables));
    writer.add(SectionKind("CDST"), std::span(distances));
    writer.add(SectionKind("CCEL"), std::span(cells));
    writer.add(SectionKind("CBLK"), std::span(blocks));
    writer.add(SectionKind("CVRT"), std::span(vertices));
    writer.commit();
  }
};

/// Files of cells with sound checksums, but arrays that do not fit each other.
TEST(Codecs, RefuseCellsThatMakeNoSense) {
  const TemporaryFolder folder;
  const Stored one = few_matrices().back();
  const StoredCells sound(static_cast<const CellMatrix&>(*one.matrix).arrays());
  sound.write(folder / "sound");
  expect_equal(MatrixFile::open(folder / "sound").matrix(), *one.matrix, "sound");
  const auto refuse = [&](const char* what, const std::function<void(StoredCells&)>& change) {
    StoredCells bad = sound;
    change(bad);
    bad.write(folder / "bad");
    EXPECT_THROW(MatrixFile::open(folder / "bad"), FileError) << what;
  };
  for (const std::int64_t size :
       {std::int64_t{2147483647}, std::int64_t{1} << 40, std::int64_t{-1}, std::int64_t{0}})
    refuse("size", [&](StoredCells& bad) { bad.header[0] = size; });
  refuse("long header", [](StoredCells& bad) { bad.header.insert(bad.header.end(), 2, 0); });
  refuse("no positions", [](StoredCells& bad) { bad.header.push_back(1); });
  refuse("connected", [](StoredCells& bad) { bad.header[1] = 1; });
  refuse("absurd components", [](StoredCells& bad) { bad.component_first.back() = 2147483647; });
  refuse("no components", [](StoredCells& bad) { bad.component_first.clear(); });
  refuse("another component",
         [](StoredCells& bad) { bad.component_first.push_back(bad.component_first.back()); });
  refuse("landmark", [](StoredCells& bad) { bad.landmark[0] = 2000000000; });
  refuse("fewer landmarks", [](StoredCells& bad) { bad.landmark.pop_back(); });
  refuse("step", [](StoredCells& bad) { bad.step.pop_back(); });
  refuse("negative step", [](StoredCells& bad) { bad.step[0] = -1; });
  refuse("spacing", [](StoredCells& bad) { bad.spacing.clear(); });
  refuse("tables", [](StoredCells& bad) { bad.tables.pop_back(); });
  refuse("few tables", [](StoredCells& bad) { bad.tables = {1, 0}; });
  refuse("distances", [](StoredCells& bad) { bad.distances.pop_back(); });
  refuse("more distances", [](StoredCells& bad) { bad.distances.push_back(1); });
  refuse("cells", [](StoredCells& bad) { bad.cells.pop_back(); });
  refuse("vertices", [](StoredCells& bad) { bad.vertices.pop_back(); });
  refuse("blocks", [](StoredCells& bad) { bad.blocks.push_back(bad.blocks.back()); });
  refuse("decreasing blocks", [](StoredCells& bad) { bad.blocks[0] = 1; });
}

/// With sound checksums, any change of the streams is refused when they are read, or gives other distances.
TEST(Codecs, ChangedCellsAreRefusedOrGiveOtherDistances) {
  const TemporaryFolder folder;
  const Stored one = few_matrices().back();
  const StoredCells sound(static_cast<const CellMatrix&>(*one.matrix).arrays());
  std::mt19937 random(9);
  std::size_t found = 0;
  for (int repeat = 0; repeat < 200; ++repeat) {
    StoredCells bad = sound;
    const std::array streams{&bad.distances, &bad.cells, &bad.vertices};
    if (repeat % 4 == 3) {
      bad.tables[random() % bad.tables.size()] ^= static_cast<std::uint8_t>(1u << random() % 8);
    } else {
      std::vector<std::uint32_t>& words = *streams[static_cast<std::size_t>(repeat % 4)];
      words[random() % words.size()] ^= 1u << random() % 32;
    }
    bad.write(folder / "bad");
    try {
      const MatrixFile file = MatrixFile::open(folder / "bad");
      EXPECT_EQ(file.matrix().size(), one.matrix->size());
      all_entries(file.matrix());
    } catch (const FileError&) {
      ++found;
    } catch (const InputError&) {
      ++found;
    }
  }
  EXPECT_GT(found, 60u);
}

/// Files with sound checksums, but arrays that do not fit each other.
TEST(Codecs, RefuseArraysThatMakeNoSense) {
  const TemporaryFolder folder;
  const auto refuse = [&](const std::string& form, const std::function<void(ContainerWriter&)>& fill) {
    ContainerWriter writer(folder / "bad");
    writer.add_text(sections::recipe, "{}");
    writer.add_text(sections::form, form);
    fill(writer);
    writer.commit();
    EXPECT_THROW(MatrixFile::open(folder / "bad"), FileError) << form;
  };
  const auto add = [](ContainerWriter& writer, SectionKind kind, const auto& numbers) {
    using Number = typename std::remove_cvref_t<decltype(numbers)>::value_type;
    writer.add(kind, std::span<const Number>(numbers));
  };
  using Integers = std::vector<Index>;
  using Floats = std::vector<float>;
  // Two samples, a triangle of them, three vertices: sound until `first`, W, corner or triangle change.
  const auto ctg = [&](Integers first, Floats W, Integers corners, Integers of_vertex, Floats distance) {
    refuse("ctg distance", [&](ContainerWriter& writer) {
      add(writer, SectionKind("CTGC"), first);
      add(writer, SectionKind("CTGW"), W);
      add(writer, SectionKind("CTGT"), corners);
      add(writer, SectionKind("CTGP"), Integers{0});
      add(writer, SectionKind("CTGV"), of_vertex);
      add(writer, SectionKind("CTGD"), distance);
    });
  };
  const Floats nine(9, 1);
  ctg({0, 2000000000}, {0, 1, 0}, {0, 1, 1}, {0, 0, 0}, nine);  // an absurd number of samples
  ctg({0, -2}, {0, 1, 0}, {0, 1, 1}, {0, 0, 0}, nine);
  ctg({}, {}, {0, 1, 1}, {0, 0, 0}, nine);
  ctg({0, 2}, {0, 1}, {0, 1, 1}, {0, 0, 0}, nine);
  ctg({0, 2}, {0, 1, 0}, {0, 1, 2}, {0, 0, 0}, nine);
  ctg({0, 2}, {0, 1, 0}, {0, 1}, {0, 0, 0}, nine);
  ctg({0, 2}, {0, 1, 0}, {0, 1, 1}, {0, 1, 0}, nine);
  ctg({0, 2}, {0, 1, 0}, {0, 1, 1}, {0, 0, 0}, Floats(8, 1));
  refuse("ctg distance", [&](ContainerWriter& writer) { add(writer, SectionKind("CTGC"), Integers{0, 2}); });

  const auto spectrometer = [&](Integers count, std::size_t vectors, std::size_t coefficients,
                                Integers component) {
    refuse("spectrometer distance", [&](ContainerWriter& writer) {
      add(writer, SectionKind("SPCN"), count);
      add(writer, SectionKind("SPCV"), Floats(vectors, 1));
      add(writer, SectionKind("SPCC"), Floats(coefficients, 1));
      add(writer, SectionKind("SPCP"), component);
    });
  };
  spectrometer({0}, 6, 6, {0, 0});
  spectrometer({-3}, 6, 6, {0, 0});
  spectrometer({2000000000}, 6, 6, {0, 0});
  spectrometer({3, 3}, 6, 6, {0, 0});
  spectrometer({3}, 7, 6, {0, 0});
  spectrometer({3}, 6, 9, {0, 0});
  spectrometer({3}, 6, 6, {0});
  refuse("ctg cubed", [](ContainerWriter&) {});
}

}  // namespace
}  // namespace geodome::internal
