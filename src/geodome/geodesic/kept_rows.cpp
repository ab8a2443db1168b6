#include "geodome/geodesic/kept_rows.h"

#include <algorithm>

namespace geodome::internal {

/// Returns the positions in `sources` of those that are not kept.
std::vector<Index> KeptRows::copy_kept(std::span<const Index> sources,
                                       Eigen::Ref<RowMatrix<double>> out) const {
  const std::scoped_lock lock(mutex_);
  std::vector<Index> missing;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const auto row = static_cast<Eigen::Index>(s);
    const auto kept = rows_.find(sources[s]);
    if (kept == rows_.end())
      missing.push_back(static_cast<Index>(s));
    else
      out.row(row) = Eigen::Map<const Eigen::RowVectorXd>(kept->second.data(), size());
  }
  return missing;
}

void KeptRows::keep(Index source, const double* row) const {
  const std::scoped_lock lock(mutex_);
  const double bytes = 8.0 * static_cast<double>(size()) * static_cast<double>(rows_.size() + 1);
  if (bytes <= static_cast<double>(bound_)) rows_.try_emplace(source, row, row + size());
}

void KeptRows::distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                         const Execution& execution) const {
  const bool fits = out.rows() == static_cast<Eigen::Index>(sources.size()) && out.cols() == size();
  if (!fits) return solver_->distances(sources, out, execution);  // which says what does not fit
  const std::vector<Index> missing = copy_kept(sources, out);
  if (missing.empty()) return;
  if (missing.size() == sources.size()) {
    solver_->distances(sources, out, execution);
    for (std::size_t s = 0; s < sources.size(); ++s)
      keep(sources[s], out.row(static_cast<Eigen::Index>(s)).data());
    return;
  }
  std::vector<Index> wanted;
  for (const Index at : missing) wanted.push_back(sources[static_cast<std::size_t>(at)]);
  RowMatrix<double> rows(static_cast<Eigen::Index>(wanted.size()), size());
  solver_->distances(wanted, rows, execution);
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    out.row(missing[k]) = rows.row(row);
    keep(wanted[k], rows.row(row).data());
  }
}

}  // namespace geodome::internal
