#include <gtest/gtest.h>

#include <filesystem>

#include "front_door/front_door_cases.h"
#include "geodome/file/matrix_file.h"
#include "geodome/pipeline/build.h"
#include "geodome/shape/digest.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

using testing::contents;
using testing::store;
using testing::TemporaryFolder;

void expect_same_answers(const Distances& opened, const Distances& built, const std::string& name) {
  EXPECT_EQ(opened.size(), built.size()) << name;
  EXPECT_EQ(opened.kind(), built.kind()) << name;
  EXPECT_EQ(opened.recipe(), built.recipe()) << name;
  EXPECT_EQ(opened.method(), built.method()) << name;
  EXPECT_EQ(opened.geodesic(), built.geodesic()) << name;
  EXPECT_EQ(opened.landmarks(), built.landmarks()) << name;
  EXPECT_EQ(opened.measured(), built.measured()) << name;
  EXPECT_EQ(all_rows(opened.matrix()), all_rows(built.matrix())) << name;
  EXPECT_EQ(all_rows(opened), all_rows(built)) << name;
  EXPECT_EQ(all_rows(opened.with(QueryMode::raw)), all_rows(built.with(QueryMode::raw))) << name;
  EXPECT_EQ(opened.distance(3, 77), built.distance(3, 77)) << name;
  const auto found = opened.nearest(3, 10), expected = built.nearest(3, 10);
  ASSERT_EQ(found.size(), expected.size()) << name;
  for (std::size_t k = 0; k < found.size(); ++k) EXPECT_EQ(found[k].vertex, expected[k].vertex) << name;
  EXPECT_EQ(opened.embed(3).Z, built.embed(3).Z) << name;
}

TEST(Open, GivesBackWhatWasSaved) {
  const TemporaryFolder folder;
  const Shape shape = apart(make_sphere(5), make_plane(9, 8));
  for (const Method method : stored_methods)
    for (const DistanceKind kind : both_kinds) {
      const Distances built = build(shape, options_of(method, 40, kind));
      built.save(folder / "m");
      const Distances opened = open(folder / "m");
      expect_same_answers(opened, built, method_name(method));
      EXPECT_EQ(opened.evaluate(10).error.relative_error, built.evaluate(10).error.relative_error);
      ASSERT_NE(opened.file(), nullptr);
      EXPECT_EQ(opened.file()->path(), folder / "m");
      EXPECT_TRUE(opened.has_shape());
      EXPECT_EQ(shape_digest(*opened.shape()), shape_digest(shape));
      EXPECT_NO_THROW(opened.require_same_shape(shape));
      EXPECT_TRUE(opened.summary().stages.empty());
      opened.save(folder / "again");
      EXPECT_EQ(contents(folder / "again"), contents(folder / "m")) << method_name(method);
    }
}

TEST(Open, WorksWithoutTheShape) {
  const TemporaryFolder folder;
  const Shape shape = make_torus(16, 9);
  for (const Method method : stored_methods) {
    const Distances built = build(shape, options_of(method, 40));
    built.save(folder / "m", {.shape = false});
    const Distances opened = open(folder / "m");
    EXPECT_FALSE(opened.has_shape());
    EXPECT_EQ(opened.shape(), nullptr);
    EXPECT_EQ(all_rows(opened.matrix()), all_rows(built.matrix())) << method_name(method);
    EXPECT_THROW(opened.evaluate(10), InputError);
    EvaluationOptions with_shape;
    with_shape.rows = 10;
    with_shape.shape = &shape;
    const double error = opened.evaluate(with_shape).error.relative_error;
    EXPECT_GT(error, 0);
    EXPECT_LT(error, 0.2) << method_name(method);
    EXPECT_NO_THROW(opened.require_same_shape(shape));
    opened.save(folder / "again");
    EXPECT_FALSE(open(folder / "again").has_shape());
  }
}

TEST(Open, KeepsTheNumbersOfAGraphsVertices) {
  const TemporaryFolder folder;
  Graph graph = make_grid_graph(9, 7);
  for (Index v = 0; v < graph.vertices; ++v) graph.labels.push_back(10 * v + 7);
  const Distances built = build(graph, options_of(Method::sbha));
  const auto labels_of = [](const Distances& one) {
    return std::vector<std::int64_t>(one.labels().begin(), one.labels().end());
  };
  EXPECT_EQ(labels_of(built), graph.labels);
  for (const bool shape : {true, false}) {
    built.save(folder / "m", {.shape = shape});
    const Distances opened = open(folder / "m");
    EXPECT_EQ(labels_of(opened), graph.labels);
    EXPECT_EQ(labels_of(opened.with(QueryMode::raw)), graph.labels);
    opened.save(folder / "again");
    EXPECT_EQ(labels_of(open(folder / "again")), graph.labels);
    if (!shape) continue;
    EXPECT_EQ(all_rows(opened), all_rows(built)) << "the same bounds from edges";
  }
}

TEST(Open, AsksEveryKindOfShapeForItsBound) {
  const TemporaryFolder folder;
  const Points fine = make_sphere(5).points * 1.1;  // not representable in 32 bits
  for (const Shape& shape :
       {Shape(TriangleMesh{fine, make_sphere(5).triangles}), Shape(make_plane_quads(12, 9)),
        Shape(PointCloud{fine, {}}), Shape(make_grid_graph(12, 9)),
        Shape(Samples{RowMatrix<double>::Random(120, 4)})}) {
    const Distances built = build(shape, options_of(Method::sbha));
    built.save(folder / "m");
    EXPECT_EQ(all_rows(open(folder / "m")), all_rows(built)) << kind_name(shape);
  }
}

