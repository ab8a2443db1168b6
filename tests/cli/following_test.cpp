/// path, sample, map, partition and interpolate as commands.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "cli/run_program.h"
#include "geodome/base/error.h"
#include "geodome/base/format.h"
#include "geodome/geodome.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/io/gifti.h"
#include "geodome/shape/io/npy.h"
#include "geodome/shape/io/read.h"
#include "geodome/shape/io/write.h"

namespace geodome::internal {
namespace {

using namespace testing;
using ::testing::IsSubstring;
using Json = nlohmann::json;

std::string content_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

class FollowingCommands : public ::testing::Test {
 protected:
  FollowingCommands() {
    write_shape(sphere_, path_);
    BuildOptions options;
    options.landmarks = 60;
    build(sphere_, options).save(file_);
  }

  ProgramResult run(const std::string& words) const { return run_program(words); }
  void expect_refused(const std::string& words, const std::string& why) const {
    const ProgramResult result = run_program(words);
    EXPECT_EQ(result.exit_code, 2) << words;
    EXPECT_PRED_FORMAT2(IsSubstring, why, result.errors);
    EXPECT_EQ(result.output, "");
  }
  std::string quoted(const std::string& name) const { return in_quotes(folder_ / name); }

  const TriangleMesh sphere_ = make_sphere(8);
  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "sphere.ply";
  const std::string file_ = folder_ / "sphere.geodome";
};

TEST_F(FollowingCommands, PathIsTheLibrarys) {
  const ShortestPath expected = shortest_path(sphere_, SurfacePoint(3), SurfacePoint(200));
  for (const char* extension : {"ply", "obj", "csv", "json", "png"}) {
    const std::string output = folder_ / text("path.", extension);
    const ProgramResult result = run(text("path '", path_, "' 3 200 41 --json -o '", output, "'"));
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    const Json facts = result.json();
    ASSERT_EQ(facts["paths"].size(), 2u);
    EXPECT_EQ(facts["paths"][0]["length"], expected.length);
    EXPECT_EQ(facts["paths"][0]["points"].size(), expected.points.size());
    EXPECT_GT(std::filesystem::file_size(output), 100u);
  }
  const Json written = Json::parse(content_of(folder_ / "path.json"));
  EXPECT_EQ(written["paths"][0]["points"].size(), expected.points.size());
  const std::string lines = content_of(folder_ / "path.obj");
  EXPECT_EQ(std::count(lines.begin(), lines.end(), 'l'), 2);
}

TEST_F(FollowingCommands, PathTakesPointsOfTriangles) {
  const auto face = sphere_.triangles.row(7);
  const SurfacePoint middle({face[0], face[1], face[2]}, {0.5, 0.25, 0.25});
  const double expected = shortest_path(sphere_, middle, SurfacePoint(200)).length;
  const ProgramResult result =
      run(text("path '", path_, "' ", face[0], ":0.5,", face[1], ":0.25,", face[2], ":0.25 200 --json"));
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.json()["paths"][0]["length"], expected);
}

TEST_F(FollowingCommands, PathSaysWhetherItIsApproximate) {
  const std::string shape = "path " + in_quotes(path_) + " 3 200 41 ";
  const Json exact = run(shape + "--json").json();
  EXPECT_EQ(exact["geodesic"], "exact");
  for (const char* method : {"marching", "carried", "heat"}) {
    const ProgramResult result = run(shape + "--json -o " + quoted("p.json") + " --geodesic " + method);
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    const Json facts = result.json(), written = Json::parse(content_of(folder_ / "p.json"));
    EXPECT_EQ(facts["geodesic"], method);
    for (std::size_t p = 0; p < 2; ++p) {
      EXPECT_EQ(facts["paths"][p]["exact"], false);
      EXPECT_EQ(written["paths"][p]["exact"], false);
      EXPECT_EQ(exact["paths"][p]["exact"], true);
      const double best = exact["paths"][p]["length"], length = facts["paths"][p]["length"];
      EXPECT_GE(length, best * (1 - 1e-12));
      EXPECT_LE(length, best * 1.02);
    }
    const ProgramResult spoken = run(shape + "--geodesic " + method);
    EXPECT_PRED_FORMAT2(IsSubstring, " (approximate), ", spoken.output);
    EXPECT_EQ(spoken.errors, "");
  }
  EXPECT_EQ(run(shape).output.find("approximate"), std::string::npos);
}

TEST_F(FollowingCommands, PathSaysWhatIsNotConnected) {
  write_shape(Graph{4, {{0, 1, 2.0}, {2, 3, 1.0}}, {}}, folder_ / "two.edges");
  const ProgramResult result = run("path " + quoted("two.edges") + " 0 3 1 --json");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_TRUE(result.json()["paths"][0]["length"].is_null());
  EXPECT_EQ(result.json()["paths"][1]["length"], 2.0);
}

TEST_F(FollowingCommands, PathRefusesBadInput) {
  const std::string shape = "path " + in_quotes(path_);
  expect_refused(shape + " 3 100000", "out of range");
  expect_refused(shape + " 3 x", "'x' is not a point");
  expect_refused(shape + " 3 1:0.5,2", "is not a point");
  expect_refused(shape + " 3 1:0.5,2:0.7", "sum to");
  expect_refused(shape + " 3 0:0.5,200:0.5", "not on the surface");
  expect_refused(shape + " 3 5 --geodesic magic", "unknown geodesic method 'magic'");
  expect_refused(shape + " 3 5 -o " + quoted("path.txt"), "extension");
  expect_refused(shape + " 3", "TO");
}

TEST_F(FollowingCommands, SampleWritesVerticesAndCells) {
  const VertexSample expected = sample_vertices(sphere_, {.count = 12, .start = {9}});
  const ProgramResult result = run("sample " + in_quotes(path_) + " -n 12 --start 9 --json -o " +
                                   quoted("v.npy") + " --cells " + quoted("cells.npy"));
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.json()["sample"], Json(expected.vertices));
  EXPECT_EQ(result.json()["cover_radius"], expected.cover_radius.back());
  const RowMatrix<double> vertices = read_npy_matrix(folder_ / "v.npy"),
                          cells = read_npy_matrix(folder_ / "cells.npy");
  for (std::size_t k = 0; k < 12; ++k) EXPECT_EQ(vertices.data()[k], expected.vertices[k]);
  for (std::size_t v = 0; v < expected.cell.size(); ++v) EXPECT_EQ(cells.data()[v], expected.cell[v]);
  const ProgramResult printed = run("sample " + in_quotes(path_) + " -n 12 --start 9 -q");
  std::string lines;
  for (const Index v : expected.vertices) lines += text(v, '\n');
  EXPECT_EQ(printed.output, lines);
  ASSERT_EQ(run("sample " + in_quotes(path_) + " -n 12 --method random -o " + quoted("v.ply")).exit_code, 0);
  EXPECT_EQ(vertex_count(read_shape(folder_ / "v.ply")), 12);
}

