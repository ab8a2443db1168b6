#include "geodome/geodesic/kept_rows.h"

#include <gtest/gtest.h>

#include "geodome/base/error.h"
#include "geodome/geodesic/exact/exact.h"
#include "geodome/geodesic/factory.h"
#include "geodome/shape/builtin/builtin.h"

namespace geodome::internal {
namespace {

/// Counts the rows that are measured.
class CountedRows final : public GeodesicSolver {
 public:
  explicit CountedRows(const Shape& shape) : solver_(make_solver(shape, {.method = GeodesicMethod::exact})) {}
  Index size() const override { return solver_->size(); }
  void distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                 const Execution& execution) const override {
    solver_->distances(sources, out, execution);
    measured += sources.size();
  }
  mutable std::size_t measured = 0;

 private:
  std::unique_ptr<GeodesicSolver> solver_;
};

RowMatrix<double> measure(const GeodesicSolver& solver, const std::vector<Index>& sources) {
  RowMatrix<double> rows(static_cast<Eigen::Index>(sources.size()), solver.size());
  solver.distances(sources, rows);
  return rows;
}

TEST(KeptRows, MeasuresEachRowOnce) {
  const auto counted = std::make_shared<CountedRows>(make_torus(12, 8));
  const KeptRows kept(counted, std::int64_t{1} << 20);
  const std::vector<Index> first{3, 70, 11}, second{11, 40, 3, 95};
  EXPECT_EQ(measure(kept, first), measure(*counted, first));
  EXPECT_EQ(measure(kept, second), measure(*counted, second));
  counted->measured = 0;
  measure(kept, {70, 95, 40, 11, 3});
  EXPECT_EQ(counted->measured, 0u);
  measure(kept, {70, 1, 40, 2});
  EXPECT_EQ(counted->measured, 2u);
}

TEST(KeptRows, MeasuresAgainWhatDoesNotFit) {
  const auto counted = std::make_shared<CountedRows>(make_torus(12, 8));
  const KeptRows kept(counted, 2 * 8 * 96 + 8);  // two rows
  const std::vector<Index> sources{3, 70, 11, 40};
  const RowMatrix<double> expected = measure(kept, sources);
  counted->measured = 0;
  EXPECT_EQ(measure(kept, sources), expected);
  EXPECT_EQ(counted->measured, 2u);
}

TEST(KeptRows, RefusesWhatTheSolverRefuses) {
  const auto counted = std::make_shared<CountedRows>(make_torus(12, 8));
  const KeptRows kept(counted, std::int64_t{1} << 20);
  EXPECT_THROW(measure(kept, {96}), InputError);
  EXPECT_THROW(measure(kept, {-1}), InputError);
  RowMatrix<double> narrow(1, 5);
  const Index source = 0;
  EXPECT_THROW(kept.distances(std::span(&source, 1), narrow), InputError);
}

}  // namespace
}  // namespace geodome::internal
