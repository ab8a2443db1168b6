#include "cluster/mpi_file.h"

#include <algorithm>

#include "geodome/base/atomic_file.h"
#include "geodome/base/error.h"

namespace geodome::cluster {

using namespace internal;

namespace {

/// MPI counts with an int.
constexpr std::size_t most_bytes_at_once = std::size_t{1} << 30;

std::string reason(int code) {
  char words[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, words, &length);
  return {words, static_cast<std::size_t>(length)};
}

}  // namespace

MpiFile::MpiFile(MPI_Comm communicator, const std::string& path) : path_(path) {
  if (const int code = MPI_File_open(communicator, path.c_str(), MPI_MODE_WRONLY, MPI_INFO_NULL, &file_);
      code != MPI_SUCCESS)
    throw FileError(text("cannot open '", path, "' on all ranks: ", reason(code),
                         "; the output must be on a file system that all of them see"));
}

MpiFile::~MpiFile() {
  // Closing is done by all ranks together: one that failed cannot, and is about to end them all.
}

void MpiFile::require(int code) const {
  if (code != MPI_SUCCESS) throw WriteError(text("cannot write '", path_, "': ", reason(code)));
}

void MpiFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), most_bytes_at_once));
    MPI_Status status;
    require(MPI_File_write_at(file_, static_cast<MPI_Offset>(offset), piece.data(),
                              static_cast<int>(piece.size()), MPI_BYTE, &status));
    int written = 0;
    MPI_Get_count(&status, MPI_BYTE, &written);
    if (written <= 0)
      throw WriteError(text("cannot write '", path_, "': no space left or a limit on file sizes"));
    offset += static_cast<std::uint64_t>(written);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void MpiFile::finish() {
  require(MPI_File_sync(file_));
  require(MPI_File_close(&file_));
}

}  // namespace geodome::cluster