TEST_F(FollowingCommands, SampleRefusesBadInput) {
  const std::string shape = "sample " + in_quotes(path_);
  expect_refused(shape + " -n 0", "0");
  expect_refused(shape + " -n 100000", "more than");
  expect_refused(shape + " -n 5 --start 100000", "out of range");
  expect_refused(shape + " -n 5 -o " + quoted("v.obj"), "extension");
  expect_refused(shape + " -n 5 --method poisson", "poisson");
}

TEST_F(FollowingCommands, MapIsTheLibrarys) {
  const Distances m = open(file_);
  const Vector mean = mean_distance(m.matrix());
  const ProgramResult result = run("map " + in_quotes(file_) + " --json -o " + quoted("mean.npy"));
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(Vector(read_npy_matrix(folder_ / "mean.npy").col(0)), mean);
  EXPECT_EQ(result.json()["maximum"], mean.maxCoeff());
  ASSERT_EQ(run("map " + in_quotes(file_) + " --of area-mean -o " + quoted("mean.gii")).exit_code, 0);
  const InputFile gii = load_file(folder_ / "mean.gii");
  const auto arrays = parse_gifti(gii);
  ASSERT_EQ(arrays.size(), 1u);
  const Vector area = vertex_areas(sphere_);
  const Vector weighted = mean_distance(m.matrix(), {area.data(), static_cast<std::size_t>(area.size())});
  EXPECT_LT((decode_gifti(arrays[0], gii).col(0) - weighted).cwiseAbs().maxCoeff(), 1e-6);
  const ProgramResult far =
      run("map " + in_quotes(file_) + " --of eccentricity --rows 0 --json -o " + quoted("far.png"));
  ASSERT_EQ(far.exit_code, 0) << far.errors;
  EXPECT_NEAR(far.json()["diameter"].get<double>(), M_PI, 0.1);
  EXPECT_LE(far.json()["bound"].get<double>(), 0.01 * far.json()["diameter"].get<double>());
}

