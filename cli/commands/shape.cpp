#include <iostream>
#include <memory>

#include "geodome/base/error.h"
#include "geodome/report/picture.h"
#include "geodome/shape/builtin/builtin_catalogue.h"
#include "geodome/shape/builtin/creature.h"
#include "geodome/shape/io/write.h"
#include "support/bounds.h"
#include "support/command.h"
#include "support/help_format.h"
#include "support/output_check.h"

namespace geodome::cli {

using namespace internal;

namespace {

struct ShapeArguments : CommonOptions {
  BuiltinOptions shape;
  std::string name;
  std::string output;
  std::string picture;
  bool list = false;
};

std::string name_table() {
  std::string table;
  for (const BuiltinName& entry : builtin_names()) {
    std::string name = entry.name;
    name.resize(20, ' ');
    table += "  " + name + wrap(entry.summary, 58, 22) + "\n";
  }
  return table;
}

std::string shape_explanation() {
  std::string poses;
  for (int k = 0; k < creature_pose_count(); ++k) poses += text(k ? ", " : "", k, " ", creature_pose_name(k));
  return text("Shapes:\n", name_table(), "\n", wrap("Poses of the creature: " + poses + ".", 80, 0), R"(

The extension of -o determines the format: meshes and point clouds are written
as .obj, .off or .ply (binary, with the colours of the creature), graphs as
.edges or .mtx, samples as .npy or .csv.

Printed: the kind of shape and the number of vertices and faces.

Examples:
  geodome shape creature --pose 2 -o grazing.ply
  geodome shape sphere --vertices 40000 -o sphere.off
  geodome shape swiss-roll-samples --vertices 2000 --seed 7 -o roll.npy
  geodome shape --list)");
}

void print_list(bool json) {
  if (!json) {
    std::cout << name_table();
    return;
  }
  nlohmann::ordered_json shapes = nlohmann::ordered_json::array();
  for (const BuiltinName& entry : builtin_names()) {
    shapes.push_back({{"name", entry.name}, {"summary", entry.summary}, {"poses", entry.poses}});
  }
  print_json({{"shapes", shapes}});
}

void draw(const BuiltinShape& made, const std::string& path) {
  const auto* mesh = std::get_if<TriangleMesh>(&made.shape);
  if (mesh == nullptr)
    throw InputError(text("--picture requires a triangle mesh, got a ", kind_name(made.shape)));
  View view;
  view.width = 960;
  view.height = 720;
  write_png(render(*mesh, made.colours, view), path);
}

void run(const ShapeArguments& options) {
  if (options.list) return print_list(options.json);
  if (options.name.empty() || options.output.empty()) {
    throw InputError("expected the NAME of a shape and -o FILE, or --list");
  }
  require_output(options.output, {});
  require_output(options.picture, {});
  require_distinct_outputs({options.output, options.picture});
  const BuiltinShape made = make_builtin(options.name, options.shape, make_execution(options));
  write_shape(made.shape, options.output, made.colours);
  if (!options.picture.empty()) draw(made, options.picture);
  if (options.json) {
    print_json({{"name", options.name},
                {"kind", kind_name(made.shape)},
                {"vertices", vertex_count(made.shape)},
                {"faces", face_count(made.shape)},
                {"file", options.output}});
  } else if (!options.quiet) {
    const bool is_graph = std::holds_alternative<Graph>(made.shape);
    std::cout << options.output << ": " << kind_name(made.shape) << ", " << vertex_count(made.shape)
              << " vertices, " << face_count(made.shape) << (is_graph ? " edges\n" : " faces\n");
  }
}

}  // namespace

void add_shape_command(CLI::App& app) {
  auto options = std::make_shared<ShapeArguments>();
  CLI::App* command = app.add_subcommand("shape", "Write a built-in shape");
  command->footer(shape_explanation());
  command->add_option("NAME", options->name, "Name of the shape; see below");
  command->add_option("-o,--output", options->output, "Output file; the extension determines the format");
  command
      ->add_option("--vertices", options->shape.vertices,
                   "Number of vertices; rounded to the nearest possible number")
      ->capture_default_str()
      ->check(whole_number(1));
  command->add_option("--pose", options->shape.pose, "Number of the pose, for shapes with poses")
      ->capture_default_str()
      ->check(whole_number(0));
  command->add_option("--picture", options->picture, "Also write an image of the mesh to this PNG file");
  command->add_flag("--list", options->list, "Print the names of the shapes");
  add_common_options(*command, *options);
  command->callback([options] {
    options->shape.seed = options->seed;
    run(*options);
  });
}

}  // namespace geodome::cli
