#pragma once
/// The program that the tests of the command line run: the plain one, or the one under sanitizers.

#include <string>

namespace geodome::testing {

extern const std::string tested_program;

}  // namespace geodome::testing
