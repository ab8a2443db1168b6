#include "geodome/trials/equal_error.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace geodome::internal {
namespace {

TrialGroup group(const std::string& method, Index landmarks, double error, std::int64_t bytes) {
  TrialGroup one{"shape", 1000, method, landmarks, 0, {}};
  Trial trial;
  trial.relative_error = error;
  trial.reference_bytes = bytes;
  one.repeats.push_back(trial);
  return one;
}

TEST(EqualError, IsExactOnPowerLaws) {
  // bytes = c ε^(-1/2) is a straight line in logarithms: nothing is lost between points.
  std::vector<TrialGroup> groups;
  for (const Index landmarks : {400, 100, 200}) {  // in any order
    const double error = 3.7 / (landmarks * static_cast<double>(landmarks));
    groups.push_back(group("small", landmarks, error, std::llround(1e9 / std::sqrt(error))));
    groups.push_back(group("large", landmarks, error, std::llround(2e10 / std::sqrt(error))));
  }
  const EqualErrors found = bytes_at_equal_error(groups, &Trial::reference_bytes);
  ASSERT_EQ(found.errors.size(), 3u);
  ASSERT_EQ(found.rows.size(), 2u);
  constexpr std::array expected = {2e-4, 1e-4, 5e-5};
  for (std::size_t k = 0; k < found.errors.size(); ++k) {
    EXPECT_NEAR(found.errors[k], expected[k], 1e-12);
    EXPECT_NEAR(found.rows[0].bytes[k] * std::sqrt(found.errors[k]), 1e9, 1);
    EXPECT_NEAR(found.rows[1].bytes[k] / found.rows[0].bytes[k], 20, 1e-6);
  }
}

TEST(EqualError, SaysNothingOutsideWhatWasTried) {
  const std::vector<TrialGroup> groups = {group("a", 100, 1e-3, 1000),   group("a", 200, 1e-5, 2000),
                                          group("b", 100, 2.5e-4, 4000), group("b", 200, 4e-5, 8000),
                                          group("c", 100, 0.5, 10),      group("c", 200, 0.4, 20),
                                          group("exact", 0, 0, 1000000), group("d", 100, 1.5e-4, 10),
                                          group("d", 200, 1.8e-4, 20),   group("d", 300, unmeasured, 30)};
  const EqualErrors found = bytes_at_equal_error(groups, &Trial::reference_bytes);
  ASSERT_EQ(found.errors.size(), 3u) << "2e-4, 1e-4 and 5e-5 are passed by a and b";
  ASSERT_EQ(found.rows.size(), 2u);
  EXPECT_EQ(found.rows[0].method, "a");
  EXPECT_EQ(found.rows[1].method, "b");
  EXPECT_NEAR(found.rows[0].bytes[1], 1000 * std::sqrt(2.0), 1e-6);
  EXPECT_TRUE(bytes_at_equal_error({}, &Trial::bytes).rows.empty());
}

TEST(EqualError, TakesTheFirstPassageOfAnErraticMethod) {
  const std::vector<TrialGroup> groups = {group("a", 100, 1e-2, 1000), group("a", 200, 1e-4, 2000),
                                          group("a", 300, 1e-2, 3000), group("a", 400, 1e-4, 4000),
                                          group("b", 100, 1e-2, 7000), group("b", 200, 1e-4, 8000)};
  const EqualErrors found = bytes_at_equal_error(groups, &Trial::reference_bytes);
  ASSERT_EQ(found.rows.size(), 2u);
  for (const double bytes : found.rows[0].bytes) EXPECT_LE(bytes, 2000 + 1e-6);
}

}  // namespace
}  // namespace geodome::internal
