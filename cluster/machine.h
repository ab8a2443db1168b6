#pragma once
/// The ranks that run on the same machine.

#include <mpi.h>

#include <atomic>

namespace geodome::cluster {

/// Made and ended by all ranks of the communicator together.
class Machine {
 public:
  explicit Machine(MPI_Comm communicator);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  int ranks() const { return ranks_; }
  bool has_rank_0() const { return has_rank_0_; }
  /// True for one of the ranks of this machine, the first to ask. Does not wait for others.
  bool is_first_to_fail() const { return failed_->fetch_add(1) == 0; }

 private:
  using Counter = std::atomic<int>;
  static_assert(Counter::is_always_lock_free, "it is shared by processes");

  MPI_Comm local_ = MPI_COMM_NULL;
  MPI_Win window_ = MPI_WIN_NULL;
  int ranks_ = 1;
  bool has_rank_0_ = false;
  Counter* failed_ = nullptr;  ///< in memory that these ranks share
};

}  // namespace geodome::cluster