TEST_F(FollowingCommands, MapRefusesBadInput) {
  expect_refused("map " + in_quotes(path_), "not a .geodome file");
  expect_refused("map " + in_quotes(file_) + " --of median", "median");
  expect_refused("map " + in_quotes(file_) + " --tolerance 2", "2");
  expect_refused("map " + in_quotes(file_) + " -o " + quoted("m.txt"), "extension");
  open(file_).save(folder_ / "bare.geodome", {.shape = false});
  expect_refused("map " + quoted("bare.geodome") + " --of area-mean", "does not contain the shape");
  expect_refused("map " + quoted("bare.geodome") + " -o " + quoted("m.png"), "requires a mesh");
}

TEST_F(FollowingCommands, PartitionWritesRegions) {
  const ProgramResult result =
      run("partition " + in_quotes(file_) + " -k 20 --json -o " + quoted("parcels.label.gii"));
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.json()["regions"], 20);
  EXPECT_LE(result.json()["area_ratio"].get<double>(), 1.5);
  const InputFile gii = load_file(folder_ / "parcels.label.gii");
  const RowMatrix<double> keys = decode_gifti(parse_gifti(gii)[0], gii);
  EXPECT_EQ(keys.minCoeff(), 1);
  EXPECT_EQ(keys.maxCoeff(), 20);
  std::ofstream(folder_ / "seeds.txt") << "3 70\n200\n";
  const ProgramResult cells = run("partition " + in_quotes(file_) + " --seeds " + quoted("seeds.txt") +
                                  " --json -o " + quoted("cells.npy"));
  ASSERT_EQ(cells.exit_code, 0) << cells.errors;
  EXPECT_EQ(cells.json()["centres"], Json({3, 70, 200}));
  EXPECT_EQ(read_npy_matrix(folder_ / "cells.npy")(70, 0), 1);
}

TEST_F(FollowingCommands, PartitionRefusesBadInput) {
  const std::string file = "partition " + in_quotes(file_), output = " -o " + quoted("l.npy");
  expect_refused(file + output, "either -k");
  expect_refused(file + " -k 100000" + output, "parts");
  std::ofstream(folder_ / "seeds.txt") << "3 3\n";
  expect_refused(file + " --seeds " + quoted("seeds.txt") + output, "twice");
  expect_refused(file + " -k 3 --seeds " + quoted("seeds.txt") + output, "either -k");
}

/// GIFTI files are known by their content, whatever their name.
TEST_F(FollowingCommands, VerticesOfLabel0InGiftiBelongToNoRegion) {
  const Eigen::Index vertices = sphere_.points.rows();
  for (const char* name : {"regions", "regions.label.gii"}) {
    std::ofstream out(folder_ / name);
    out << "<?xml version=\"1.0\"?>\n<GIFTI Version=\"1.0\" NumberOfDataArrays=\"1\">\n"
        << "<DataArray Intent=\"NIFTI_INTENT_LABEL\" DataType=\"NIFTI_TYPE_INT32\" "
        << "ArrayIndexingOrder=\"RowMajorOrder\" Dimensionality=\"1\" Dim0=\"" << vertices
        << "\" Encoding=\"ASCII\" Endian=\"LittleEndian\" ExternalFileName=\"\" "
        << "ExternalFileOffset=\"\">\n<Data>";
    for (Eigen::Index v = 0; v < vertices; ++v) out << v % 3 << ' ';
    out << "</Data></DataArray></GIFTI>\n";
    out.close();
    const ProgramResult result = run("query " + in_quotes(file_) + " --labels " + quoted(name) + " --json");
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(result.json()["labels"], Json({1, 2})) << name;
  }
}

TEST_F(FollowingCommands, QueryMeasuresRegions) {
  ASSERT_EQ(run("partition " + in_quotes(file_) + " -k 5 -q -o " + quoted("parcels.label.gii")).exit_code, 0);
  ASSERT_EQ(run("partition " + in_quotes(file_) + " -k 5 -q -o " + quoted("parcels.npy")).exit_code, 0);
  const ProgramResult result =
      run("query " + in_quotes(file_) + " --labels " + quoted("parcels.label.gii") + " --json");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.json()["labels"], Json({1, 2, 3, 4, 5}));
  const RowMatrix<double> values = read_npy_matrix(folder_ / "parcels.npy");
  std::vector<Index> label;
  for (const double value : values.reshaped()) label.push_back(static_cast<Index>(value));
  const Distances m = open(file_);
  const RegionDistances expected =
      region_distances(m.matrix(), m.queries(), label, {}, region_borders(sphere_, label));
  EXPECT_EQ(result.json()["mean"][1][3], expected.mean(1, 3));
  EXPECT_EQ(result.json()["minimum"][1][3], expected.minimum(1, 3));
  const ProgramResult lines = run("query " + in_quotes(file_) + " --labels " + quoted("parcels.npy"));
  EXPECT_EQ(std::count(lines.output.begin(), lines.output.end(), '\n'), 25);
  expect_refused("query " + in_quotes(file_) + " 3 4 --labels " + quoted("parcels.npy"),
                 "cannot be combined");
  for (const char* no_label : {"0.5", "inf", "-inf", "1e300", "9007199254740993e3"}) {
    std::ofstream(folder_ / "some.txt") << "vertex,label\n0,1\n5,2\n7," << no_label << '\n';
    expect_refused("query " + in_quotes(file_) + " --labels " + quoted("some.txt"), "is not a label");
  }
  std::ofstream(folder_ / "half.txt") << "0.5\n";
  expect_refused("query " + in_quotes(file_) + " --labels " + quoted("half.txt"), "but the shape has");
}

