#include "cli/tested_program/path.h"

namespace geodome::testing {

const std::string tested_program = GEODOME_PROGRAM;

}  // namespace geodome::testing
