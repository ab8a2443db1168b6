#pragma once
/// Workspaces that are kept for the next caller: as many as there ever were threads at once.

#include <memory>
#include <mutex>
#include <vector>

namespace geodome {

template <typename Workspace>
class Pool {
 public:
  /// A workspace on loan; it goes back when the loan ends.
  class Lease {
   public:
    Lease(Pool& pool, std::unique_ptr<Workspace> workspace) : pool_(pool), workspace_(std::move(workspace)) {}
    ~Lease() {
      const std::lock_guard lock(pool_.mutex_);
      pool_.idle_.push_back(std::move(workspace_));
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Workspace& operator*() const { return *workspace_; }

   private:
    Pool& pool_;
    std::unique_ptr<Workspace> workspace_;
  };

  /// An idle workspace, or what make() makes: a std::unique_ptr<Workspace>.
  template <typename Make>
  Lease take(const Make& make) {
    std::unique_ptr<Workspace> workspace;
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        workspace = std::move(idle_.back());
        idle_.pop_back();
      }
    }
    return Lease(*this, workspace ? std::move(workspace) : make());
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Workspace>> idle_;
};

}  // namespace geodome
