#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "geodome/shape/io/read.h"

namespace geodome {
namespace {

using testing::run_program;
using testing::TemporaryFolder;

TEST(ShapeCommand, WritesWhatItSays) {
  const TemporaryFolder folder;
  for (const auto& [name, file] : {std::pair<std::string, std::string>{"creature", "a.ply"},
                                   {"sphere", "a.off"},
                                   {"swiss-roll", "a.obj"},
                                   {"swiss-roll-cloud", "b.ply"},
                                   {"swiss-roll-samples", "a.npy"},
                                   {"swiss-roll-samples", "a.csv"},
                                   {"grid-graph", "a.edges"},
                                   {"path-graph", "a.mtx"},
                                   {"sphere-quads", "c.ply"}}) {
    const auto result = run_program("shape " + name + " --vertices 400 --json -o " + (folder / file));
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(result.errors, "");
    const Shape shape = read_shape(folder / file);
    EXPECT_EQ(result.json()["vertices"], vertex_count(shape)) << name;
    EXPECT_EQ(result.json()["faces"], face_count(shape)) << name;
    EXPECT_EQ(result.json()["kind"], kind_name(shape)) << name;
  }
}

TEST(ShapeCommand, PosesShareTheirTriangles) {
  const TemporaryFolder folder;
  ASSERT_EQ(run_program("shape creature --vertices 300 -q -o " + (folder / "0.ply")).exit_code, 0);
  ASSERT_EQ(run_program("shape creature --vertices 300 --pose 3 -q -o " + (folder / "3.ply")).exit_code, 0);
  const auto first = std::get<TriangleMesh>(read_shape(folder / "0.ply"));
  const auto other = std::get<TriangleMesh>(read_shape(folder / "3.ply"));
  EXPECT_EQ(first.triangles, other.triangles);
  EXPECT_GT((first.points - other.points).norm(), 1);
}

TEST(ShapeCommand, DrawsAPicture) {
  const TemporaryFolder folder;
  ASSERT_EQ(
      run_program("shape torus --vertices 300 -o " + (folder / "t.off") + " --picture " + (folder / "t.png"))
          .exit_code,
      0);
  EXPECT_GT(std::filesystem::file_size(folder / "t.png"), 1000u);
}

TEST(ShapeCommand, ListsTheNames) {
  const auto result = run_program("shape --list --json");
  ASSERT_EQ(result.exit_code, 0);
  EXPECT_GT(result.json()["shapes"].size(), 10u);
  EXPECT_NE(run_program("shape --list").output.find("creature"), std::string::npos);
  EXPECT_NE(run_program("shape --help").output.find("swiss-roll"), std::string::npos);
}

TEST(ShapeCommand, RefusesWithExitCodeTwo) {
  const TemporaryFolder folder;
  for (const std::string& arguments :
       {std::string("shape cube -o x.ply"), std::string("shape sphere"), std::string("shape"),
        "shape sphere --pose 1 -o " + (folder / "x.ply"), "shape creature --pose 99 -o " + (folder / "x.ply"),
        "shape sphere --vertices 0 -o " + (folder / "x.ply"),
        "shape sphere --vertices many -o " + (folder / "x.ply"), "shape sphere -o " + (folder / "x.npy"),
        "shape sphere -o " + (folder / "none/x.ply"),
        "shape grid-graph --vertices 9 -o " + (folder / "x.edges") + " --picture " + (folder / "x.png")}) {
    const auto result = run_program(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_NE(result.errors, "") << arguments;
    EXPECT_EQ(result.output, "") << arguments;
  }
  EXPECT_NE(run_program("shape cube -o x.ply").errors.find("box"), std::string::npos);
}

TEST(ResampleCommand, SubdividesAndDecimates) {
  const TemporaryFolder folder;
  const std::string sphere = folder / "s.off", out = folder / "out.ply";
  ASSERT_EQ(run_program("shape sphere --vertices 642 -o " + sphere).exit_code, 0);
  for (const std::string smooth : {"", " --smooth"}) {
    const auto fine = run_program("resample " + sphere + " -o " + out + " --json --subdivide 2" + smooth);
    ASSERT_EQ(fine.exit_code, 0) << fine.errors;
    EXPECT_EQ(fine.json()["vertices"], 10242);
    EXPECT_EQ(fine.json()["faces"], 20480);
    EXPECT_EQ(vertex_count(read_shape(out)), 10242);
  }
  const auto coarse = run_program("resample " + sphere + " -o " + out + " --json --decimate 100");
  ASSERT_EQ(coarse.exit_code, 0) << coarse.errors;
  EXPECT_EQ(coarse.json()["vertices"], 100);
  EXPECT_EQ(coarse.json()["faces"], 196);
  EXPECT_FALSE(coarse.json().contains("note"));
  EXPECT_EQ(face_count(read_shape(out)), 196);
}

TEST(ResampleCommand, KeepsTheLargestComponent) {
  const TemporaryFolder folder;
  const std::string two = folder / "two.off", out = folder / "out.ply";
  ASSERT_EQ(run_program("shape two-spheres --vertices 400 -o " + two).exit_code, 0);
  const auto all = run_program("info " + two + " --json");
  ASSERT_GT(all.json()["components"], 1);
  const auto alone = run_program("resample " + two + " -o " + out + " --json --largest-component");
  ASSERT_EQ(alone.exit_code, 0) << alone.errors;
  EXPECT_EQ(run_program("info " + out + " --json").json()["components"], 1);
  const auto fine =
      run_program("resample " + two + " -o " + out + " --json --largest-component --subdivide 1");
  EXPECT_EQ(fine.json()["faces"], 4 * alone.json()["faces"].get<int>());
}

TEST(ResampleCommand, SaysWhyItStoppedEarly) {
  const TemporaryFolder folder;
  const std::string torus = folder / "t.off";
  ASSERT_EQ(run_program("shape torus --vertices 300 -o " + torus).exit_code, 0);
  const auto result = run_program("resample " + torus + " -o " + (folder / "o.off") + " --json --decimate 4");
  ASSERT_EQ(result.exit_code, 0);
  EXPECT_GE(result.json()["vertices"], 7);  // no torus has fewer
  EXPECT_NE(result.json()["note"], "");
}

TEST(ResampleCommand, RefusesWithExitCodeTwo) {
  const TemporaryFolder folder;
  const std::string mesh = folder / "s.off", quads = folder / "q.off", graph = folder / "g.edges";
  const std::string out = " -o " + (folder / "out.off");
  ASSERT_EQ(run_program("shape sphere --vertices 42 -o " + mesh).exit_code, 0);
  ASSERT_EQ(run_program("shape plane-quads --vertices 42 -o " + quads).exit_code, 0);
  ASSERT_EQ(run_program("shape path-graph --vertices 42 -o " + graph).exit_code, 0);
  for (const std::string& arguments :
       {mesh + out, mesh + out + " --subdivide 1 --decimate 9", mesh + out + " --decimate 9 --smooth",
        mesh + out + " --subdivide -1", mesh + out + " --decimate 0", mesh + out + " --decimate 3",
        mesh + " --subdivide 1", quads + out + " --decimate 9", graph + out + " --subdivide 1",
        graph + out + " --decimate 9", (folder / "missing.off") + out + " --subdivide 1"}) {
    const auto result = run_program("resample " + arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_NE(result.errors, "") << arguments;
  }
}

}  // namespace
}  // namespace geodome
