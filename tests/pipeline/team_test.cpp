/// Builds by several ranks: the same bytes as by one process.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "geodome/geodome.h"
#include "geodome/landmark/block_log.h"
#include "geodome/shape/builtin/builtin.h"
#include "matrix/matrix_cases.h"
#include "team_of_threads.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

using geodome::testing::TemporaryFolder;

struct TeamCase {
  std::string name;
  Shape shape;
  BuildOptions options;
};

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream all;
  all << file.rdbuf();
  return all.str();
}

BuildOptions team_options(Method method, Index landmarks, Index together = 0) {
  BuildOptions options;
  options.method = method;
  options.landmarks.count = landmarks;
  options.log_every = together;
  return options;
}

std::vector<TeamCase> team_cases() {
  const TriangleMesh torus = make_torus(30, 20);
  std::vector<TeamCase> cases{
      {"sbha in blocks", torus, team_options(Method::sbha, 200, 70)},
      {"16 bits", torus, team_options(Method::sbha, 200, 70)},
      {"64 bits", torus, team_options(Method::sbha, 200, 70)},
      {"patches", torus, team_options(Method::sbha, 200)},
      {"columns", torus, team_options(Method::sbha, 100)},
      {"cell in blocks", torus, team_options(Method::cell, 200, 70)},
      {"positions", torus, team_options(Method::cell, 120)},
      {"pursuit", make_sphere(7), team_options(Method::sbha, 40)},
      {"dense", torus, team_options(Method::bha, 50)},
      {"coarser mesh", make_torus(60, 30), team_options(Method::sbha, 120, 50)},
      {"P on rank 0", make_torus(60, 30), team_options(Method::sbha, 20, 8)},
      {"P on rank 0, coarser mesh", make_torus(60, 30), team_options(Method::sbha, 20)},
      {"exact", make_sphere(9), team_options(Method::cell, 60)},
      {"heat", make_sphere(12), team_options(Method::sbha, 100, 40)},
      {"graph", make_grid_graph(24, 20), team_options(Method::sbha, 100, 30)},
      {"two parts, sbha", apart(make_sphere(6), make_plane(9, 9)), team_options(Method::sbha, 90, 30)},
      {"two parts, cell", apart(make_sphere(6), make_plane(9, 9)), team_options(Method::cell, 90, 30)},
      {"no factors", make_sphere(8), team_options(Method::ctg, 40)}};
  const auto options = [&](std::string_view name) -> BuildOptions& {
    return std::find_if(cases.begin(), cases.end(), [&](const TeamCase& one) { return one.name == name; })
        ->options;
  };
  options("16 bits").precision = Precision::uint16;
  options("64 bits").precision = Precision::float64;
  options("patches").interpolation.method = InterpolationMethod::patches;
  options("columns").interpolation.sparsity = Sparsity::columns;
  options("pursuit").interpolation.sparsity = Sparsity::pursuit;
  options("positions").positional = true;
  options("exact").geodesic.method = GeodesicMethod::exact;
  options("coarser mesh").coarsen = options("P on rank 0, coarser mesh").coarsen = 2;
  options("heat").geodesic.method = GeodesicMethod::heat;
  for (TeamCase& one : cases) one.options.certificate_rows = one.name == "columns" ? 0 : 3;
  return cases;
}

