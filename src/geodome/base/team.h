#pragma once
/// Several processes that compute the same result together (ranks, as MPI calls them). All of them run the
/// same program on the same input; where a stage is shared, each computes a part and all receive the whole.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/base/large_pages.h"
#include "geodome/base/types.h"

namespace geodome::internal {

using Bytes = UntouchedVector<std::byte>;

/// Finds eigenvectors of a symmetric operator whose rows the ranks of a team share.
class SharedEigensolver {
 public:
  /// y = B x, for the rows of this rank.
  using Product = std::function<void(const double* x, double* y)>;

  virtual ~SharedEigensolver() = default;
  /// Vectors of the largest eigenvalues, `count` at most: `rows`, those of this rank, by #vectors. Called by
  /// all ranks; what comes back is not believed, but measured.
  virtual Eigen::MatrixXd largest(std::size_t rows, const Product& product, int count,
                                  double tolerance) const = 0;
};

/// A file that exists, written by all ranks.
class SharedFile {
 public:
  virtual ~SharedFile() = default;
  /// By one rank. Throws WriteError.
  virtual void write_at(std::uint64_t offset, std::span<const std::byte> bytes) = 0;
  /// Called by all ranks: what they wrote is on disk, or WriteError is thrown. Nothing can be written then.
  virtual void finish() = 0;
};

/// Every call is made by all ranks, in the same order, each from one thread at a time. Ranks are of the same
/// kind of machine: numbers are sent as they lie in memory.
class Team {
 public:
  virtual ~Team() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// The bytes of rank `root`, to all; the length is known to all.
  virtual void broadcast(std::span<std::byte> bytes, int root) const = 0;
  /// What every rank brings, to all, by rank.
  virtual std::vector<Bytes> gather(const Bytes& mine) const = 0;
  /// `to[r]` goes to rank r; the result is what arrived, by rank.
  virtual std::vector<Bytes> exchange(std::vector<Bytes> to) const = 0;
  /// The sum over all ranks, the same on all of them; in which order is up to the team.
  virtual void sum(std::span<double> values) const;
  virtual std::unique_ptr<SharedFile> open_shared(const std::string& path) const = 0;
  /// nullptr where there is none: products are shared then, but not vectors.
  virtual const SharedEigensolver* eigensolver() const { return nullptr; }
  /// Whether all ranks see the same memory and files as one process would.
  virtual bool on_one_machine() const = 0;
};

/// The team of an execution, or nullptr where the process works alone.
inline const Team* team_of(const Execution& execution) {
  return execution.team != nullptr && execution.team->size() > 1 ? execution.team : nullptr;
}

/// Numbers, one after the other.
class BytesWriter {
 public:
  template <typename T>
  void put(const T& value) {
    put_all(std::span<const T>(&value, 1));
  }
  /// Without their number.
  template <typename T>
  void put_all(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto some = std::as_bytes(values);
    if (some.empty()) return;
    const std::size_t before = bytes_.size();
    bytes_.resize(before + some.size());
    std::memcpy(bytes_.data() + before, some.data(), some.size());
  }
  template <typename T>
  void put_vector(const std::vector<T>& values) {
    put(values.size());
    put_all(std::span<const T>(values));
  }
  Bytes take() { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

/// Reads them in the same order. The bytes must outlive it.
class BytesReader {
 public:
  explicit BytesReader(std::span<const std::byte> bytes) : bytes_(bytes) {}
  bool empty() const { return bytes_.empty(); }
  template <typename T>
  T get() {
    T value{};
    get_all(std::span<T>(&value, 1));
    return value;
  }
  template <typename T>
  void get_all(std::span<T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    take(std::as_writable_bytes(values));
  }
  template <typename T>
  std::vector<T> get_vector() {
    std::vector<T> values(checked_count(get<std::size_t>(), sizeof(T)));
    get_all(std::span<T>(values));
    return values;
  }

 private:
  void take(std::span<std::byte> out);
  std::size_t checked_count(std::size_t count, std::size_t bytes) const;

  std::span<const std::byte> bytes_;
};

/// Bytes of rank `root`, whose length only that rank knows, to all.
Bytes broadcast(const Team& team, Bytes mine, int root);

/// The same for numbers, in place.
template <typename Vector>
void broadcast_vector(const Team& team, Vector& values, int root) {
  std::size_t size = values.size();
  team.broadcast(std::as_writable_bytes(std::span(&size, 1)), root);
  values.resize(size);
  if (size > 0) team.broadcast(std::as_writable_bytes(std::span(values)), root);
}

/// The same for text.
std::string broadcast(const Team& team, const std::string& mine, int root);

/// Values of all ranks combined element by element, in the order of the ranks: the same on all of them.
template <typename T, typename Combine>
void reduce(const Team& team, std::span<T> values, const Combine& combine) {
  const auto ranks = static_cast<std::size_t>(team.size()), rank = static_cast<std::size_t>(team.rank());
  const auto slice = [&](std::size_t r) {
    const std::size_t begin = values.size() * r / ranks;
    return values.subspan(begin, values.size() * (r + 1) / ranks - begin);
  };
  std::vector<Bytes> to;
  for (std::size_t r = 0; r < ranks; ++r) {
    const auto bytes = std::as_bytes(slice(r));
    to.emplace_back(bytes.begin(), bytes.end());
  }
  const std::vector<Bytes> from = team.exchange(std::move(to));
  const std::span<T> mine = slice(rank);
  std::vector<T> other(mine.size());
  for (std::size_t r = 0; r < ranks; ++r) {
    BytesReader(from[r]).get_all(r == 0 ? mine : std::span<T>(other));
    for (std::size_t k = 0; k < mine.size() && r > 0; ++k) mine[k] = combine(mine[k], other[k]);
  }
  for (std::size_t r = 0; r < ranks; ++r)
    if (!slice(r).empty()) team.broadcast(std::as_writable_bytes(slice(r)), static_cast<int>(r));
}

/// Runs `work` on every rank. A NumericalError on any of them is thrown on all of them, so that they decide
/// alike what to do next; any other exception leaves this rank only, and has to end the program.
void fail_together(const Team& team, const std::function<void()>& work);

/// Throws Error unless `bytes` are the same on all ranks. For what every rank computes by itself: processors
/// of different kinds round differently.
void require_same(const Team& team, std::string_view what, std::span<const std::byte> bytes);

/// What is done with the items of a loop that ranks share.
struct SharedItems {
  /// Which rank an item belongs to; empty: dealt out in turn.
  std::function<int(std::size_t item)> owner{};
  std::function<void(std::size_t item, int thread)> work;
  /// The result of an item, for the other ranks, and on them.
  std::function<void(std::size_t item, BytesWriter& to)> pack;
  std::function<void(std::size_t item, BytesReader& from)> unpack;
};

/// As parallel_for; with a team each rank does some of the items and receives the results of the others, in
/// the order of the ranks. Fails together.
void share_items(std::size_t items, const Execution& execution, std::string_view stage,
                 const SharedItems& shared);

}  // namespace geodome::internal
