#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

#include "geodome/base/atomic_file.h"
#include "geodome/base/error.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/parse/input_file.h"
#include "support/bounds.h"
#include "support/command.h"
#include "support/matrix_input.h"
#include "support/numbers.h"
#include "support/output_check.h"
#include "support/sheet.h"
#include "support/value_input.h"
#include "support/value_output.h"

namespace geodome::cli {

using namespace internal;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* query_explanation =
    R"(Prints distances of pairs of vertices, or the neighbours of vertices, from a
.geodome file; the shape is not needed. Vertices are numbered as in the file of
the shape.

Pairs are passed as arguments or in a file (--pairs: text with two numbers per
line, or NPY). With --nearest or --radius, the neighbours of every vertex are
printed instead. Output lines are FROM,TO,DISTANCE.

Distances are not negative. Those of sbha, bha and cell are not smaller than the
Euclidean distance, if the file contains the shape and they were computed on it.
The distance of a vertex to itself is 0, and that of vertices in different
connected components is infinite (null in JSON).

Files of sbha, bha and cell: distances below 1.3 landmark spacings are exact.
They are computed on the shape in the file (--near exact) and blended with the
product P W P' up to 1.5 spacings. --near blend estimates them from P and W, as
is done if the file does not contain the shape. --raw returns the product P W P'
without near-field correction: it is linear and smooth, but too large for
vertices closer than the landmark spacing. Files of ctg and spectrometer have no
such product: their distances are those of the method, and neighbours are found
by computing whole rows.

--bounds also prints an interval for each pair that contains the distance on the
shape: FROM,TO,DISTANCE,LOWER,UPPER. It is certain if the distances between
landmarks are exact ("bounds" in JSON is then "certain"), and otherwise takes
their measured error into account ("statistical"). It requires the shape in the
file, and takes milliseconds per pair.

With --labels, the distances between regions are printed: FROM,TO,MEAN,MINIMUM
over all pairs of vertices, for all pairs of labels. The labels of all vertices
are read from text, NPY or GIFTI (.label.gii); negative numbers, and 0 in GIFTI,
are no region.

Examples:
  geodome query bunny.geodome 17 4032
  geodome query bunny.geodome 17 4032 --bounds --json
  geodome query bunny.geodome --pairs pairs.txt -o distances.csv
  geodome query bunny.geodome 17 --nearest 10
  geodome query bunny.geodome 17 18 --near blend
  geodome query bunny.geodome 17 99 --radius 0.02 --json
  geodome query cortex.geodome --labels parcels.label.gii -o regions.csv)";

