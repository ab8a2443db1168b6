#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>

#include "geodome/base/atomic_file.h"
#include "geodome/base/error.h"
#include "geodome/base/stopwatch.h"
#include "geodome/shape/io/npy.h"
#include "support/bounds.h"
#include "support/browser.h"
#include "support/command.h"
#include "support/guard.h"
#include "support/output_check.h"
#include "support/page_server.h"
#include "support/sheet.h"
#include "support/view_page.h"

namespace geodome::cli {

using namespace internal;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* view_explanation =
    R"(Writes an interactive HTML page that shows the shape, the distances from any
point of it, and the canonical form. The page contains the whole matrix and
makes no network requests; it can be opened from the disk, sent or published. It
requires a browser of 2023 or later with WebGL 2. Click a point for the
distances from it, and a second point for the distance between the two; press
'?' in the page for help. The files must contain factors P W P' (methods cell,
sbha and bha); files of ctg and spectrometer are not supported. Pages of cell
are the smallest.

Several files are shown side by side with a common selected point. Points are
matched by vertex number if the faces are the same, otherwise by the canonical
forms if these are similar.

Without --output, the page is served on this machine only, at the address that
is printed, until Ctrl-C is pressed. On a terminal with a display it is opened
in the browser, unless --no-open is set.

Examples:
  geodome build cat.ply -o cat.geodome --evaluate 50 --json > cat.json
  geodome view cat.geodome --output cat.html --summary cat.json --unit mm
  geodome view pose0.geodome pose1.geodome
  geodome view dragon.geodome --draw 50000 --output dragon.html)";

struct ViewArguments : CommonOptions {
  std::vector<std::string> files;
  std::string output;
  std::vector<std::string> summaries;
  std::vector<std::string> forms;
  std::string unit;
  Index draw = 150000;
  Index error_rows = -1;
  std::uint16_t port = 0;
  bool no_open = false;
  bool yes = false;
};

nlohmann::json read_summary(const std::string& path, const MatrixInput& input) {
  std::ifstream file(path);
  if (!file) throw FileError(text("cannot open '", path, "'"));
  auto summary = nlohmann::json::parse(file, nullptr, false);
  const auto total = nlohmann::json::json_pointer("/seconds/total");
  if (!summary.is_object() || !summary.contains(total) || !summary[total].is_number())
    throw FileError(
        text("'", path, "' is not output of 'geodome build --json': the key seconds.total is missing"));
  const std::int64_t vertices = summary.value("vertices", std::int64_t{-1});
  if (vertices != input.distances.size())
    throw InputError(text("'", path, "' is the summary of ", vertices, " vertices, but '", input.path,
                          "' has ", input.distances.size(),
                          ": pass one --summary for each file, in the same order"));
  return summary;
}

RowMatrix<double> read_form(const std::string& path, const MatrixInput& input) {
  const RowMatrix<double> given = read_npy_matrix(path);
  if (given.rows() != input.distances.size() || given.cols() < 1 || !given.allFinite())
    throw InputError(text("'", path, "' is not a canonical form of '", input.path, "': expected ",
                          input.distances.size(), " rows of finite coordinates, got an array of ",
                          given.rows(), " x ", given.cols()));
  RowMatrix<double> form = RowMatrix<double>::Zero(given.rows(), 3);
  const Eigen::Index axes = std::min<Eigen::Index>(3, given.cols());
  form.leftCols(axes) = given.leftCols(axes);
  return form;
}

/// How many rows to measure again: where the file tells its error, enough to see where on the shape it is.
Index error_rows(const ViewArguments& options, const MatrixInput& input) {
  constexpr Index enough = 24;
  const bool possible = input.distances.has_shape() && input.distances.geodesic() != "given";
  if (options.error_rows >= 0) return possible ? options.error_rows : 0;
  const auto recipe = nlohmann::json::parse(input.distances.recipe(), nullptr, false);
  if (!possible || !recipe.is_object()) return 0;
  return std::clamp<Index>(recipe.value("/measured_error/rows"_json_pointer, Index{0}), 0, enough);
}

ViewShape load(const ViewArguments& options, std::size_t k, const Execution& execution) {
  const std::string& path = options.files[k];
  ViewShape shape(std::filesystem::path(path).stem().string(), open_matrix(path));
  require_factors(shape.input, "'view'");
  const Index vertices = shape.input.distances.size();
  if (vertices == 0) throw InputError(text("'", path, "' has no vertices"));
  shape.form = k < options.forms.size() ? read_form(options.forms[k], shape.input)
                                        : canonical_form(shape.input, options.seed, execution);
  shape.drawing = make_drawing(shape.input.distances.shape().get(), vertices, options.draw, execution);
  shape.error_rows = std::min(vertices, error_rows(options, shape.input));
  if (shape.error_rows > 0)
    shape.error = vertex_errors(shape.input, shape.error_rows, options.seed, execution);
  return shape;
}

