/// Solvers that builds of one shape share.

#include <gtest/gtest.h>

#include "geodome/pipeline/prepared.h"
#include "geodome/shape/builtin/builtin.h"

namespace geodome::internal {
namespace {

/// What `automatic` stands for depends on the number of landmarks: a solver that was chosen for few of them
/// must not be taken for many.
TEST(SharedSolvers, AreThoseThatABuildByItselfChooses) {
  GeodesicOptions few, many;
  few.expected_sources = many.expected_sources = 500;
  many.exact_up_to = 100;
  const PathDomain domain = make_path_domain(make_torus(40, 24), few);
  ASSERT_NE(choose_solver(domain, few).method, choose_solver(domain, many).method);
  SharedSolvers shared(1 << 20);
  for (const GeodesicOptions& options : {few, many, few})
    EXPECT_EQ(shared.choose(domain, options, "exact", {}).method, choose_solver(domain, options).method);
  EXPECT_EQ(shared.choose(domain, many, "exact", {}).solver, shared.choose(domain, many, "exact", {}).solver);
}

}  // namespace
}  // namespace geodome::internal
