#pragma once
/// Workspaces that a const solver lends to the threads that use it, and takes back for the next call.

#include <exception>
#include <memory>
#include <mutex>
#include <vector>

namespace geodome::internal {

/// There are never more workspaces than calls that ran at the same time.
template <typename Workspace>
class WorkspacePool {
 public:
  class Lease {
   public:
    Lease(const WorkspacePool& pool, std::unique_ptr<Workspace> workspace)
        : pool_(pool), workspace_(std::move(workspace)) {}
    /// One whose work ended with an exception may be in any state, and is not used again.
    ~Lease() {
      if (std::uncaught_exceptions() > exceptions_) return;
      const std::lock_guard lock(pool_.mutex_);
      pool_.idle_.push_back(std::move(workspace_));
    }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Workspace* operator->() { return workspace_.get(); }
    Workspace& operator*() { return *workspace_; }

   private:
    const WorkspacePool& pool_;
    std::unique_ptr<Workspace> workspace_;
    const int exceptions_ = std::uncaught_exceptions();
  };

  /// An idle workspace, or a new one made from `arguments`.
  template <typename... Arguments>
  Lease borrow(const Arguments&... arguments) const {
    std::unique_ptr<Workspace> workspace;
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        workspace = std::move(idle_.back());
        idle_.pop_back();
      }
    }
    if (!workspace) workspace = std::make_unique<Workspace>(arguments...);
    return Lease(*this, std::move(workspace));
  }

 private:
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<Workspace>> idle_;
};

}  // namespace geodome::internal
