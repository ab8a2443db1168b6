#include "command.h"

namespace geodome::cli {

void add_resample_command(CLI::App&) {}

}  // namespace geodome::cli
