#include <iostream>
#include <memory>

#include "geodome/base/atomic_file.h"
#include "geodome/base/error.h"
#include "support/bounds.h"
#include "support/command.h"
#include "support/matrix_input.h"
#include "support/numbers.h"
#include "support/output_check.h"
#include "support/sheet.h"

namespace geodome::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* explanation =
    "Answers from the file alone. Vertices come in pairs, on the command line or in a file (--pairs: text "
    "or\n"
    "NPY, two numbers a line); they are numbered as in the shape's file. With --nearest or --radius every\n"
    "vertex named is asked for its neighbours instead.\n"
    "\n"
    "A distance is zero from a vertex to itself, never negative and never less than the straight line; \n"
    "between components it is infinite (null in JSON). --raw gives the bare product P W P' instead, which "
    "is\n"
    "linear and smooth, and too large for vertices closer than the landmarks. A file by ctg or spectrometer "
    "has\n"
    "no such product: its distances are the method's own, and neighbours are found in whole rows.\n"
    "\n"
    "Examples:\n"
    "  geodome query bunny.geodome 17 4032\n"
    "  geodome query bunny.geodome --pairs pairs.txt -o distances.csv\n"
    "  geodome query bunny.geodome 17 --nearest 10\n"
    "  geodome query bunny.geodome 17 99 --radius 0.02 --json";

struct Options : CommonOptions {
  std::string file;
  std::vector<std::int64_t> vertices;
  std::string pairs;
  std::string output;
  Index nearest = 0;
  double radius = -1;
  bool raw = false;
};

/// Writes the lines to the file, or to the terminal where there is none.
void put(const std::string& output, const std::string& header, const std::string& lines) {
  if (output.empty()) {
    std::cout << lines;
    return;
  }
  AtomicFile file(output);
  file.write(header + lines);
  file.commit();
}

void answer_pairs(const Options& options, const MatrixInput& input,
                  const std::vector<std::int64_t>& numbers) {
  if (numbers.empty() || numbers.size() % 2 != 0)
    throw InputError(text("expected an even number of vertices (pairs), got ", numbers.size()));
  std::vector<Index> I, J;
  for (std::size_t k = 0; k < numbers.size(); k += 2) {
    I.push_back(input.numbering.vertex(numbers[k]));
    J.push_back(input.numbering.vertex(numbers[k + 1]));
  }
  const Vector distances = in_mode(input, options.raw).distances(I, J, make_execution(options));
  Json facts;
  facts["pairs"] = I.size();
  facts["form"] = mode_name(input, options.raw);
  facts["distances"] = Json::array();
  std::string lines;
  for (std::size_t k = 0; k < I.size(); ++k) {
    const double distance = distances[static_cast<Eigen::Index>(k)];
    if (options.json) facts["distances"].push_back(finite_or_null(distance));
    if (!options.json || !options.output.empty())
      lines += text(numbers[2 * k], ',', numbers[2 * k + 1], ',', exact_digits(distance), '\n');
  }
  if (!options.json || !options.output.empty()) put(options.output, "from,to,distance\n", lines);
  if (options.json) print_json(facts);
}

void answer_neighbours(const Options& options, const MatrixInput& input) {
  const Distances distances = in_mode(input, options.raw);
  Json facts;
  facts["form"] = mode_name(input, options.raw);
  facts["vertices"] = options.vertices;
  facts["neighbours"] = Json::array();
  facts["distances"] = Json::array();
  std::string lines;
  for (const std::int64_t asked : options.vertices) {
    const Index vertex = input.numbering.vertex(asked);
    const std::vector<Neighbour> found = options.nearest > 0 ? distances.nearest(vertex, options.nearest)
                                                             : distances.within(vertex, options.radius);
    Json who = Json::array(), how_far = Json::array();
    for (const Neighbour& one : found) {
      who.push_back(input.numbering.number(one.vertex));
      how_far.push_back(one.distance);
      lines += text(asked, ',', input.numbering.number(one.vertex), ',', exact_digits(one.distance), '\n');
    }
    facts["neighbours"].push_back(who);
    facts["distances"].push_back(how_far);
  }
  if (!options.json || !options.output.empty()) put(options.output, "from,to,distance\n", lines);
  if (options.json) print_json(facts);
}

void run(const Options& options) {
  const bool neighbours = options.nearest > 0 || options.radius >= 0;
  if (options.nearest > 0 && options.radius >= 0)
    throw InputError("--nearest and --radius cannot be combined");
  if (neighbours && (!options.pairs.empty() || options.vertices.empty()))
    throw InputError("--nearest and --radius require vertices as arguments and do not accept --pairs");
  require_output(options.output, {options.file, options.pairs});
  if (options.json && is_standard_output(options.output))
    throw InputError("--json and -o cannot both write to standard output: name a file with -o");
  const MatrixInput input = open_matrix(options.file);
  if (neighbours) return answer_neighbours(options, input);
  std::vector<std::int64_t> numbers = options.vertices;
  if (!options.pairs.empty())
    for (const std::int64_t one : read_numbers(options.pairs)) numbers.push_back(one);
  answer_pairs(options, input, numbers);
}

}  // namespace

void add_query_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("query", "Ask a .geodome file for distances or neighbours");
  command->footer(explanation);
  command->add_option("FILE", options->file, "The .geodome file")->required();
  command->add_option("VERTICES", options->vertices, "I J [I J …], or vertices whose neighbours are wanted")
      ->check(vertex_number());
  command->add_option("--pairs", options->pairs, "A file of pairs: text or NPY");
  command->add_option("--nearest", options->nearest, "This many nearest vertices of each")
      ->check(whole_number(1));
  command->add_option("--radius", options->radius, "All vertices up to this far from each")
      ->check(number_from(0));
  command->add_option("-o,--output", options->output, "Write from,to,distance as CSV");
  command->add_flag("--raw", options->raw, "The linear form as it is, without mending near distances");
  add_common_options(*command, *options);
  command->callback([options] { run(*options); });
}

}  // namespace geodome::cli
