#include "geodome/pipeline/methods.h"

#include <chrono>

#include "geodome/base/error.h"
#include "geodome/matrix/compact.h"
#include "geodome/matrix/dense.h"
#include "geodome/rivals/packed.h"

namespace geodome {
namespace {

constexpr double gigabyte = 1e9;

/// Builds one method: what is shared is charged, what is its own is timed.
class Builder {
 public:
  Builder(PreparedShape& prepared, const MethodOptions& options, const Execution& execution)
      : prepared_(prepared), options_(options), execution_(execution) {}

  MethodMatrix exact();
  MethodMatrix bha();
  MethodMatrix sbha();

 private:
  template <typename Work>
  auto run(const char* stage, Work work) {
    const auto begin = std::chrono::steady_clock::now();
    auto value = work();
    charge(stage, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    return value;
  }
  void charge(const char* stage, double seconds) { result_.seconds.emplace_back(stage, seconds); }

  const MeasuredLandmarks& landmarks() {
    const MeasuredLandmarks& found = prepared_.landmarks(options_.landmarks, options_.precision, execution_);
    result_.landmarks = static_cast<Index>(found.order.vertices.size());
    charge("landmark", found.landmark_seconds);
    charge("geodesic", found.geodesic_seconds);
    return found;
  }
  const Laplacian& laplacian() {
    const Timed<Laplacian>& found = prepared_.laplacian(execution_);
    charge("laplacian", found.seconds);
    return found.value;
  }
  /// Throws InputError when `what`, #V by `columns` numbers in single precision, does not fit.
  void require_memory(const char* what, std::int64_t columns) const {
    const double needed = 4.0 * static_cast<double>(prepared_.size()) * static_cast<double>(columns);
    if (needed > static_cast<double>(options_.memory_bound))
      throw InputError(text(what, " of ", prepared_.size(), " vertices and ", columns, " columns takes ",
                            needed / gigabyte, " GB, above the bound of ",
                            static_cast<double>(options_.memory_bound) / gigabyte,
                            " GB: use fewer landmarks, or sbha, which keeps no such columns"));
  }
  MethodMatrix finish(std::shared_ptr<const DistanceMatrix> matrix, std::int64_t reference_numbers,
                      std::int64_t reference_indices, std::int64_t workspace_numbers) {
    result_.bytes = matrix->bytes();
    result_.matrix = std::move(matrix);
    result_.reference_bytes = 8 * reference_numbers + 4 * reference_indices;
    result_.workspace_bytes = 8 * workspace_numbers;
    return std::move(result_);
  }
  std::int64_t vertices() const { return prepared_.size(); }
  std::int64_t count() const { return result_.landmarks; }
  /// Lanczos iteration keeps twice as many vectors as it looks for, and some.
  std::int64_t lanczos_numbers() const { return vertices() * (2 * options_.dimensions + 6); }

  PreparedShape& prepared_;
  const MethodOptions& options_;
  const Execution& execution_;
  MethodMatrix result_;
};

MethodMatrix Builder::exact() {
  charge("solver", prepared_.solver_seconds());
  std::vector<float> values = run(
      "geodesic", [&] { return packed_distances(prepared_.solver(), options_.memory_bound, execution_); });
  return finish(std::make_shared<PackedMatrix>(prepared_.size(), std::move(values), options_.kind),
                vertices() * vertices(), 0, lanczos_numbers());
}

MethodMatrix Builder::bha() {
  const MeasuredLandmarks& found = landmarks();
  require_memory("bha", count());
  laplacian();
  const Timed<RowMatrix<float>>& P = prepared_.interpolation(found, execution_);
  charge("interpolation", P.seconds);
  auto matrix =
      std::make_shared<DenseMatrix>(make_dense_matrix(found.order, P.value, found.W, options_.kind));
  return finish(std::move(matrix), vertices() * count() + count() * count(), 0, vertices() * count());
}

MethodMatrix Builder::sbha() {
  const MeasuredLandmarks& found = landmarks();
  const Laplacian& operators = laplacian();
  const Interpolation interpolation = run("interpolation", [&] {
    return interpolation_operator(operators, found.order.vertices, found.order.cell, options_.interpolation,
                                  execution_);
  });
  auto matrix = run("pack", [&] {
    return std::make_shared<CompactMatrix>(
        make_compact_matrix(found.order, interpolation.P, found.W, options_.kind));
  });
  const std::int64_t nonzeros = result_.nonzeros = matrix->nonzeros();
  return finish(std::move(matrix), nonzeros + count() * count(), nonzeros, lanczos_numbers());
}

}  // namespace

std::span<const Named<Method>> methods() {
  static constexpr Named<Method> all[] = {
      {Method::exact, "exact", "every distance, one by one: for small shapes"},
      {Method::bha, "bha", "P W Pᵀ with all of P: vertices x landmarks numbers"},
      {Method::sbha, "sbha", "P W Pᵀ with sparse P: small, and as accurate at any size"},
  };
  return all;
}

bool needs_columns(Method method) {
  return method != Method::exact && method != Method::bha && method != Method::sbha && method != Method::smds;
}

bool has_landmarks(Method method) {
  return method != Method::exact;
}

bool has_nonzeros(Method method) {
  return method == Method::sbha || method == Method::hybrid;
}

bool is_embedding(Method method) {
  return method == Method::lmds || method == Method::pivot;
}

double MethodMatrix::total_seconds() const {
  double total = 0;
  for (const auto& [stage, own] : seconds) total += own;
  return total;
}

MethodMatrix build_method(PreparedShape& prepared, const MethodOptions& options, const Execution& execution) {
  if (options.interpolation.nonzeros < 1)
    throw InputError(text(options.interpolation.nonzeros, " nonzeros per row of P: ask for at least 1"));
  Builder builder(prepared, options, execution);
  switch (options.method) {
    case Method::exact:
      return builder.exact();
    case Method::bha:
      return builder.bha();
    case Method::sbha:
      return builder.sbha();
    default:
      throw InputError(text("there is no method number ", static_cast<int>(options.method)));
  }
}

}  // namespace geodome
