#pragma once
/// A file that the ranks of an MPI program write together.

#include <mpi.h>

#include <string>

#include "geodome/base/team.h"

namespace geodome::cluster {

/// Through MPI-IO, which file systems of clusters know how to serve. Opened by all ranks.
class MpiFile final : public internal::SharedFile {
 public:
  /// The file must exist. Throws FileError.
  MpiFile(MPI_Comm communicator, const std::string& path);
  ~MpiFile() override;
  MpiFile(const MpiFile&) = delete;
  MpiFile& operator=(const MpiFile&) = delete;

  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override;
  void finish() override;

 private:
  void require(int code) const;

  std::string path_;
  MPI_File file_ = MPI_FILE_NULL;
};

}  // namespace geodome::cluster
