#include "command.h"

namespace geodome::cli {

void add_shape_command(CLI::App&) {}

}  // namespace geodome::cli
