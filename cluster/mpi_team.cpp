#include "cluster/mpi_team.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <thread>
#include <utility>

#include "cluster/mpi_file.h"

namespace geodome::cluster {

using namespace internal;

namespace {

/// MPI counts with an int.
constexpr std::size_t most_bytes = std::size_t{1} << 30;

/// Waits without using the processor: another thread of the rank may need it. MPI's own calls keep it busy.
void wait(std::vector<MPI_Request>& requests) {
  constexpr auto longest = std::chrono::microseconds(500);
  auto pause = std::chrono::microseconds(5);
  int done = 0;
  while (true) {
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    if (done != 0) return;
    std::this_thread::sleep_for(pause);
    pause = std::min(longest, 2 * pause);
  }
}

void wait(MPI_Request request) {
  std::vector<MPI_Request> requests{request};
  wait(requests);
}

/// Calls `use` for pieces that are small enough.
template <typename Byte, typename Use>
void in_pieces(std::span<Byte> bytes, const Use& use) {
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), most_bytes));
    use(piece.data(), static_cast<int>(piece.size()));
    bytes = bytes.subspan(piece.size());
  }
}

}  // namespace

MpiTeam::MpiTeam(MPI_Comm communicator) : communicator_(communicator) {
  MPI_Comm_rank(communicator_, &rank_);
  MPI_Comm_size(communicator_, &size_);
  MPI_Comm local = MPI_COMM_NULL;
  int neighbours = 0;
  MPI_Comm_split_type(communicator_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &local);
  MPI_Comm_size(local, &neighbours);
  MPI_Comm_free(&local);
  on_one_machine_ = neighbours == size_;  // on all of them, or on none
}

void MpiTeam::broadcast(std::span<std::byte> bytes, int root) const {
  in_pieces(bytes, [&](std::byte* data, int count) {
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Ibcast(data, count, MPI_BYTE, root, communicator_, &request);
    wait(request);
  });
}

std::vector<Bytes> MpiTeam::gather(const Bytes& mine) const {
  std::uint64_t own = mine.size();
  std::vector<std::uint64_t> sizes(static_cast<std::size_t>(size_));
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgather(&own, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, communicator_, &request);
  wait(request);
  std::vector<Bytes> all;
  for (const std::uint64_t size : sizes) all.emplace_back(size);
  const std::uint64_t total = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  if (total > most_bytes) {
    all[static_cast<std::size_t>(rank_)] = mine;
    for (int root = 0; root < size_; ++root) broadcast(all[static_cast<std::size_t>(root)], root);
    return all;
  }
  std::vector<int> counts(sizes.begin(), sizes.end()), begins(sizes.size(), 0);
  std::partial_sum(counts.begin(), counts.end() - 1, begins.begin() + 1);
  Bytes together(total);
  MPI_Iallgatherv(mine.data(), static_cast<int>(own), MPI_BYTE, together.data(), counts.data(), begins.data(),
                  MPI_BYTE, communicator_, &request);
  wait(request);
  for (std::size_t r = 0; r < all.size(); ++r)
    std::copy_n(together.begin() + begins[r], counts[r], all[r].begin());
  return all;
}

std::vector<Bytes> MpiTeam::exchange(std::vector<Bytes> to) const {
  const auto ranks = static_cast<std::size_t>(size_), own = static_cast<std::size_t>(rank_);
  std::vector<std::uint64_t> sent, received(ranks);
  for (const Bytes& bytes : to) sent.push_back(bytes.size());
  MPI_Request sizes = MPI_REQUEST_NULL;
  MPI_Ialltoall(sent.data(), 1, MPI_UINT64_T, received.data(), 1, MPI_UINT64_T, communicator_, &sizes);
  wait(sizes);
  std::vector<Bytes> from(ranks);
  std::vector<MPI_Request> requests;
  constexpr int tag = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    if (r == own) continue;
    from[r].resize(received[r]);
    in_pieces(std::span(from[r]), [&](std::byte* data, int count) {
      MPI_Irecv(data, count, MPI_BYTE, static_cast<int>(r), tag, communicator_, &requests.emplace_back());
    });
  }
  for (std::size_t step = 1; step < ranks; ++step) {
    const std::size_t r = (own + step) % ranks;  // not all to the same one at once
    in_pieces(std::span<const std::byte>(to[r]), [&](const std::byte* data, int count) {
      MPI_Isend(data, count, MPI_BYTE, static_cast<int>(r), tag, communicator_, &requests.emplace_back());
    });
  }
  from[own] = std::move(to[own]);
  wait(requests);
  return from;
}

std::unique_ptr<SharedFile> MpiTeam::open_shared(const std::string& path) const {
  return std::make_unique<MpiFile>(communicator_, path);
}

void MpiTeam::sum(std::span<double> values) const {
  constexpr std::size_t most_numbers = most_bytes / sizeof(double);
  while (!values.empty()) {
    const auto some = values.first(std::min(values.size(), most_numbers));
    MPI_Allreduce(MPI_IN_PLACE, some.data(), static_cast<int>(some.size()), MPI_DOUBLE, MPI_SUM,
                  communicator_);
    values = values.subspan(some.size());
  }
}

}  // namespace geodome::cluster
