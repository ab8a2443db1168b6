#include <iostream>
#include <memory>

#include "geodome/file/matrix_file.h"
#include "geodome/shape/check.h"
#include "support/command.h"
#include "support/describe.h"
#include "support/describe_matrix.h"
#include "support/input.h"

namespace geodome::cli {
namespace {

constexpr const char* explanation =
    "Counts vertices, faces, edges and components, measures size, area and edge lengths, and lists what is "
    "wrong\n"
    "with the shape together with what is done about it. Counts are those of the file, before anything is\n"
    "dropped; vertices are numbered from 0 in the order of the file (STL: in order of first appearance).\n"
    "\n"
    "A file with a coordinate that is not finite, an index out of range or no vertices at all is refused "
    "(exit 2).\n"
    "\n"
    "Of a .geodome file it tells the sizes and the recipe; --verify checks every byte of it.\n"
    "\n"
    "Examples:\n"
    "  geodome info bunny.obj\n"
    "  geodome info bunny.geodome --verify\n"
    "  geodome info lh.pial.gz --json\n"
    "  geodome info roads.txt --json | jq .components";

struct Options : CommonOptions {
  InputOptions input;
  bool verify = false;
};

void describe_matrix(const Options& options, const MatrixInput& input) {
  if (options.verify) input.distances.file()->verify(make_execution(options));
  if (options.json) {
    nlohmann::ordered_json facts = to_json(input);
    if (options.verify) facts["verified"] = true;
    print_json(facts);
  } else {
    std::cout << to_text(input) << (options.verify ? "All checksums match.\n" : "");
  }
}

ShapeFacts examine(const InputOptions& input) {
  const InputShape read = load_shape(input);
  ShapeFacts facts{input.path, read.format, kind_name(read.shape), false, check_shape(read.shape)};
  if (const auto* cloud = std::get_if<PointCloud>(&read.shape)) facts.normals = cloud->normals.rows() > 0;
  require_workable(input, facts.report);
  return facts;
}

}  // namespace

void add_info_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("info", "Describe a shape or a .geodome file");
  command->footer(explanation);
  add_input_options(*command, "FILE", options->input);
  command->add_flag("--verify", options->verify, "Check every checksum of a .geodome file");
  add_common_options(*command, *options);
  command->callback([options] {
    if (options->input.format.empty())
      if (const auto input = open_if_matrix(options->input.path)) return describe_matrix(*options, *input);
    if (options->verify)
      throw InputError("--verify applies to .geodome files only: shapes have no checksums");
    const ShapeFacts facts = examine(options->input);
    if (options->json)
      print_json(to_json(facts));
    else
      std::cout << to_text(facts);
  });
}

}  // namespace geodome::cli