TEST(Open, RefusesWhatIsNoFileOfOurs) {
  const TemporaryFolder folder;
  EXPECT_THROW(open(folder / "none"), FileError);
  EXPECT_THROW(open_if_matrix(folder / "none"), FileError);
  const std::string other = folder.write("t.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_THROW(open(other), FileError);
  EXPECT_FALSE(open_if_matrix(other));
  EXPECT_FALSE(open_if_matrix(folder.write("empty", "")));
  EXPECT_FALSE(open_if_matrix(folder.path().string())) << "a folder";
  build(make_sphere(4), options_of(Method::sbha)).save(folder / "m");
  ASSERT_TRUE(open_if_matrix(folder / "m"));
  EXPECT_EQ(all_rows(*open_if_matrix(folder / "m")), all_rows(open(folder / "m")));
  const std::string bytes = contents(folder / "m");
  store(folder / "cut", bytes.substr(0, bytes.size() / 2));
  EXPECT_THROW(open(folder / "cut"), FileError);
  EXPECT_THROW(open_if_matrix(folder / "cut"), FileError) << "ours, but damaged";
}

TEST(Open, FindsDamageAtTheLatestWhenItIsRead) {
  const TemporaryFolder folder;
  for (const Method method : stored_methods) {
    const Distances built = build(make_sphere(4), options_of(method));
    const RowMatrix<double> expected = all_rows(built);
    built.save(folder / "m");
    const std::string bytes = contents(folder / "m");
    for (std::size_t at = 40; at < bytes.size(); at += 1009) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ 4);
      store(folder / "damaged", damaged);
      try {
        const Distances opened = open(folder / "damaged");
        EXPECT_EQ(all_rows(opened), expected) << method_name(method) << ' ' << at;
      } catch (const FileError&) {
      }
    }
  }
}

TEST(Open, SavesNothingThatIsDamaged) {
  const TemporaryFolder folder;
  for (const Method method : stored_methods) {
    build(make_sphere(4), options_of(method, 30)).save(folder / "m");
    const std::string sound = contents(folder / "m");
    int opened = 0;
    for (std::size_t place = 64; place + 64 < sound.size(); place += sound.size() / 40) {
      std::string damaged = sound;
      damaged[place] = static_cast<char>(damaged[place] ^ 1);
      store(folder / "damaged", damaged);
      try {
        const Distances distances = open(folder / "damaged");
        ++opened;
        EXPECT_THROW(distances.save(folder / "copy"), FileError) << method_name(method) << " " << place;
      } catch (const FileError&) {  // found when it was opened
      }
      EXPECT_FALSE(std::filesystem::exists(folder / "copy"));
    }
    EXPECT_GT(opened, 0) << method_name(method);
  }
}

TEST(Open, TakesAnyRecipe) {
  const TemporaryFolder folder;
  const Shape shape = make_sphere(4);
  const Build built = build_matrix(shape, options_of(Method::sbha));
  for (
      const std::string recipe :
      {"", "no JSON", "[]", "3", "null", "{}",
       R"({"method": 3, "geodesic": [], "shape": 1, "landmarks": "x"})",
       R"({"method": {}, "seed": "x", "geodesic": {"method": 1, "neighbours": "x"}, "shape": {"digest": []}})",
       R"({"method": null, "seed": null, "geodesic": {"method": null}, "landmarks": {"count": {}}})"}) {
    save_matrix(folder / "m", *built.matrix, recipe, &shape);
    const Distances opened = open(folder / "m");
    EXPECT_EQ(opened.recipe(), recipe);
    EXPECT_EQ(opened.method(), "") << recipe;
    EXPECT_EQ(opened.geodesic(), "") << recipe;
    EXPECT_FALSE(opened.measured()) << recipe;
    EXPECT_EQ(opened.landmarks(), 30) << recipe;
    EXPECT_EQ(opened.path_options().neighbours, GeodesicOptions().neighbours) << recipe;
    EXPECT_THROW(opened.require_same_shape(shape), InputError) << recipe;
    EXPECT_GT(opened.distance(3, 9), 0) << recipe;
  }
}

TEST(Open, RefusesToSaveWhatNoFileHolds) {
  const TemporaryFolder folder;
  for (const Named<Method>& method : methods()) {
    const Distances built = build(make_sphere(4), options_of(method.choice));
    if (traits(method.choice).file) {
      EXPECT_NO_THROW(built.save(folder / "file")) << method.name;
    } else {
      EXPECT_THROW(built.save(folder / "none"), InputError) << method.name;
    }
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "none"));
  EXPECT_THROW(build(make_sphere(4), options_of(Method::sbha)).save(folder / "no/such/folder"), FileError);
}

TEST(Open, AFileMayReplaceItself) {
  const TemporaryFolder folder;
  const Distances built = build(make_sphere(4), options_of(Method::sbha));
  built.save(folder / "m");
  const Distances opened = open(folder / "m");
  opened.save(folder / "m");
  EXPECT_EQ(all_rows(opened), all_rows(built));
  EXPECT_EQ(all_rows(open(folder / "m")), all_rows(built));
}

}  // namespace
}  // namespace geodome::internal
