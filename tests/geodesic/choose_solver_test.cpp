#include "geodome/geodesic/choose_solver.h"

#include <gtest/gtest.h>

#include "geodome/shape/builtin/builtin.h"

namespace geodome::internal {
namespace {

GeodesicOptions never_exact() {
  GeodesicOptions options;
  options.exact_up_to = 0;
  return options;
}

TEST(ChooseSolver, KeepsMarchingWhereItIsAccurate) {
  const Shape shape = make_sphere(16);
  const ChosenSolver chosen = choose_solver(make_path_domain(shape), never_exact());
  EXPECT_EQ(chosen.method, GeodesicMethod::fast_marching);
  ASSERT_EQ(chosen.tried.size(), 1u);
  EXPECT_EQ(chosen.tried[0].method, "marching");
  EXPECT_GT(chosen.tried[0].mean_relative_error, 0);
  EXPECT_LE(chosen.tried[0].mean_relative_error, largest_solver_error);
}

TEST(ChooseSolver, TakesTheNextBetterOneOnSlivers) {
  const Shape shape = make_drilled_plate(5, 5, 40);
  const PathDomain domain = make_path_domain(shape);
  const ChosenSolver chosen = choose_solver(domain, never_exact());
  ASSERT_GE(chosen.tried.size(), 2u);
  EXPECT_GT(chosen.tried[0].mean_relative_error, largest_solver_error);
  EXPECT_EQ(chosen.tried[1].method, "carried");
  EXPECT_EQ(chosen.method, chosen.tried[1].mean_relative_error > largest_solver_error
                               ? GeodesicMethod::exact
                               : GeodesicMethod::carried);
  // A method that the user named stays.
  GeodesicOptions named = never_exact();
  named.method = GeodesicMethod::fast_marching;
  EXPECT_EQ(choose_solver(domain, named).method, GeodesicMethod::fast_marching);
  EXPECT_TRUE(choose_solver(domain, named).tried.empty());
}

TEST(ChooseSolver, MeasuresNothingWhereThereIsNoChoice) {
  EXPECT_EQ(choose_solver(make_path_domain(make_sphere(4)), {}).method, GeodesicMethod::exact);
  const ChosenSolver edges = choose_solver(make_path_domain(make_grid_graph(5, 6)), {});
  EXPECT_EQ(edges.method, GeodesicMethod::graph);
  EXPECT_TRUE(edges.tried.empty());
}

}  // namespace
}  // namespace geodome::internal