Json page_facts(const ViewPage& page) {
  Json facts;
  for (const ViewShape& shape : page.shapes) {
    const Index vertices = shape.input.distances.size();
    const auto drawn = static_cast<Index>(shape.drawing.origin.size());
    facts["shapes"].push_back({{"name", shape.name},
                               {"vertices", vertices},
                               {"drawn", drawn > 0 ? drawn : vertices},
                               {"corresponds", shape.corresponds},
                               {"error_rows", shape.error_rows}});
  }
  return facts;
}

void serve(const ViewArguments& options, const ViewPage& page, Json facts, const Execution& execution) {
  std::string whole;
  write_page(
      page, [&](std::string_view part) { whole += part; }, execution);
  const PageServer server(std::move(whole), options.port);
  facts["url"] = server.url();
  if (options.json)
    print_json(facts);
  else
    std::cout << "open " << server.url() << " in a browser on this machine; press Ctrl-C to stop\n";
  std::cout.flush();
  if (!options.no_open && !options.json && has_browser()) open_browser(server.url());
  CommonOptions quiet = options;
  quiet.quiet = true;
  const Execution waiting = make_execution(quiet);
  server.run([&] { return waiting.progress("serving", 0); });
  throw Cancelled();
}

void run(const ViewArguments& options) {
  const Stopwatch clock;
  if (options.summaries.size() > options.files.size() || options.forms.size() > options.files.size())
    throw InputError(text("expected at most one --summary and one --form per file (", options.files.size(),
                          "), got ", options.summaries.size(), " and ", options.forms.size()));
  std::vector<std::string> inputs = options.files;
  inputs.insert(inputs.end(), options.summaries.begin(), options.summaries.end());
  inputs.insert(inputs.end(), options.forms.begin(), options.forms.end());
  require_output(options.output, inputs);
  refuse_other_extension(options.output, {"html", "htm"}, "an HTML page");
  if (options.json && is_standard_output(options.output))
    throw InputError("--json and -o cannot both write to standard output: pass a file name with -o");
  const Execution execution = make_execution(options);
  ViewPage page;
  page.unit = options.unit;
  for (std::size_t k = 0; k < options.files.size(); ++k) {
    page.shapes.push_back(load(options, k, execution));
    page.summaries.push_back(k < options.summaries.size()
                                 ? read_summary(options.summaries[k], page.shapes[k].input)
                                 : nlohmann::json());
  }
  align_forms(page.shapes);
  Json facts = page_facts(page);
  require_consent("the page", page_bytes_bound(page), options.yes,
                  options.output.empty() ? "." : options.output);
  if (options.output.empty()) return serve(options, page, std::move(facts), execution);

  AtomicFile file(options.output);
  std::int64_t bytes = 0;
  write_page(
      page,
      [&](std::string_view part) {
        file.write(part);
        bytes += static_cast<std::int64_t>(part.size());
      },
      execution);
  file.commit();
  facts["file"] = options.output;
  facts["file_bytes"] = bytes;
  facts["seconds"] = clock.seconds();
  if (options.json) return print_json(facts);
  if (options.quiet || is_standard_output(options.output)) return;
  for (const Json& shape : facts["shapes"])
    if (shape["drawn"] < shape["vertices"])
      std::cout << shape["name"].get<std::string>() << ": " << grouped(shape["drawn"]) << " of "
                << grouped(shape["vertices"])
                << " vertices are drawn; distances are available for all vertices\n";
  std::cout << "wrote " << options.output << ": " << byte_count(bytes) << "; open it in a browser\n";
}

}  // namespace

void add_view_command(CLI::App& app) {
  auto options = std::make_shared<ViewArguments>();
  CLI::App* command = app.add_subcommand("view", "Show distances, canonical forms and errors in a browser");
  command->footer(view_explanation);
  command->add_option("FILES", options->files, ".geodome files, shown side by side")->required();
  command->add_option("-o,--output", options->output, "Output file (.html); default: serve the page");
  command
      ->add_option(
          "--summary", options->summaries,
          "Output of 'geodome build --json' (for the build time); can be repeated, in the order of the files")
      ->allow_extra_args(false);
  command
      ->add_option("--form", options->forms,
                   "Canonical form written by 'geodome embed' (.npy) to use instead of computing it; can be "
                   "repeated, in "
                   "the order of the files")
      ->allow_extra_args(false);
  command->add_option("--unit", options->unit, "Unit of length shown in the page, such as mm");
  command
      ->add_option("--draw", options->draw,
                   "Maximum number of vertices drawn; distances are available for all vertices")
      ->capture_default_str()
      ->check(whole_number(1000, 5000000));
  command
      ->add_option(
          "--error-rows", options->error_rows,
          "Number of rows of newly computed distances for the error map; 0: none; default: up to 24 if "
          "the file contains a measured error")
      ->check(whole_number(0));
  command->add_option("--port", options->port, "Port to serve at; 0: any free port")
      ->capture_default_str()
      ->check(whole_number(0, 65535));
  command->add_flag("--no-open", options->no_open, "Do not open the served page in the browser");
  command->add_flag("--yes", options->yes, "Write or serve a page of more than 1 GiB");
  add_common_options(*command, *options);
  command->callback([options] { run(*options); });
}

}  // namespace geodome::cli
