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

using namespace internal;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* match_explanation =
    R"(Computes the canonical form of every shape, aligns all pairs of canonical forms
(all permutations and signs of the axes, reflections included) and computes the
distance of each pair. Distances are small between poses of the same animal and
large between different animals. Shapes can have different numbers of vertices.

The distance of two shapes is the root mean square distance between the aligned
canonical forms, in units of the mean radius of all canonical forms. Only the
comparison of distances is meaningful: for 28 animals and people in many poses,
half of the pairs of the same kind are below 0.1 and half of the pairs of
different kinds above 0.25, but the ranges overlap. --ignore-size removes
differences in size.

Of more than 200 shapes only pairs that may be near are aligned (--candidates).
The distances of the other pairs are estimated from the radii and axes of the
canonical forms, and marked: by ~ in distances.csv and in the report, and by
"estimated" in the output of --json. The nearest shape is always an aligned one.

The category of a shape is taken from its name (cat0.off and cat7.off are both
'cat') or from --labels. Categories are used for the colours of the map and to
count how often the nearest shape has the same category.

Written into the output folder: index.html (a report), distances.csv, map.csv,
map.svg, map.png, pictures/*.png and forms/*.npy. Canonical forms computed by an
earlier run for the same shape and options are reused, so that an interrupted
run can be resumed.

Printed: the nearest shape of each shape and the number of shapes whose nearest
shape has the same category.

Examples:
  geodome match poses/*.off -o matches
  geodome match *.ply -o matches --landmarks 300 --ignore-size --json
  geodome match scans/*.obj -o matches --labels kinds.txt --up y \
    --correspondences)";

struct MatchArguments : CommonOptions {
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

template <typename Scalar>
Json matrix_json(const RowMatrix<Scalar>& matrix) {
  Json rows = Json::array();
  for (const auto& row : matrix.rowwise()) rows.push_back(std::vector<Scalar>(row.begin(), row.end()));
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
  facts["aligned_pairs"] = result.table.aligned_pairs;
  if (result.table.estimated.any()) facts["estimated"] = matrix_json(result.table.estimated);
  facts["nearest"] = nearest_shapes(result.table.distances);
  facts["embedding"] = matrix_json(result.map);
  const CategoryAccuracy accuracy = category_accuracy(result.table.distances, result.labels);
  facts["category_accuracy"] = {{"right", accuracy.right}, {"of", accuracy.of}, {"share", accuracy.share()}};
  return facts;
}

void print_summary(const MatchArguments& options, const MatchResult& result, const Json& facts) {
  const std::vector<Index> nearest = nearest_shapes(result.table.distances);
  for (std::size_t k = 0; k < result.forms.size(); ++k) {
    std::cout << result.forms[k].name << ": nearest " << result.forms[nearest[k]].name << " at "
              << result.table.distances(static_cast<Eigen::Index>(k), nearest[k])
              << (result.labels[k] == result.labels[nearest[k]] ? "\n" : " (different category)\n");
  }
  if (result.table.estimated.any())
    std::cout << result.table.aligned_pairs << " of " << nearest.size() * (nearest.size() - 1) / 2
              << " pairs were aligned, the distances of the others are estimated\n";
  const CategoryAccuracy accuracy = category_accuracy(result.table.distances, result.labels);
  if (accuracy.of > 0)
    std::cout << accuracy.right << " of " << accuracy.of
              << " shapes with others of their category are nearest to one of them\n";
  if (facts.contains("correspondences"))
    for (const Json& one : facts["correspondences"])
      if (one.contains("median_error"))
        std::cout << one["from"].get<std::string>() << " to " << one["to"].get<std::string>()
                  << ": median geodesic error " << one["median_error"] << " of the diameter\n";
  std::cout << "wrote " << (std::filesystem::path(options.output) / "index.html").string()
            << " and other files; " << duration(facts["seconds"]["total"]) << " in total: canonical forms "
            << duration(facts["seconds"]["forms"]) << ", alignment "
            << duration(facts["seconds"]["alignment"]) << '\n';
}

void run(MatchArguments options) {
  const Stopwatch clock;
  if (options.shapes.size() < 2)
    throw InputError(text("expected at least 2 shapes to compare, got ", options.shapes.size()));
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
                            "' is a single point and cannot be aligned: remove this shape"));
  }
  result.table = shape_distances(forms, options.distances, execution);
  result.map = shape_map(result.table.distances);
  const double alignment_seconds = aligning.seconds();

  Json facts = match_facts(result);
  if (options.correspondences)
    facts["correspondences"] = write_correspondences(options.output, result, options.seed, execution);
  write_match(options.output, result, options.pictures, execution);
  facts["seconds"] = {{"total", clock.seconds()}, {"forms", form_seconds}, {"alignment", alignment_seconds}};
  facts["output"] = (folder / "index.html").string();
  if (options.json)
    print_json(facts);
  else if (!options.quiet)
    print_summary(options, result, facts);
}

}  // namespace

void add_match_command(CLI::App& app) {
  auto options = std::make_shared<MatchArguments>();
  CLI::App* command = app.add_subcommand("match", "Compare shapes by their canonical forms");
  command->footer(match_explanation);
  command->add_option("SHAPE", options->shapes, "Shapes to compare, at least two")->required();
  command->add_option("-o,--output", options->output, "Output folder")->required();
  command
      ->add_option("-l,--landmarks", options->forms.build.landmarks.count,
                   "Number of landmarks per shape; 0: a fifth of the vertices, at least 50 and at most 1,000")
      ->capture_default_str()
      ->check(whole_number(0));
  command
      ->add_option("-p,--nonzeros", options->forms.build.interpolation.nonzeros,
                   "Nonzero weights per vertex (row of P) of the method sbha, which this selects; default: "
                   "the method cell")
      ->capture_default_str()
      ->check(whole_number(1));
  command->add_option("--geodesic", options->geodesic, "Geodesic method; see 'geodome distances --help'")
      ->capture_default_str();
  command->add_option("--labels", options->labels,
                      "Text file of categories: one line 'NAME LABEL' for each shape");
  command->add_flag("--ignore-size", options->distances.ignore_size,
                    "Scale all canonical forms to the same size");
  command
      ->add_option("--samples", options->distances.samples,
                   "Number of points per canonical form used for the alignment")
      ->capture_default_str()
      ->check(whole_number(10, 1000000));
  command
      ->add_option(
          "--candidates", options->distances.candidates,
          text("Number of shapes, those most similar by simple measures, that each shape is aligned with; "
               "other distances are estimated. 0: all pairs are aligned; default: all up to ",
               ShapeDistanceOptions::all_pairs_up_to, " shapes, otherwise ",
               ShapeDistanceOptions::many_candidates))
      ->check(whole_number(0));
  command->add_flag("--correspondences", options->correspondences,
                    "Also write vertex correspondences: for each shape, the corresponding vertex of the "
                    "nearest shape for every vertex");
  command->add_option("--up", options->pictures.up, "Axis that points up in images: x, y or z")
      ->capture_default_str()
      ->check(CLI::IsMember({"x", "y", "z"}));
  command
      ->add_option("--memory", options->memory, "Memory limit of shapes built at the same time, in gigabytes")
      ->capture_default_str()
      ->check(gigabytes());
  add_common_options(*command, *options);
  command->callback([options, command] {
    if (command->get_option("--nonzeros")->count() > 0) options->forms.build.method = geodome::Method::sbha;
    run(*options);
  });
}

}  // namespace geodome::cli
