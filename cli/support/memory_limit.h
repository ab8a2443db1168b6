#pragma once
/// Running under a limit on memory.

#include <string>

namespace geodome::cli {

/// Under a limit on address space or data (ulimit -v, ulimit -d) starts the program anew with OpenBLAS held
/// to one thread. Otherwise each of its threads takes a buffer of 128 MiB when the program is loaded, and one
/// that does not get it never ends, so that the program does not either. Returns where nothing has to be
/// done.
void restart_under_memory_limit(char** arguments);

/// What to say where memory was refused: with the limit, if there is one.
std::string out_of_memory_message();

}  // namespace geodome::cli
