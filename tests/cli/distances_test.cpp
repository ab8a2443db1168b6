#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <sstream>

#include "cli/run_program.h"
#include "geodome/geodesic/factory.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/io/csv.h"
#include "geodome/shape/io/npy.h"
#include "geodome/shape/io/read.h"
#include "geodome/shape/io/write.h"

namespace geodome::internal {
namespace {

using namespace testing;
using ::testing::IsSubstring;
using Json = nlohmann::json;

ProgramResult distances(const std::string& shape, const std::string& options) {
  return run_program("distances '" + shape + "' " + options);
}

RowMatrix<double> library_rows(const Shape& shape, const std::vector<Index>& sources,
                               const GeodesicOptions& options = {}) {
  RowMatrix<double> rows(static_cast<Eigen::Index>(sources.size()), vertex_count(shape));
  make_solver(shape, options)->distances(sources, rows);
  return rows;
}

std::size_t files_in(const std::string& folder) {
  const auto files = std::filesystem::directory_iterator(folder);
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

class DistancesCommand : public ::testing::Test {
 protected:
  DistancesCommand() { write_shape(plane_, path_); }

  const TriangleMesh plane_ = make_plane(9, 7);
  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "plane.off";
};

TEST_F(DistancesCommand, EqualTheLibrarysByEveryMethod) {
  for (const GeodesicMethodName& entry : geodesic_methods()) {
    const ProgramResult result = distances(path_, text("--source 5 --source 40,62 --json --geodesic ",
                                                       entry.name, " -o '", folder_ / "d.npy", "'"));
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(result.errors, "");
    GeodesicOptions options;
    options.method = entry.method;
    const RowMatrix<double> expected = library_rows(plane_, {5, 40, 62}, options);
    EXPECT_EQ(read_npy_matrix(folder_ / "d.npy"), expected) << entry.name;
    const Json object = result.json();
    EXPECT_EQ(object["sources"], Json({5, 40, 62}));
    EXPECT_EQ(object["vertices"], 63);
    EXPECT_EQ(object["kind"], "triangle mesh");
    EXPECT_EQ(object["method"], entry.method == GeodesicMethod::automatic ? "exact" : entry.name);
    EXPECT_EQ(object["output"], folder_ / "d.npy");
    EXPECT_EQ(object["maximum"], expected.maxCoeff());
    EXPECT_EQ(object["reached"], Json({63, 63, 63}));
    for (int s = 0; s < 3; ++s) {
      EXPECT_EQ(object["farthest_distances"][s], expected.row(s).maxCoeff());
      EXPECT_EQ(expected(s, object["farthest"][s].get<Index>()), expected.row(s).maxCoeff());
    }
    EXPECT_GT(object["seconds"], 0);
  }
}

TEST_F(DistancesCommand, CsvHasALinePerVertex) {
  ASSERT_EQ(distances(path_, "--source 3,7 -q -o '" + folder_ / "d.csv" + "'").exit_code, 0);
  const RowMatrix<double> table = std::get<Samples>(read_shape(folder_ / "d.csv")).values;
  const RowMatrix<double> expected = library_rows(plane_, {3, 7});
  ASSERT_EQ(table.rows(), 63);
  ASSERT_EQ(table.cols(), 3);
  for (Index v = 0; v < 63; ++v) EXPECT_EQ(table(v, 0), v);
  EXPECT_EQ(RowMatrix<double>(table.rightCols(2).transpose()), expected);
}

TEST_F(DistancesCommand, PlyIsTheSameMeshWithColours) {
  const ProgramResult result = distances(path_, "--source 0,62 --json -o '" + folder_ / "d.ply" + "'");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_GT(result.json()["isoline_step"], 0);
  const auto mesh = std::get<TriangleMesh>(read_shape(folder_ / "d.ply"));
  EXPECT_EQ(mesh.points, plane_.points);
  EXPECT_EQ(mesh.triangles, plane_.triangles);
  std::ifstream file(folder_ / "d.ply", std::ios::binary);
  std::string header(400, '\0');
  file.read(header.data(), 400);
  EXPECT_PRED_FORMAT2(IsSubstring, "property uchar green", header);
}

TEST_F(DistancesCommand, RadiusLeavesOutWhatIsFarther) {
  const RowMatrix<double> whole = library_rows(plane_, {31, 4});
  const ProgramResult result =
      distances(path_, "--source 31,4 --radius 0.4 --json -o '" + folder_ / "d.npy" + "'");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const RowMatrix<double> near = read_npy_matrix(folder_ / "d.npy");
  for (Index s = 0; s < 2; ++s)
    for (Index v = 0; v < 63; ++v) EXPECT_DOUBLE_EQ(near(s, v), whole(s, v) <= 0.4 ? whole(s, v) : infinity);
  EXPECT_LE(result.json()["maximum"], 0.4);
  EXPECT_EQ(result.json()["reached"][0], (whole.row(0).array() <= 0.4).count());
}

TEST_F(DistancesCommand, MaskSendsPathsAround) {
  std::string mask;
  for (int v = 0; v < 63; ++v) mask += v % 9 == 4 && v >= 18 ? "0\n" : "1\n";
  const std::string file = folder_.write("mask.txt", mask);
  const std::string from_left = "--source 54 -o '" + folder_ / "d.npy" + "'";
  ASSERT_EQ(distances(path_, from_left).exit_code, 0);
  EXPECT_DOUBLE_EQ(read_npy_matrix(folder_ / "d.npy")(0, 62), 1);
  ASSERT_EQ(distances(path_, from_left + " --mask '" + file + "'").exit_code, 0);
  EXPECT_GT(read_npy_matrix(folder_ / "d.npy")(0, 62), 1.8);
  folder_.write("mask.txt", "1\n1\n");
  EXPECT_EQ(distances(path_, from_left + " --mask '" + file + "'").exit_code, 2);
}

TEST_F(DistancesCommand, PicturesShowTheMesh) {
  ASSERT_EQ(distances(path_, "--source 0 -o '" + folder_ / "d.png" + "'").exit_code, 0);
  std::ifstream file(folder_ / "d.png", std::ios::binary);
  std::string start(24, ' ');
  file.read(start.data(), 24);
  EXPECT_EQ(start.substr(1, 3), "PNG");
  EXPECT_EQ(static_cast<unsigned char>(start[18]) * 256 + static_cast<unsigned char>(start[19]), 960);
  EXPECT_GT(std::filesystem::file_size(folder_ / "d.png"), 5000u);
}

TEST_F(DistancesCommand, GraphsKeepTheirOwnNumbers) {
  const std::string graph = folder_.write("graph.txt", "10 20\n20 40\n40 70\n500 510\n");
  const ProgramResult result = distances(graph, "--source 20 --json -o '" + folder_ / "d.csv" + "'");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const Json object = result.json();
  EXPECT_EQ(object["method"], "edges");
  EXPECT_EQ(object["sources"], Json({20}));
  EXPECT_EQ(object["farthest"], Json({70}));
  EXPECT_EQ(object["maximum"], 2);
  EXPECT_EQ(object["reached"], Json({4}));
  std::ifstream csv(folder_ / "d.csv");
  std::stringstream content;
  content << csv.rdbuf();
  EXPECT_EQ(content.str(), "vertex,from 20\n10,1\n20,0\n40,1\n70,2\n500,inf\n510,inf\n");
  const ProgramResult unknown = distances(graph, "--source 30");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_PRED_FORMAT2(IsSubstring, "vertex 30 is not in the graph", unknown.errors);
}

TEST_F(DistancesCommand, SummaryNamesTheFarthestVertex) {
  const ProgramResult result = distances(path_, "--source 0");
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_PRED_FORMAT2(IsSubstring, "source 0: farthest is vertex 62 at 1.41421", result.output);
  EXPECT_EQ(files_in(std::filesystem::path(path_).parent_path()), 1u);
  EXPECT_EQ(distances(path_, "--source 0 --quiet").output, "");
}

TEST_F(DistancesCommand, RefuseBadInputAndLeaveNothingBehind) {
  const std::string graph = folder_.write("graph.txt", "0 1\n1 2\n");
  const auto output = [&](const std::string& name) { return " -o '" + folder_ / name + "'"; };
  const std::tuple<std::string, std::string, std::string> cases[] = {
      {path_, "--source 63" + output("d.npy"), "vertex 63 is out of range [0, 63)"},
      {path_, "--source -1" + output("d.npy"), "vertex -1 is out of range [0, 63)"},
      {path_, "--source 0 --geodesic teleport" + output("d.npy"), "use one of auto, marching"},
      {path_, "--source 0 --radius -2" + output("d.npy"), "radius: -2"},
      {path_, "--source 0" + output("d.xyz"), ".npy, .csv, .ply, .png"},
      {path_, "--source 0" + output("d.npy.gz"), ".npy, .csv, .ply, .png"},
      {path_, "--source 0" + output("missing/d.npy"), "missing/d.npy"},
      {path_, "--source 0 --mask '" + folder_ / "none" + "'" + output("d.npy"), "none"},
      {folder_ / "none.obj", "--source 0" + output("d.npy"), "none.obj"},
      {graph, "--source 0 --geodesic exact" + output("d.npy"), "use 'edges' or 'auto'"},
      {graph, "--source 0" + output("d.ply"), "kind 'graph'"},
      {graph, "--source 0" + output("d.png"), "kind 'graph'"},
      {path_, "--source 0 --format video" + output("d.npy"), "video"},
      {path_, "--source 0 --format stl" + output("d.npy"), "declares"},
      {path_, output("d.npy"), "--source"},
  };
  for (const auto& [shape, options, cause] : cases) {
    const ProgramResult result = distances(shape, options);
    EXPECT_EQ(result.exit_code, 2) << options;
    EXPECT_EQ(result.output, "");
    EXPECT_PRED_FORMAT2(IsSubstring, cause, result.errors);
    EXPECT_EQ(files_in(std::filesystem::path(path_).parent_path()), 2u) << options;
  }
}

/// Twelve vertices on a line, on which rounding multiplies the windows of some sources.
TriangleMesh collinear_mesh() {
  const double places[] = {8, 5, 2, 4, 0, 6, 3, 4, 1, 5, 2, 0};
  const Index corners[] = {0, 1, 4, 0, 4, 3, 1, 2, 4,  2, 5,  4, 3, 4, 6,  4, 7,  6,
                           4, 5, 8, 4, 8, 7, 6, 7, 10, 6, 10, 9, 7, 8, 10, 8, 11, 10};
  TriangleMesh mesh{Points::Zero(12, 3), Eigen::Map<const Triangles>(corners, 12, 3)};
  for (Index v = 0; v < 12; ++v) mesh.points(v, 0) = places[v];
  return mesh;
}

TEST_F(DistancesCommand, WarnWhereExactOnesAreUpperBounds) {
  const TriangleMesh mesh = collinear_mesh();
  GeodesicOptions exact;
  exact.method = GeodesicMethod::exact;
  Index source = 0;
  for (bool found = false; !found; ++source) {
    if (source == 12) GTEST_SKIP() << "the rounding of this processor keeps the windows few";
    const auto solver = make_solver(mesh, exact);
    RowMatrix<double> row(1, 12);
    solver->distances(std::array{source}, row);
    found = !solver_warnings(*solver).empty();
  }
  --source;
  const std::string shape = folder_ / "line.off";
  write_shape(mesh, shape);
  const ProgramResult rows = distances(shape, text("--geodesic exact --json --source ", source));
  ASSERT_EQ(rows.exit_code, 0) << rows.errors;
  EXPECT_PRED_FORMAT2(IsSubstring, "warning: 1 row with upper bounds", rows.errors);
  EXPECT_PRED_FORMAT2(IsSubstring, "upper bounds", rows.json()["notes"].dump());
  const ProgramResult build =
      run_program("build '" + shape + "' --geodesic exact --json -o '" + folder_ / "line.geodome" + "'");
  ASSERT_EQ(build.exit_code, 0) << build.errors;
  EXPECT_PRED_FORMAT2(IsSubstring, "upper bounds", build.json()["warnings"].dump());
}

TEST_F(DistancesCommand, CtrlCLeavesNoFile) {
  write_shape(make_sphere(30), path_);
  std::string sources = "0";
  for (int v = 1; v < 9000; ++v) sources += text(",", v);
  const std::string command =
      text("timeout --preserve-status -s INT 2 ", tested_program, " distances '", path_, "' --source ",
           sources, " -o '", folder_ / "d.npy", "' 2>/dev/null");
  const int status = std::system(command.c_str());
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 130);
  EXPECT_EQ(files_in(std::filesystem::path(path_).parent_path()), 1u);
}

TEST_F(DistancesCommand, HelpTeaches) {
  const ProgramResult help = run_program("distances --help");
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_PRED_FORMAT2(IsSubstring, "Examples:", help.output);
  std::string unwrapped;
  std::istringstream words(help.output);
  for (std::string word; words >> word;) unwrapped += word + " ";
  for (const GeodesicMethodName& entry : geodesic_methods())
    EXPECT_PRED_FORMAT2(IsSubstring, std::string(entry.name) + ": " + entry.description, unwrapped);
}

}  // namespace
}  // namespace geodome::internal