struct QueryArguments : CommonOptions {
  std::string file;
  std::vector<std::int64_t> vertices;
  std::string pairs;
  std::string output;
  Index nearest = 0;
  double radius = -1;
  bool bounds = false;
  std::string labels;
  ModeOptions mode;
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

/// Of the command line, and then those of the file.
std::vector<NumberPair> pairs_of(const QueryArguments& options, const Numbering& numbering) {
  const std::vector<std::int64_t>& numbers = options.vertices;
  if (numbers.size() % 2 != 0)
    throw InputError(
        text("expected pairs of vertices, got ", numbers.size(), " vertices: the last one has no partner"));
  std::vector<NumberPair> pairs;
  for (std::size_t k = 0; k < numbers.size(); k += 2) pairs.push_back({numbers[k], numbers[k + 1]});
  if (!options.pairs.empty()) {
    const std::vector<NumberPair> more = read_pairs(options.pairs);
    for (std::size_t k = 0; k < more.size(); ++k) try {
        for (const std::int64_t number : more[k]) static_cast<void>(numbering.vertex(number));
      } catch (const InputError& error) {
        throw InputError(text("'", options.pairs, "', pair ", k + 1, ": ", error.what()));
      }
    pairs.insert(pairs.end(), more.begin(), more.end());
  }
  if (pairs.empty())
    throw InputError("no vertices: pass pairs of them, or --pairs, --nearest, --radius or --labels");
  return pairs;
}

void answer_pairs(const QueryArguments& options, const MatrixInput& input) {
  const std::vector<NumberPair> pairs = pairs_of(options, input.numbering);
  std::vector<Index> I, J;
  for (const auto& [i, j] : pairs) {
    I.push_back(input.numbering.vertex(i));
    J.push_back(input.numbering.vertex(j));
  }
  const Distances matrix = in_mode(input, options.mode, options.quiet);
  const Vector distances = matrix.distances(I, J, make_execution(options));
  const Intervals bounds = options.bounds ? matrix.bounds(I, J, make_execution(options)) : Intervals();
  Json facts;
  facts["pairs"] = I.size();
  facts["form"] = mode_name(matrix);
  facts["distances"] = Json::array();
  if (options.bounds) {
    facts["bounds"] = matrix.certain_bounds() ? "certain" : "statistical";
    facts["lower"] = Json::array();
    facts["upper"] = Json::array();
  }
  std::string lines;
  for (std::size_t k = 0; k < I.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(k);
    lines += text(pairs[k][0], ',', pairs[k][1], ',', exact_digits(distances[at]));
    if (options.bounds) lines += text(',', exact_digits(bounds.low[at]), ',', exact_digits(bounds.high[at]));
    lines += '\n';
    if (!options.json) continue;
    facts["distances"].push_back(finite_or_null(distances[at]));
    if (!options.bounds) continue;
    facts["lower"].push_back(finite_or_null(bounds.low[at]));
    facts["upper"].push_back(finite_or_null(bounds.high[at]));
  }
  if (options.bounds && !options.json && !options.quiet && !matrix.certain_bounds())
    std::cerr << "note: the distances between landmarks are not exact, so the intervals are statistical\n";
  const char* header = options.bounds ? "from,to,distance,lower,upper\n" : "from,to,distance\n";
  if (!options.json || !options.output.empty()) put(options.output, header, lines);
  if (options.json) print_json(facts);
}

void answer_neighbours(const QueryArguments& options, const MatrixInput& input) {
  const Distances distances = in_mode(input, options.mode, options.quiet);
  Json facts;
  facts["form"] = mode_name(distances);
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

/// Regions in the order of the labels in the file, which become `names`.
std::vector<Index> read_labels(const QueryArguments& options, const MatrixInput& input,
                               std::vector<std::int64_t>& names) {
  const bool gifti = recognise_gifti(load_file(options.labels)) == Match::certain;
  std::vector<std::string> columns;
  const RowMatrix<double> values =
      read_values(options.labels, input.numbering, input.distances.size(), columns);
  if (values.cols() != 1)
    throw InputError(
        text("'", options.labels, "' has ", values.cols(), " columns: expected one label per vertex"));
  std::vector<Index> label;
  const auto is_region = [&](double value) { return value > 0 || (value == 0 && !gifti); };
  for (const double value : values.reshaped()) {
    if (!std::isnan(value) && !is_exact_integer(value))
      throw InputError(text("'", options.labels, "': ", value, " is not a label: expected integers"));
    if (is_region(value)) names.push_back(static_cast<std::int64_t>(value));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const double value : values.reshaped())
    label.push_back(is_region(value) ? static_cast<Index>(std::lower_bound(names.begin(), names.end(),
                                                                           static_cast<std::int64_t>(value)) -
                                                          names.begin())
                                     : -1);
  return label;
}

void answer_regions(const QueryArguments& options, const MatrixInput& input) {
  const Execution execution = make_execution(options);
  const Distances distances = in_mode(input, options.mode, options.quiet);
  std::vector<std::int64_t> names;
  const std::vector<Index> label = read_labels(options, input, names);
  std::vector<char> border;
  if (const auto shape = distances.shape())
    border = region_borders(*shape, label, distances.path_options(), execution);
  const RegionDistances found =
      region_distances(distances.matrix(), distances.queries(), label, {}, border, execution);
  Json facts;
  facts["form"] = mode_name(distances);
  facts["labels"] = names;
  facts["mean"] = facts["minimum"] = Json::array();
  std::string lines;
  for (std::size_t r = 0; r < names.size(); ++r) {
    Json means = Json::array(), least = Json::array();
    for (std::size_t s = 0; s < names.size(); ++s) {
      const double mean = found.mean(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(s));
      const double minimum = found.minimum(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(s));
      means.push_back(finite_or_null(mean));
      least.push_back(finite_or_null(minimum));
      lines += text(names[r], ',', names[s], ',', exact_digits(mean), ',', exact_digits(minimum), '\n');
    }
    facts["mean"].push_back(means);
    facts["minimum"].push_back(least);
  }
  if (!options.json || !options.output.empty()) put(options.output, "from,to,mean,minimum\n", lines);
  if (options.json) print_json(facts);
}

void run(const QueryArguments& options) {
  const bool neighbours = options.nearest > 0 || options.radius >= 0;
  if (options.nearest > 0 && options.radius >= 0)
    throw InputError("--nearest and --radius cannot be combined");
  if (neighbours && (!options.pairs.empty() || options.vertices.empty()))
    throw InputError("--nearest and --radius require vertices as arguments and do not accept --pairs");
  if (neighbours && options.bounds)
    throw InputError("--bounds applies to pairs: it cannot be combined with --nearest or --radius");
  if (!options.labels.empty() &&
      (neighbours || options.bounds || !options.pairs.empty() || !options.vertices.empty()))
    throw InputError("--labels cannot be combined with vertices, --pairs, --nearest, --radius or --bounds");
  require_output(options.output, {options.file, options.pairs, options.labels});
  if (options.json && is_standard_output(options.output))
    throw InputError("--json and -o cannot both write to standard output: pass a file name with -o");
  const MatrixInput input = open_matrix(options.file);
  if (neighbours) return answer_neighbours(options, input);
  if (!options.labels.empty()) return answer_regions(options, input);
  answer_pairs(options, input);
}

}  // namespace

void add_query_command(CLI::App& app) {
  auto options = std::make_shared<QueryArguments>();
  CLI::App* command = app.add_subcommand("query", "Print distances or neighbours from a .geodome file");
  command->footer(query_explanation);
  command->add_option("FILE", options->file, "The .geodome file")->required();
  command
      ->add_option("VERTICES", options->vertices,
                   "Pairs I J [I J ...]; with --nearest or --radius, single vertices")
      ->check(vertex_number());
  command->add_option("--pairs", options->pairs, "File of pairs (text or NPY)");
  command->add_option("--nearest", options->nearest, "Print this number of nearest vertices of each vertex")
      ->check(whole_number(1));
  command->add_option("--radius", options->radius, "Print all vertices within this distance of each vertex")
      ->check(number_from(0));
  command->add_flag("--bounds", options->bounds,
                    "Also print intervals that contain the distances of the pairs");
  command->add_option("--labels", options->labels,
                      "File of labels (text, NPY or GIFTI): print distances between regions");
  command->add_option("-o,--output", options->output,
                      "Output file (CSV with a line of column names); default: stdout");
  add_mode_options(*command, options->mode);
  add_common_options(*command, *options);
  command->callback([options] { run(*options); });
}

}  // namespace geodome::cli
