#include <algorithm>
#include <cmath>
#include <numeric>

#include "geodome/base/atomic_file.h"
#include "geodome/base/error.h"
#include "geodome/base/threads.h"
#include "geodome/export/export.h"
#include "geodome/export/export_folder.h"
#include "geodome/export/export_rows.h"
#include "geodome/shape/io/npy.h"

namespace geodome::internal {
namespace {

/// Vertices that are part of something, in order.
std::vector<Index> referenced(std::span<const Index> component) {
  std::vector<Index> kept;
  for (std::size_t v = 0; v < component.size(); ++v)
    if (component[v] >= 0) kept.push_back(static_cast<Index>(v));
  return kept;
}

Index row_length(std::int64_t size, const BrainsmashOptions& options) {
  if (options.neighbours < 0)
    throw InputError(text("the number of neighbours must not be negative, got ", options.neighbours));
  const auto all = static_cast<Index>(size);
  return options.neighbours == 0 ? all
                                 : static_cast<Index>(std::min<std::int64_t>(all, options.neighbours + 1LL));
}

void write_mask(const std::string& path, std::span<const Index> component) {
  AtomicFile file(path);
  for (const Index c : component) file.write(c < 0 ? "1\n" : "0\n");
  file.commit();
}

struct Sorted {
  RowMatrix<float> distances;
  RowMatrix<std::int32_t> index;
};

/// The nearest of each row, itself first: of those equally near, the smaller number first.
Sorted sort_rows(std::span<const Index> vertices, const RowMatrix<double>& rows, std::span<const Index> kept,
                 Index length, const Execution& execution) {
  Sorted sorted{RowMatrix<float>(rows.rows(), length), RowMatrix<std::int32_t>(rows.rows(), length)};
  parallel_for(vertices.size(), execution, {}, [&](std::size_t r, int) {
    const auto row = static_cast<Eigen::Index>(r);
    std::vector<std::pair<float, std::int32_t>> all(kept.size());
    for (std::size_t k = 0; k < kept.size(); ++k)
      all[k] = {kept[k] == vertices[r] ? -1.0F : static_cast<float>(rows(row, kept[k])),
                static_cast<std::int32_t>(k)};
    std::partial_sort(all.begin(), all.begin() + length, all.end());
    all.front().first = 0;
    if (!std::isfinite(all[static_cast<std::size_t>(length) - 1].first)) {
      const auto reached =
          std::count_if(all.begin(), all.end(), [](const auto& one) { return std::isfinite(one.first); });
      throw InputError(text("vertex ", vertices[r], " is connected to only ", reached - 1,
                            " other vertices, but ", length - 1,
                            " neighbours were requested: use fewer, or export one component"));
    }
    for (Index k = 0; k < length; ++k) std::tie(sorted.distances(row, k), sorted.index(row, k)) = all[k];
  });
  return sorted;
}

}  // namespace

std::int64_t brainsmash_bytes(std::int64_t size, const BrainsmashOptions& options) {
  return size * row_length(size, options) * static_cast<std::int64_t>(sizeof(float) + sizeof(std::int32_t));
}

std::vector<std::string> export_brainsmash(const DistanceMatrix& distances, const std::string& folder,
                                           const BrainsmashOptions& options, const Execution& execution) {
  const std::vector<Index> component = distances.component_labels(execution);
  const std::vector<Index> kept = referenced(component);
  const auto count = static_cast<std::int64_t>(kept.size());
  const Index length = row_length(count, options);
  const bool masked = count < distances.size();
  std::vector<std::string> names{"distmat.npy", "index.npy"};
  if (masked) names.emplace_back("mask.txt");
  const std::vector<std::string> paths = files_in_folder(folder, names);
  NpyWriter<float> sorted_distances(paths[0], count, length);
  NpyWriter<std::int32_t> index(paths[1], count, length);
  for_each_row_block(distances, kept, execution,
                     [&](std::span<const Index> some, const RowMatrix<double>& rows) {
                       const Sorted sorted = sort_rows(some, rows, kept, length, execution);
                       sorted_distances.append(sorted.distances);
                       index.append(sorted.index);
                     });
  sorted_distances.commit();
  index.commit();
  if (masked) write_mask(paths[2], component);
  return paths;
}

}  // namespace geodome::internal
