#include "support/help_format.h"

#include <algorithm>
#include <sstream>
#include <vector>

namespace geodome::cli {
namespace {

constexpr std::size_t help_columns = 80;
constexpr std::size_t option_columns = 28;   ///< names of options
constexpr std::size_t command_columns = 13;  ///< names of commands

/// Characters, not bytes: continuation bytes of UTF-8 are not counted.
std::size_t length(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xC0u) != 0x80u; }));
}

using Words = std::vector<std::string>;

std::size_t length(const Words& line) {
  std::size_t all = line.empty() ? 0 : line.size() - 1;
  for (const std::string& word : line) all += length(word);
  return all;
}

/// The words of one paragraph in lines; the first may be `first` wide, the others `rest`.
std::vector<Words> fill(const std::string& paragraph, std::size_t first, std::size_t rest) {
  std::vector<Words> lines(1);
  std::istringstream words(paragraph);
  for (std::string word; words >> word;) {
    const std::size_t width = lines.size() == 1 ? first : rest;
    if (!lines.back().empty() && length(lines.back()) + 1 + length(word) > width) lines.emplace_back();
    lines.back().push_back(word);
  }
  if (lines.size() < 2 || lines.back().size() > 1) return lines;
  Words& before = lines[lines.size() - 2];
  if (before.size() < 3 || length(before.back()) + 1 + length(lines.back()) > rest) return lines;
  lines.back().insert(lines.back().begin(), before.back());
  before.pop_back();
  return lines;
}

std::string row(const std::string& name, const std::string& description, std::size_t column) {
  std::string line = "  " + name;
  if (description.empty()) return line + "\n";
  if (length(line) + 1 > column)
    line += "\n" + std::string(column, ' ');
  else
    line.append(column - length(line), ' ');
  return line + wrap(description, help_columns - column, column) + "\n";
}

}  // namespace

std::string wrap(const std::string& text, std::size_t width, std::size_t indent) {
  std::string result;
  std::istringstream paragraphs(text);
  for (std::string paragraph; std::getline(paragraphs, paragraph);) {
    const std::size_t begin = std::min(paragraph.find_first_not_of(' '), paragraph.size());
    const std::size_t hanging = begin == 0 ? 0 : begin + 2;
    const std::vector<Words> lines = fill(paragraph, width - begin, width - hanging);
    for (std::size_t k = 0; k < lines.size(); ++k) {
      if (!result.empty()) result += "\n" + std::string(indent, ' ');
      result.append(k == 0 ? begin : hanging, ' ');
      for (std::size_t w = 0; w < lines[k].size(); ++w) result += (w > 0 ? " " : "") + lines[k][w];
    }
  }
  return result;
}

HelpFormatter::HelpFormatter() {
  column_width(option_columns);
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
  return row(make_option_name(option, is_positional) + make_option_opts(option), make_option_desc(option),
             option_columns);
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
  return row(command->get_display_name(true), command->get_description(), command_columns);
}

std::string HelpFormatter::make_footer(const CLI::App* command) const {
  const std::string footer = command->get_footer();
  return footer.empty() ? footer : footer + "\n";
}

}  // namespace geodome::cli
