#include <gtest/gtest.h>

#include <limits>

#include "cli/run_program.h"
#include "geodome/shape/check.h"
#include "geodome/shape/io/write.h"
#include "shape/small_shapes.h"

namespace geodome {
namespace {

using namespace testing;
using ::testing::IsSubstring;
using Json = nlohmann::json;

ProgramResult info(const std::string& path, const std::string& options = "--json") {
  return run_program("info '" + path + "' " + options);
}

TEST(Info, SaysOfAFileWhatTheReportSaysOfTheShape) {
  const TemporaryFolder folder;
  const Shape shapes[] = {tetrahedron(), fan_of_three(), hourglass(), moebius_strip(), cube()};
  for (const Shape& shape : shapes) {
    write_shape(shape, folder / "shape.obj");
    const ProgramResult result = info(folder / "shape.obj");
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(result.errors, "");
    const Json object = result.json();
    const ShapeReport report = check_shape(shape);
    EXPECT_EQ(object["kind"], kind_name(shape));
    EXPECT_EQ(object["format"], "OBJ");
    EXPECT_EQ(object["vertices"], report.vertices);
    EXPECT_EQ(object["faces"], report.faces);
    EXPECT_EQ(object["edges"], report.edges);
    EXPECT_EQ(object["components"], report.components);
    EXPECT_EQ(object["boundary_edges"], report.boundary_edges);
    EXPECT_EQ(object["nonmanifold_edges"], report.nonmanifold_edges);
    EXPECT_EQ(object["nonmanifold_vertices"], report.nonmanifold_vertices);
    EXPECT_EQ(object["inconsistent_edges"], report.inconsistent_edges);
    EXPECT_EQ(object["closed"], report.closed());
    EXPECT_EQ(object["manifold"], report.manifold());
    EXPECT_EQ(object["oriented"], report.oriented());
    EXPECT_EQ(object["euler_characteristic"], report.euler_characteristic());
    EXPECT_DOUBLE_EQ(object["area"], report.area);
    EXPECT_EQ(object["notes"], Json::array());
  }
}

TEST(Info, CountsWhatTheFileHoldsAndNotesWhatIsDropped) {
  const TemporaryFolder folder;
  const std::string path = folder.write("defects.off",
                                        "OFF\n6 5 0\n0 0 0\n1 0 0\n0 1 0\n2 0 0\n9 9 9\n1 0 0\n"
                                        "3 0 1 2\n3 2 1 0\n3 0 1 3\n3 1 1 2\n3 0 1 5\n");
  const Json object = info(path).json();
  EXPECT_EQ(object["vertices"], 6);
  EXPECT_EQ(object["faces"], 5);
  EXPECT_EQ(object["duplicate_faces"], 1);
  EXPECT_EQ(object["collapsed_faces"], 1);
  EXPECT_EQ(object["zero_area_faces"], 2);
  EXPECT_EQ(object["zero_length_edges"], 1);
  EXPECT_EQ(object["unreferenced_vertices"], 1);
  EXPECT_EQ(object["duplicate_positions"], 1);
  EXPECT_EQ(object["notes"].size(), 3u);
  EXPECT_EQ(object["faces_by_degree"], Json({{"3", 5}}));
  EXPECT_EQ(object["bounding_box"], Json({{0, 0, 0}, {9, 9, 9}}));
}

TEST(Info, TellsPeopleInPlainWords) {
  const TemporaryFolder folder;
  write_shape(hourglass(), folder / "hourglass.off");
  ProgramResult result = info(folder / "hourglass.off", "");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_PRED_FORMAT2(IsSubstring, "triangle mesh (OFF)", result.output);
  EXPECT_PRED_FORMAT2(IsSubstring, "closed, not manifold", result.output);
  EXPECT_PRED_FORMAT2(IsSubstring, "1 vertex where separate fans meet", result.output);
  write_shape(cube(), folder / "cube.off");
  result = info(folder / "cube.off", "");
  EXPECT_PRED_FORMAT2(IsSubstring, "6 (all quads)", result.output);
  EXPECT_PRED_FORMAT2(IsSubstring, "No defects found", result.output);
}

TEST(Info, RefusesWhatCannotBeWorkedOnAndNamesIt) {
  const TemporaryFolder folder;
  const std::pair<std::string, std::string> cases[] = {
      {folder.write("nan.obj", "v 0 0 0\nv 1 0 0\nv nan 1 0\nv 0 0 inf\nf 1 2 3\n"),
       "vertex 2 has a coordinate that is not finite (2 vertices"},
      {folder.write("range.off", "OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1 3\n"), "face 1"},
      {folder.write("nothing.off", "OFF\n0 0 0\n"), "no vertices"},
      {folder.write("unknown.bin", std::string("\1\2\3\4\0\0", 6)), "unknown.bin"},
      {folder / "missing.obj", "missing.obj"},
  };
  for (const auto& [path, cause] : cases) {
    const ProgramResult result = info(path);
    EXPECT_EQ(result.exit_code, 2) << path;
    EXPECT_EQ(result.output, "");
    EXPECT_PRED_FORMAT2(IsSubstring, cause, result.errors);
    EXPECT_PRED_FORMAT2(IsSubstring, path, result.errors);
  }
}

TEST(Info, HelpTeachesAndBadUsageIsRefused) {
  const ProgramResult help = run_program("info --help");
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_PRED_FORMAT2(IsSubstring, "Examples:", help.output);
  EXPECT_EQ(run_program("info").exit_code, 2);
  EXPECT_EQ(run_program("info a b").exit_code, 2);
}

}  // namespace
}  // namespace geodome
