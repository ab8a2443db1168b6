#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "geodome/base/blas_memory.h"
#include "geodome/base/error.h"
#include "geodome/base/stopwatch.h"
#include "geodome/comparison/form_set.h"
#include "geodome/comparison/shape_distances.h"
#include "geodome/comparison/table.h"
#include "support/bounds.h"
#include "support/command.h"
#include "support/match_output.h"
#include "support/output_check.h"
#include "support/sheet.h"

namespace geodome::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* explanation =
    "Computes the canonical form of every shape, aligns each pair (in every order and direction of the "
    "axes,\n"
    "mirrored too), and measures how far apart they stay. Poses of one creature come out near each other,\n"
    "other creatures far away; shapes need not have the same number of vertices.\n"
    "\n"
    "A distance is the root mean square distance between aligned forms, in mean radii of all forms. Compare\n"
    "distances with each other: of 28 animals and people in many poses, half the pairs of one kind are "
    "below\n"
    "0.1 and half the others above 0.25, but the ranges overlap. --ignore-size compares shape alone.\n"
    "\n"
    "Categories come from the names (cat0.off and cat7.off are both 'cat') or from --labels, a file with a\n"
    "line 'NAME LABEL' for each shape. They are only used to colour the map and to count how often the "
    "nearest\n"
    "shape is one of its own kind.\n"
    "\n"
    "Written into DIR: index.html (everything on one page), distances.csv, map.csv, map.svg, map.png,\n"
    "pictures/*.png and forms/*.npy. A form that is there already for the same shape and options is used\n"
    "again, so a run that was broken off goes on where it was.\n"
    "\n"
    "Examples:\n"
    "  geodome match poses/*.off -o matches\n"
    "  geodome match *.ply -o matches --landmarks 300 --ignore-size --json\n"
    "  geodome match scans/*.obj -o matches --labels kinds.txt --up y --correspondences";

struct Options : CommonOptions {
  std::vector<std::string> shapes;
  std::string output;
  std::string labels;
  std::string geodesic = "auto";
  FormSetOptions forms;
  ShapeDistanceOptions distances;
  MatchPictureOptions pictures;
  bool correspondences = false;
  double memory = 4;  ///< gigabytes
};

Json matrix_json(const RowMatrix<double>& matrix) {
  Json rows = Json::array();
  for (const auto& row : matrix.rowwise()) rows.push_back(std::vector<double>(row.begin(), row.end()));
  return rows;
}

Json match_facts(const MatchResult& result) {
  Json facts;
  for (const ShapeForm& form : result.forms) {
    facts["shapes"].push_back(form.path);
    facts["names"].push_back(form.name);
    facts["vertices"].push_back(form.vertices);
    facts["shape_seconds"].push_back(form.seconds);
    facts["reused"].push_back(form.reused);
  }
  facts["labels"] = result.labels;
  facts["distances"] = matrix_json(result.table.distances);
  facts["distance_unit"] = result.table.scale;
  facts["nearest"] = nearest_shapes(result.table.distances);
  facts["embedding"] = matrix_json(result.map);
  const CategoryAccuracy accuracy = category_accuracy(result.table.distances, result.labels);
  facts["category_accuracy"] = {{"right", accuracy.right}, {"of", accuracy.of}, {"share", accuracy.share()}};
  return facts;
}

void print_summary(const Options& options, const MatchResult& result, const Json& facts) {
  const std::vector<Index> nearest = nearest_shapes(result.table.distances);
  for (std::size_t k = 0; k < result.forms.size(); ++k) {
    std::cout << result.forms[k].name << ": nearest " << result.forms[nearest[k]].name << " at "
              << result.table.distances(static_cast<Eigen::Index>(k), nearest[k])
              << (result.labels[k] == result.labels[nearest[k]] ? "\n" : ", of another category\n");
  }
  const CategoryAccuracy accuracy = category_accuracy(result.table.distances, result.labels);
  if (accuracy.of > 0)
    std::cout << accuracy.right << " of " << accuracy.of << " have their nearest in their own category\n";
  if (facts.contains("correspondences"))
    for (const Json& one : facts["correspondences"])
      if (one.contains("median_error"))
        std::cout << one["from"].get<std::string>() << " to " << one["to"].get<std::string>()
                  << ": median geodesic error " << one["median_error"] << " of the diameter\n";
  std::cout << "wrote " << (std::filesystem::path(options.output) / "index.html").string() << " and more; "
            << duration(facts["seconds"]["total"]) << ", forms " << duration(facts["seconds"]["forms"])
            << ", alignment " << duration(facts["seconds"]["alignment"]) << '\n';
}

