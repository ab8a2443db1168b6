#include "geodome/file/codecs.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "baselines/baseline_cases.h"
#include "file/file_damage.h"
#include "geodome/baselines/ctg/ctg.h"
#include "geodome/baselines/spectrometer_matrix.h"
#include "geodome/file/matrix_file.h"
#include "geodome/file/matrix_sections.h"
#include "geodome/geodesic/adjacency.h"
#include "geodome/matrix/packed_full_matrix.h"
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
    EXPECT_EQ(file.matrix().landmark_matrix() != nullptr, symmetric) << one.name;
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
  for (const FileCodec* codec : file_codecs())
    if (codec->sections.data() != sections::symmetric.data()) add(codec->sections);
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
          {"spectrometer", one.base.mesh, std::make_shared<SpectrometerMatrix>(any_spectrometer(one, kind))}};
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
