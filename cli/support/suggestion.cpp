#include "support/suggestion.h"

#include <algorithm>
#include <utility>

#include "geodome/base/error.h"

namespace geodome::cli {

using namespace internal;

namespace {

/// Insertions, deletions, replacements and exchanges of neighbours that turn one word into the other.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::string suggestion(const std::string& word, const std::vector<std::string>& names) {
  // Of a short word, two letters would be most of it.
  const std::size_t most = std::min<std::size_t>(2, word.size() / 3);
  std::pair<std::size_t, std::size_t> least{most + 1, 0};  // differences, then length
  std::string best;
  for (const std::string& name : names) {
    const std::pair found{name.starts_with(word) ? 0 : edit_distance(word, name), name.size()};
    if (found >= least) continue;
    least = found;
    best = name;
  }
  return best.empty() ? best : text(": did you mean '", best, "'?");
}

std::string unexpected_argument(const CLI::App& command) {
  const std::vector<std::string> arguments = command.remaining();
  if (arguments.empty()) return "unexpected arguments";
  const auto option =
      std::find_if(arguments.begin(), arguments.end(), [](const std::string& one) { return one[0] == '-'; });
  if (option == arguments.end()) return text("unexpected argument '", arguments.front(), "'");
  const std::string name = option->substr(0, option->find('='));
  std::vector<std::string> names;
  for (const CLI::Option* one : command.get_options())
    for (const std::string& known : one->get_lnames()) names.push_back("--" + known);
  return text("unknown option '", name, "'", suggestion(name, names));
}

std::string missing_value(const CLI::ArgumentMismatch& error) {
  const std::string said = error.what();  // "--landmarks: 1 required INT missing"
  const std::size_t end = said.find(": 1 required ");
  return end == std::string::npos ? said : said.substr(0, end) + " requires a value";
}

std::string unknown_command(const CLI::App& program, const std::string& name) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) names.push_back(command->get_name());
  return text("unknown command '", name, "'", suggestion(name, names));
}

}  // namespace geodome::cli
