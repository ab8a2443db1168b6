#pragma once
/// The ranks of an MPI program.

#include <mpi.h>

#include "geodome/base/team.h"

namespace geodome::cluster {

/// The ranks of a communicator. Messages of any size go in pieces that MPI can count.
class MpiTeam final : public internal::Team {
 public:
  explicit MpiTeam(MPI_Comm communicator);

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  bool on_one_machine() const override { return on_one_machine_; }
  void broadcast(std::span<std::byte> bytes, int root) const override;
  std::vector<internal::Bytes> gather(const internal::Bytes& mine) const override;
  std::vector<internal::Bytes> exchange(std::vector<internal::Bytes> to) const override;

  void sum(std::span<double> values) const override;
  std::unique_ptr<internal::SharedFile> open_shared(const std::string& path) const override;
  const internal::SharedEigensolver* eigensolver() const override { return eigensolver_; }
  /// Must outlive it.
  void use(const internal::SharedEigensolver& eigensolver) { eigensolver_ = &eigensolver; }

 private:
  MPI_Comm communicator_;
  int rank_ = 0, size_ = 1;
  bool on_one_machine_ = true;
  const internal::SharedEigensolver* eigensolver_ = nullptr;
};

}  // namespace geodome::cluster
