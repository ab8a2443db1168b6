#pragma once
/// The layout of --help: at most 80 columns.

#include <CLI/CLI.hpp>
#include <cstddef>
#include <span>
#include <string>

#include "geodome/base/error.h"
#include "geodome/base/names.h"

namespace geodome::cli {

/// The text in lines of at most `width` characters (UTF-8), each but the first indented by `indent` spaces.
/// Line breaks in the text stay; a line that begins with spaces is a list entry, and its continuation is
/// indented two spaces more. No line break leaves a single word in the last line where three fit elsewhere.
std::string wrap(const std::string& text, std::size_t width, std::size_t indent);

/// `what`, and a line for each choice.
template <typename Choice>
std::string describe(std::string what, std::span<const Named<Choice>> choices) {
  for (const Named<Choice>& one : choices) what += internal::text("\n  ", one.name, ": ", one.description);
  return what;
}

/// Wraps the descriptions of options and commands; footers are printed as written.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_footer(const CLI::App* command) const override;
};

}  // namespace geodome::cli