void run(Options options) {
  const Stopwatch clock;
  if (options.shapes.size() < 2)
    throw InputError(text(options.shapes.size(), " shape to compare: name at least two"));
  const Execution execution = make_execution(options);
  require_blas_memory();
  options.forms.build.geodesic.method = geodesic_method(options.geodesic);
  options.forms.build.seed = options.forms.embedding.seed = options.seed;
  options.forms.memory_budget = static_cast<std::int64_t>(options.memory * 1e9);
  const auto folder = std::filesystem::path(options.output);
  options.forms.store = (folder / "forms").string();
  std::vector<std::string> inputs = options.shapes;
  inputs.push_back(options.labels);
  require_outputs_in(options.output, {"index.html", "distances.csv", "map.csv", "map.svg", "map.png"},
                     inputs);
  make_match_folders(options.output);

  MatchResult result;
  for (const std::string& path : options.shapes) result.labels.push_back(label_of(path));
  if (!options.labels.empty()) result.labels = read_labels(options.labels, options.shapes);
  result.forms = canonical_forms(options.shapes, options.forms, execution);
  const double form_seconds = clock.seconds();
  const Stopwatch aligning;
  std::vector<RowMatrix<double>> forms;
  for (std::size_t k = 0; k < result.forms.size(); ++k) {
    forms.push_back(result.forms[k].Z);
    if (forms.back().rows() == 0 || (forms.back().rowwise() - forms.back().row(0)).isZero(0))
      throw InputError(text("the canonical form of '", options.shapes[k],
                            "' is a single point, which cannot be aligned: leave this shape out"));
  }
  result.table = shape_distances(forms, options.distances, execution);
  result.map = shape_map(result.table.distances);
  const double alignment_seconds = aligning.seconds();

  Json facts = match_facts(result);
  if (options.correspondences)
    facts["correspondences"] = write_correspondences(options.output, result, options.seed, execution);
  write_match(options.output, result, options.pictures, execution);
  facts["seconds"] = {
      {"total", clock.seconds()}, {"forms", form_seconds}, {"alignment", alignment_seconds}};
  facts["output"] = (folder / "index.html").string();
  if (options.json)
    print_json(facts);
  else if (!options.quiet)
    print_summary(options, result, facts);
}

}  // namespace

void add_match_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("match", "Compare shapes by their canonical forms");
  command->footer(explanation);
  command->add_option("SHAPE", options->shapes, "The shapes to compare")->required();
  command->add_option("-o,--output", options->output, "A folder for everything that is written")->required();
  command
      ->add_option("-l,--landmarks", options->forms.build.landmarks.count,
                   "Landmarks of each shape; 0: a fifth of the vertices, from 50 to 1,000")
      ->capture_default_str()
      ->check(whole_number(0));
  command
      ->add_option("-p,--nonzeros", options->forms.build.interpolation.nonzeros,
                   "Landmarks each vertex draws on")
      ->capture_default_str()
      ->check(whole_number(1));
  command->add_option("--geodesic", options->geodesic, "How distances are measured; see 'distances --help'")
      ->capture_default_str();
  command->add_option("--labels", options->labels, "A file with a line 'NAME LABEL' for each shape");
  command->add_flag("--ignore-size", options->distances.ignore_size,
                    "Bring all forms to the same size first");
  command->add_option("--samples", options->distances.samples, "Points of each form that are aligned")
      ->capture_default_str()
      ->check(whole_number(10, 1000000));
  command->add_flag("--correspondences", options->correspondences,
                    "Also write, for each shape, which vertex of its nearest each of its vertices is");
  command->add_option("--up", options->pictures.up, "The axis that points up in pictures: x, y or z")
      ->capture_default_str()
      ->check(CLI::IsMember({"x", "y", "z"}));
  command->add_option("--memory", options->memory, "Gigabytes that shapes built side by side may take")
      ->capture_default_str()
      ->check(gigabytes());
  add_common_options(*command, *options);
  command->callback([options] { run(*options); });
}

}  // namespace geodome::cli
