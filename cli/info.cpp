#include <iostream>
#include <memory>

#include "command.h"
#include "describe.h"
#include "geodome/base/error.h"
#include "geodome/shape/clean.h"
#include "geodome/shape/formats.h"
#include "geodome/shape/input_file.h"

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
    "Examples:\n"
    "  geodome info bunny.obj\n"
    "  geodome info lh.pial.gz --json\n"
    "  geodome info roads.txt --json | jq .components";

struct Options : CommonOptions {
  std::string path;
};

ShapeFacts examine(const std::string& path) {
  const InputFile file = load_file(path);
  const Format& format = find_format(file);
  const Shape shape = format.read(file);
  ShapeFacts facts{path, std::string(format.name), kind_name(shape), false, check_shape(shape)};
  if (const auto* cloud = std::get_if<PointCloud>(&shape)) facts.normals = cloud->normals.rows() > 0;
  try {
    require_workable(facts.report);
  } catch (const InputError& error) {
    throw InputError(text("'", path, "': ", error.what()));
  }
  return facts;
}

}  // namespace

void add_info_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("info", "Describe a shape: size, components, defects");
  command->footer(explanation);
  command->add_option("FILE", options->path, "The shape, in any format that can be read, also gzipped")
      ->required();
  add_common_options(*command, *options);
  command->callback([options] {
    const ShapeFacts facts = examine(options->path);
    if (options->json)
      print_json(to_json(facts));
    else
      std::cout << to_text(facts);
  });
}

}  // namespace geodome::cli