TEST_F(FollowingCommands, InterpolateReadsTextAndArrays) {
  RowMatrix<double> values = RowMatrix<double>::Constant(sphere_.points.rows(), 2, std::nan(""));
  std::ofstream some(folder_ / "some.csv"), all(folder_ / "all.csv");
  some << "vertex,height,side\n";
  for (Index v = 0; v < sphere_.points.rows(); ++v) {
    if (v % 20 == 0) {
      values.row(v) = sphere_.points.row(v).tail(2);
      some << v << ',' << exact_digits(values(v, 0)) << ',' << exact_digits(values(v, 1)) << '\n';
      all << exact_digits(values(v, 0)) << ',' << exact_digits(values(v, 1)) << '\n';
    } else {
      all << "nan,\n";
    }
  }
  some.close();
  all.close();
  write_npy(values, folder_ / "values.npy");
  const RowMatrix<double> expected = interpolate_values(sphere_, values);
  for (const char* name : {"some.csv", "all.csv", "values.npy"}) {
    const ProgramResult result = run("interpolate " + in_quotes(path_) + " --values " + quoted(name) +
                                     " --json -o " + quoted("full.npy"));
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(read_npy_matrix(folder_ / "full.npy"), expected) << name;
    EXPECT_EQ(result.json()["without_value"], 0);
  }
  EXPECT_EQ(
      run("interpolate " + in_quotes(path_) + " --values " + quoted("some.csv") + " -o " + quoted("full.csv"))
          .exit_code,
      0);
  EXPECT_TRUE(content_of(folder_ / "full.csv").starts_with("vertex,height,side\n0,"));
}

/// As R and spreadsheets write tables: a column of vertices is never taken for values.
TEST_F(FollowingCommands, InterpolateKnowsVerticesByTheirColumn) {
  const auto interpolated = [&](const std::string& first_line) {
    std::ofstream table(folder_ / "table.csv");
    table << first_line << '\n';
    for (Index v = 0; v < sphere_.points.rows(); ++v) table << '"' << v << "\"," << 2 * v << "\r\n";
    table.close();
    const ProgramResult result = run("interpolate " + in_quotes(path_) + " --values " + quoted("table.csv") +
                                     " --json -o " + quoted("full.npy"));
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    return read_npy_matrix(folder_ / "full.npy");
  };
  const RowMatrix<double> expected = interpolated("vertex,value");
  ASSERT_EQ(expected.cols(), 1);
  for (const char* first_line : {"Vertex,Value", "VERTEX,a", "\"vertex\",\"value\"", "\xEF\xBB\xBFvertex,b"})
    EXPECT_EQ(interpolated(first_line), expected) << first_line;
}

TEST_F(FollowingCommands, InterpolateRefusesBadInput) {
  const auto refused = [&](const std::string& values, const std::string& why) {
    std::ofstream(folder_ / "bad.csv") << values;
    expect_refused(
        "interpolate " + in_quotes(path_) + " --values " + quoted("bad.csv") + " -o " + quoted("f.npy"), why);
  };
  refused("", "no values");
  refused("1\n2\n3\n", "but the shape has");
  refused("vertex,value\n0,1\n100000,2\n", "line 3");
  refused("vertex,value\n0,1,2\n1,3\n", "expected 2 values, got 1");
  refused("vertex,value\n0,abc\n", "'abc' is not a number");
  refused("vertex,value\n0,\x1b[31m\x01\n", "'?[31m?' is not a number");
  refused("vertex,value\n0,1\n5\n", "expected 1 value, got 0");
  refused("vertex,value\n0,nan\n", "no value at any vertex");
  refused("vertex,value\n0,1\n7,2\n0,3\n", "line 4: vertex 0 has values on an earlier line");
}

}  // namespace
}  // namespace geodome::internal
