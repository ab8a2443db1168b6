#ifdef GEODOME_WITH_CHOLMOD

#include <cholmod.h>

#include <algorithm>
#include <memory>
#include <mutex>

#include "geodome/base/blas_memory.h"
#include "geodome/base/error.h"
#include "geodome/base/platform.h"
#include "geodome/base/supernodal_arrays.h"

// The long interface throughout: a biharmonic factor passes 2³¹ entries near two million vertices.

namespace geodome::internal {
namespace {

/// Holds CHOLMOD's own loops to the calling thread: they ask for four more each time, however small the
/// matrix, which is far slower than none where many small matrices are factored side by side.
class WithoutOpenMp {
 public:
  WithoutOpenMp() {
    if (!is_there()) return;
    before_ = openmp().get_max_active_levels();
    openmp().set_max_active_levels(0);
  }
  ~WithoutOpenMp() {
    if (is_there()) openmp().set_max_active_levels(before_);
  }
  WithoutOpenMp(const WithoutOpenMp&) = delete;
  WithoutOpenMp& operator=(const WithoutOpenMp&) = delete;

 private:
  static bool is_there() { return openmp().set_max_active_levels && openmp().get_max_active_levels; }

  int before_ = 1;  ///< a setting of this thread alone
};

class Session {
 public:
  explicit Session(FactorOrdering ordering) {
    cholmod_l_start(&common_);
    common_.supernodal = CHOLMOD_SUPERNODAL;
    common_.print = 0;
    common_.nmethods = 1;
    common_.method[0].ordering = ordering == FactorOrdering::best ? CHOLMOD_METIS : CHOLMOD_AMD;
    common_.postorder = 1;
  }
  ~Session() { cholmod_l_finish(&common_); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  cholmod_common* get() { return &common_; }

 private:
  cholmod_common common_;
};

cholmod_factor* analyse(cholmod_sparse& matrix, Session& session, FactorOrdering ordering) {
  // METIS draws from the random numbers of the C library, which all threads share: side by side with another
  // one, it would find another ordering in every run.
  static std::mutex one_at_a_time;
  std::unique_lock lock(one_at_a_time, std::defer_lock);
  if (ordering == FactorOrdering::best) lock.lock();
  return cholmod_l_analyze(&matrix, session.get());
}

/// The lower triangle with 64-bit indices.
struct LowerTriangle {
  std::vector<std::int64_t> begin, row;
  std::vector<double> value;
};

LowerTriangle lower_triangle(const SparseMatrix& matrix) {
  LowerTriangle lower;
  lower.begin.reserve(matrix.cols() + 1);
  lower.begin.push_back(0);
  lower.row.reserve((matrix.nonZeros() + matrix.cols()) / 2);
  lower.value.reserve((matrix.nonZeros() + matrix.cols()) / 2);
  for (Index column = 0; column < matrix.cols(); ++column) {
    for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry)
      if (entry.row() >= column) {
        lower.row.push_back(entry.row());
        lower.value.push_back(entry.value());
      }
    lower.begin.push_back(static_cast<std::int64_t>(lower.row.size()));
  }
  return lower;
}

template <typename To, typename From>
std::vector<To> copied(const void* from, std::size_t count) {
  const From* begin = static_cast<const From*>(from);
  return std::vector<To>(begin, begin + count);
}

/// From column after column to row after row. Few columns at a time, so that both sides stay in the cache.
void transpose(const double* from, std::int64_t rows, std::int64_t columns, double* to) {
  constexpr std::int64_t some = 8;
  for (std::int64_t first = 0; first < columns; first += some) {
    const std::int64_t last = std::min(first + some, columns);
    for (std::int64_t r = 0; r < rows; ++r)
      for (std::int64_t c = first; c < last; ++c) to[r * columns + c] = from[c * rows + r];
  }
}

}  // namespace

SupernodalArrays factor_supernodal(SparseMatrix matrix, FactorOrdering ordering) {
  static_assert(sizeof(SuiteSparse_long) == sizeof(std::int64_t));
  const Eigen::Index size = matrix.rows();
  if (size == 0) return {{0}, {0}, {}, {}, {}, {}};
  LowerTriangle lower = lower_triangle(matrix);
  matrix = SparseMatrix();
  cholmod_sparse view{};
  view.nrow = view.ncol = static_cast<std::size_t>(size);
  view.nzmax = lower.row.size();
  view.p = lower.begin.data();
  view.i = lower.row.data();
  view.x = lower.value.data();
  view.stype = -1;
  view.itype = CHOLMOD_LONG;
  view.xtype = CHOLMOD_REAL;
  view.dtype = CHOLMOD_DOUBLE;
  view.sorted = 1;
  view.packed = 1;

  const WithoutOpenMp alone;
  const BlasMemory blas;
  Session session(ordering);
  const auto release = [&](cholmod_factor* factor) { cholmod_l_free_factor(&factor, session.get()); };
  const std::unique_ptr<cholmod_factor, decltype(release)> factor(analyse(view, session, ordering), release);
  if (factor) cholmod_l_factorize(&view, factor.get(), session.get());
  const auto status = session.get()->status;
  if (status == CHOLMOD_OUT_OF_MEMORY || status == CHOLMOD_TOO_LARGE)
    throw NumericalError(text("not enough memory to factor a matrix of ", size, " rows"));
  if (!factor) throw NumericalError(text("no ordering was found for a matrix of ", size, " rows"));
  if (factor->minor < factor->n)
    throw NumericalError(text("a matrix of ", size,
                              " rows is not positive definite: its factorisation stops at column ",
                              static_cast<const SuiteSparse_long*>(factor->Perm)[factor->minor]));
  if (status != CHOLMOD_OK)
    throw NumericalError(
        text("the factorisation of a matrix of ", size, " rows failed with status ", status));

  SupernodalArrays arrays;
  arrays.first_column = copied<std::int64_t, SuiteSparse_long>(factor->super, factor->nsuper + 1);
  arrays.row_begin = copied<std::int64_t, SuiteSparse_long>(factor->pi, factor->nsuper + 1);
  arrays.value_begin = copied<std::int64_t, SuiteSparse_long>(factor->px, factor->nsuper);
  arrays.rows = copied<Index, SuiteSparse_long>(factor->s, factor->ssize);
  lower = {};
  arrays.values.resize(factor->xsize);
  // What has been copied is released piece by piece: the factor is by far the largest array of all.
  constexpr std::int64_t released_at_once = std::int64_t{1} << 22;
  auto* const x = static_cast<double*>(factor->x);
  std::int64_t released = 0;
  for (std::size_t node = 0; node < factor->nsuper; ++node) {
    const std::int64_t begin = arrays.value_begin[node];
    if (begin - released >= released_at_once) {
      release_pages(x + released, static_cast<std::size_t>(begin - released) * sizeof(double));
      released = begin;
    }
    transpose(x + begin, arrays.row_begin[node + 1] - arrays.row_begin[node],
              arrays.first_column[node + 1] - arrays.first_column[node], arrays.values.data() + begin);
  }
  arrays.permutation = copied<std::int64_t, SuiteSparse_long>(factor->Perm, factor->n);
  return arrays;
}

}  // namespace geodome::internal

#endif
