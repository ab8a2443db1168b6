#pragma once
/// The processes that a command runs on: one, or with geodome-mpi several. All run the same command; the
/// first one prints and writes files.

#include <functional>
#include <string>

#include "geodome/base/team.h"

namespace geodome::cli {

struct Ranks {
  const internal::Team* team = nullptr;  ///< null: one process
  int on_machine = 1;                    ///< ranks that share the memory of this machine
  int threads = 0;                       ///< of each, unless --threads says otherwise; 0: all cores
};

/// Of this program; one process unless `set_ranks` was called, once, before the command runs.
const Ranks& ranks();
void set_ranks(const Ranks& all);

/// Whether this process prints and writes files.
bool is_first_rank();

/// Calls `write` on the first rank; the others wait until it is done.
void write_once(const std::function<void()>& write);

/// What the first rank finds, for all: other ranks may see files that it is just writing.
std::string found_once(const std::function<std::string()>& find);

}  // namespace geodome::cli
