#pragma once
/// Ranks of a team as threads of one process.

#include <array>
#include <condition_variable>
#include <exception>
#include <fstream>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "geodome/base/team.h"

namespace geodome::internal {

/// Where the threads meet. A rank that has failed ends the waiting of all others.
class MeetingPlace {
 public:
  explicit MeetingPlace(int ranks, bool on_one_machine = true)
      : ranks_(ranks),
        on_one_machine_(on_one_machine),
        mail_(static_cast<std::size_t>(ranks), std::vector<Bytes>(ranks)),
        call_(ranks) {}

  struct Ended : std::exception {};

  void wait() {
    std::unique_lock lock(mutex_);
    if (failed_) throw Ended();
    if (++waiting_ == ranks_) {
      waiting_ = 0;
      ++round_;
      changed_.notify_all();
      return;
    }
    const int round = round_;
    changed_.wait(lock, [&] { return round_ != round || failed_; });
    if (round_ == round) throw Ended();
  }
  void fail() {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    changed_.notify_all();
  }
  /// Throws unless all ranks make the same call.
  void agree(int rank, std::string call) {
    call_[static_cast<std::size_t>(rank)] = std::move(call);
    wait();
    for (const std::string& one : call_)
      if (one != call_[0]) throw std::logic_error("ranks call " + call_[0] + " and " + one);
    wait();
  }

  int ranks() const { return ranks_; }
  bool on_one_machine() const { return on_one_machine_; }
  std::vector<std::vector<Bytes>>& mail() { return mail_; }  // from, to

 private:
  int ranks_, waiting_ = 0, round_ = 0;
  bool on_one_machine_;
  bool failed_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::vector<Bytes>> mail_;
  std::vector<std::string> call_;
};

/// Through the file system.
class FileOfThreads final : public SharedFile {
 public:
  FileOfThreads(MeetingPlace& place, const std::string& path)
      : place_(place), file_(path, std::ios::binary | std::ios::in | std::ios::out) {}
  void write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    file_.seekp(static_cast<std::streamoff>(offset));
    file_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!file_) throw std::runtime_error("cannot write at " + std::to_string(offset));
  }
  void finish() override {
    file_.close();
    place_.wait();
  }

 private:
  MeetingPlace& place_;
  std::fstream file_;
};

class TeamOfThreads final : public Team {
 public:
  TeamOfThreads(MeetingPlace& place, int rank) : place_(place), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return place_.ranks(); }
  bool on_one_machine() const override { return place_.on_one_machine(); }
  void broadcast(std::span<std::byte> bytes, int root) const override {
    place_.agree(rank_, "broadcast of " + std::to_string(bytes.size()) + " from " + std::to_string(root));
    Bytes& shared = place_.mail()[static_cast<std::size_t>(root)][static_cast<std::size_t>(root)];
    if (rank_ == root) shared.assign(bytes.begin(), bytes.end());
    place_.wait();
    if (rank_ != root) std::copy(shared.begin(), shared.end(), bytes.begin());
    place_.wait();
  }
  std::vector<Bytes> gather(const Bytes& mine) const override {
    place_.agree(rank_, "gather");
    return swap(std::vector<Bytes>(static_cast<std::size_t>(size()), mine));
  }
  std::vector<Bytes> exchange(std::vector<Bytes> to) const override {
    place_.agree(rank_, "exchange of " + std::to_string(to.size()));
    return swap(std::move(to));
  }
  std::unique_ptr<SharedFile> open_shared(const std::string& path) const override {
    place_.agree(rank_, "open " + path);
    return std::make_unique<FileOfThreads>(place_, path);
  }

 private:
  std::vector<Bytes> swap(std::vector<Bytes> to) const {
    place_.mail()[static_cast<std::size_t>(rank_)] = std::move(to);
    place_.wait();
    std::vector<Bytes> from;
    for (const std::vector<Bytes>& sent : place_.mail())
      from.push_back(sent[static_cast<std::size_t>(rank_)]);
    place_.wait();
    return from;
  }

  MeetingPlace& place_;
  int rank_;
};

/// Calls `work(team)` as every rank of a team, which may claim to be on several machines; throws what the
/// lowest rank that failed by itself has thrown.
template <typename Work>
void as_ranks(int ranks, const Work& work, bool on_one_machine = true) {
  MeetingPlace place(ranks, on_one_machine);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(ranks));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      try {
        work(static_cast<const Team&>(TeamOfThreads(place, rank)));
      } catch (const MeetingPlace::Ended&) {
      } catch (...) {
        failures[static_cast<std::size_t>(rank)] = std::current_exception();
        place.fail();
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace geodome::internal
