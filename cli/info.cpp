#include "command.h"

namespace geodome::cli {

void add_info_command(CLI::App&) {}

}  // namespace geodome::cli
