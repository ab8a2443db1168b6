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

constexpr const char* info_explanation =
    R"(For a shape: prints the number of vertices, faces, edges and connected
components, the size, area and edge lengths, and a list of the defects of the
shape with their treatment. Counts refer to the file, before anything is
removed. Vertices are numbered from 0 in the order of the file (STL: in order
of first appearance). A file without vertices, with a coordinate that is not
finite, or with an index out of range is an error (exit code 2).

For a .geodome file: prints the sizes, the method, the measured error (if
stored) and the recipe. --verify checks all checksums.

Examples:
  geodome info bunny.obj
  geodome info bunny.geodome --verify
  geodome info lh.pial.gz --json
  geodome info roads.txt --json | jq .components)";

struct InfoArguments : CommonOptions {
  InputOptions input;
  bool verify = false;
};

void describe_matrix(const InfoArguments& options, const MatrixInput& input) {
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
  const FormattedShape read = load_shape(input);
  ShapeFacts facts{input.path, std::string(read.format), kind_name(read.shape), read.note,
                   false,      check_shape(read.shape)};
  if (const auto* cloud = std::get_if<PointCloud>(&read.shape)) facts.normals = cloud->normals.rows() > 0;
  require_workable(input, facts.report);
  return facts;
}

}  // namespace

void add_info_command(CLI::App& app) {
  auto options = std::make_shared<InfoArguments>();
  CLI::App* command = app.add_subcommand("info", "Print information about a shape or a .geodome file");
  command->footer(info_explanation);
  add_input_options(*command, "FILE", options->input);
  command->add_flag("--verify", options->verify, "Verify all checksums of a .geodome file");
  add_common_options(*command, *options);
  command->callback([options] {
    if (options->input.format.empty())
      if (const auto input = open_if_matrix(options->input.path)) return describe_matrix(*options, *input);
    if (options->verify) throw InputError("--verify requires a .geodome file: shapes have no checksums");
    const ShapeFacts facts = examine(options->input);
    if (options->json)
      print_json(to_json(facts));
    else
      std::cout << to_text(facts);
  });
}

}  // namespace geodome::cli