TEST(BuildByRanks, GivesTheBytesOfOneProcess) {
  const TemporaryFolder folder;
  for (const TeamCase& one : team_cases()) {
    SCOPED_TRACE(one.name);
    const Distances alone = build(one.shape, one.options, {1, {}});
    alone.save(folder / "alone");
    const std::string expected = contents(folder / "alone");
    BuildOptions in_file = one.options;
    in_file.scratch = folder / "scratch";
    build(one.shape, in_file, {2, {}}).save(folder / "alone in a file");
    EXPECT_TRUE(contents(folder / "alone in a file") == expected);
    for (const int ranks : {one.name == "sbha in blocks" ? 5 : 2, 3})
      as_ranks(ranks, [&](const Team& team) {
        const Distances found =
            build(one.shape, ranks == 3 ? in_file : one.options, {ranks == 3 ? 2 : 1, {}, &team});
        EXPECT_EQ(found.summary().scratch_bytes > 0, ranks == 3 && found.factors() != nullptr);
        const std::string path = folder / text("rank", team.rank());
        found.save(path);
        EXPECT_TRUE(contents(path) == expected) << one.name << ": rank " << team.rank() << " of " << ranks;
        found.save(folder / "together", {}, {1, {}, &team});
        EXPECT_TRUE(contents(folder / "together") == expected) << one.name;
        EXPECT_EQ(found.recipe(), alone.recipe());
        EXPECT_EQ(found.summary().mean_disagreement, alone.summary().mean_disagreement);
      });
  }
}

TEST(BuildByRanks, IsResumedFromTheLogOfTheFirstRank) {
  const TemporaryFolder folder;
  for (const Method method : {Method::sbha, Method::cell}) {
    BuildOptions options = team_options(method, 200, 40);
    const TriangleMesh torus = make_torus(30, 20);
    build(torus, options, {1, {}}).save(folder / "alone");
    options.log = folder / "log";
    EXPECT_THROW(as_ranks(2,
                          [&](const Team& team) {
                            const auto stop = [&](std::string_view stage, double fraction) {
                              return team.rank() == 0 || stage != "landmark distances" || fraction < 0.6;
                            };
                            build(torus, options, {1, stop, &team});
                          }),
                 Cancelled);
    ASSERT_TRUE(is_block_log(options.log));
    for (const int ranks : {3, 1}) {  // the log stays until the file is there
      as_ranks(ranks, [&](const Team& team) {
        const Distances found = build(torus, options, {1, {}, &team});
        EXPECT_GE(found.summary().recalled, ranks == 1 ? 200 : 40);
        found.save(folder / text("rank", team.rank()));
        EXPECT_TRUE(contents(folder / text("rank", team.rank())) == contents(folder / "alone"));
      });
    }
    remove_block_log(options.log);
  }
}

TEST(BuildByRanks, ErrorsAreMeasuredAlike) {
  const Distances built = build(make_torus(30, 20), team_options(Method::cell, 100), {1, {}});
  EvaluationOptions options;
  options.rows = 150;
  const ErrorReport alone = built.evaluate(options, {1, {}}).error;
  as_ranks(3, [&](const Team& team) {
    const ErrorReport found = built.evaluate(options, {2, {}, &team}).error;
    EXPECT_EQ(found.relative_error, alone.relative_error);
    EXPECT_EQ(found.mean_relative_error, alone.mean_relative_error);
    EXPECT_EQ(found.p99_relative_error, alone.p99_relative_error);
    EXPECT_EQ(found.interval.high, alone.interval.high);
    EXPECT_EQ(found.rows, alone.rows);
    ASSERT_EQ(found.by_band.size(), alone.by_band.size());
    for (std::size_t b = 0; b < found.by_band.size(); ++b)
      EXPECT_EQ(found.by_band[b].median_relative_error, alone.by_band[b].median_relative_error);
  });
}

TEST(EmbeddingByRanks, GivesTheFormOfOneProcess) {
  for (const Method method : {Method::sbha, Method::cell}) {
    const Distances built = build(make_torus(30, 20), team_options(method, 100), {1, {}});
    const Embedding alone = built.embed({}, {1, {}});
    as_ranks(3, [&](const Team& team) {
      const Embedding found = built.embed({}, {1, {}, &team});
      EXPECT_EQ(found.Z, alone.Z);
      EXPECT_EQ(found.components[0].eigenvalues, alone.components[0].eigenvalues);
    });
  }
}

}  // namespace
}  // namespace geodome::internal
