#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "cli/run_program.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/io/write.h"

namespace geodome {
namespace {

using namespace testing;
namespace fs = std::filesystem;

class Outputs : public ::testing::Test {
 protected:
  Outputs() {
    write_shape(make_sphere(5), folder / "sphere.ply");
    const ProgramResult built =
        run_program("build " + quoted("sphere.ply") + " -l 20 -o " + quoted("sphere.geodome"));
    EXPECT_EQ(built.exit_code, 0) << built.errors;
    folder.write("mask.csv", "1\n");
  }

  std::string quoted(const std::string& name) const { return "'" + folder / name + "'"; }

  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
  }

  void expect_refused(const std::string& command, const std::string& message = "") const {
    const std::size_t before = files();
    const ProgramResult result = run_program(command);
    EXPECT_EQ(result.exit_code, 2) << command << result.errors;
    EXPECT_NE(result.errors.find(message), std::string::npos) << command << result.errors;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
    EXPECT_EQ(files(), before) << command;
  }

  TemporaryFolder folder;
};

TEST_F(Outputs, AreNeverInputsUnderAnyName) {
  // What each command reads, what it writes by its extension, and the rest of the line.
  const struct {
    std::string input, extension, command;
  } cases[] = {
      {"sphere.ply", "ply", "resample INPUT --subdivide 1 -o OUTPUT"},
      {"sphere.ply", "ply", "distances INPUT --source 0 -o OUTPUT"},
      {"mask.csv", "csv", "distances " + quoted("sphere.ply") + " --source 0 --mask INPUT -o OUTPUT"},
      {"sphere.ply", "ply", "build INPUT -o OUTPUT"},
      {"sphere.ply", "ply", "embed INPUT -o OUTPUT"},
      {"sphere.ply", "ply", "embed INPUT --coloured OUTPUT"},
      {"sphere.geodome", "csv", "query INPUT 0 1 -o OUTPUT"},
      {"sphere.geodome", "npy", "rows INPUT 0 -o OUTPUT"},
      {"sphere.geodome", "npy", "export INPUT --to npy -o OUTPUT"},
      {"sphere.geodome", "html", "view INPUT -o OUTPUT"}};
  for (const auto& one : cases) {
    const std::string before = contents(folder / one.input);
    const std::string hard = folder / ("hard." + one.extension), soft = folder / ("soft." + one.extension);
    fs::create_hard_link(folder / one.input, hard);
    fs::create_symlink(one.input, soft);
    std::vector<std::string> names{hard, soft};
    if (one.input.ends_with(one.extension)) names.push_back(folder / one.input);
    for (const std::string& name : names) {
      std::string command = one.command;
      command.replace(command.find("INPUT"), 5, quoted(one.input));
      command.replace(command.find("OUTPUT"), 6, "'" + name + "'");
      expect_refused(command, "same file");
    }
    EXPECT_EQ(contents(folder / one.input), before);
    fs::remove(hard);
    fs::remove(soft);
  }
  fs::create_directory(folder / "out");
  fs::copy_file(folder / "mask.csv", folder / "out/map.csv");
  write_shape(make_sphere(4), folder / "other.ply");
  expect_refused("match " + quoted("sphere.ply") + " " + quoted("other.ply") + " -o " + quoted("out") +
                     " --labels " + quoted("out/map.csv"),
                 "same file");
}

TEST_F(Outputs, AreDistinct) {
  fs::create_symlink("new.ply", folder / "link.ply");
  expect_refused(
      "embed " + quoted("sphere.ply") + " -o " + quoted("new.ply") + " --coloured " + quoted("link.ply"),
      "same file");
  expect_refused("embed " + quoted("sphere.ply") + " -o " + quoted("z.npy") + " -o " + quoted("./z.npy"),
                 "same file");
}

TEST_F(Outputs, FollowLinksToFilesThatDoNotExist) {
  fs::create_symlink("target.off", folder / "link.off");
  ASSERT_EQ(run_program("shape sphere --vertices 50 -o " + quoted("link.off")).exit_code, 0);
  EXPECT_TRUE(fs::is_symlink(folder / "link.off"));
  EXPECT_TRUE(contents(folder / "target.off").starts_with("OFF"));
}

TEST_F(Outputs, ThatCannotBeWrittenAreRefusedBeforeTheWork) {
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_directory(folder / "inside.npy");
  const std::string build = "build " + quoted("sphere.ply") + " -o ";
  expect_refused(build + quoted("missing/file"), "No such file");
  expect_refused(build + quoted("inside.npy"), "folder");
  expect_refused(build + quoted("pipe"), "regular file");
  expect_refused(build + "/dev/null", "regular file");
  expect_refused(build + "/dev/stdout", "");
  for (const std::string& command :
       {"distances " + quoted("sphere.ply") + " --source 0 -o ",
        "rows " + quoted("sphere.geodome") + " 0 -o ", "embed " + quoted("sphere.ply") + " -o ",
        "export --to npy " + quoted("sphere.geodome") + " -o ",
        "query " + quoted("sphere.geodome") + " 0 1 -o ", "view " + quoted("sphere.geodome") + " -o "}) {
    expect_refused(command + quoted("inside.npy"), "folder");
    expect_refused(command + quoted("missing/z.npy"), "No such file");
  }
  expect_refused("distances " + quoted("sphere.ply") + " --source 0 -o /dev/stdout", "");
  expect_refused("compare " + quoted("sphere.ply") + " -o " + quoted("mask.csv"), "folder");
}

TEST_F(Outputs, MayBeStandardOutputOrAPipe) {
  const ProgramResult query = run_program("query " + quoted("sphere.geodome") + " 0 1 -o /dev/stdout");
  EXPECT_EQ(query.exit_code, 0) << query.errors;
  EXPECT_TRUE(query.output.starts_with("from,to,distance\n0,1,")) << query.output;
  const ProgramResult rows = run_program("export --to csv " + quoted("sphere.geodome") + " -o /dev/stdout");
  EXPECT_EQ(rows.exit_code, 0) << rows.errors;
  EXPECT_EQ(rows.output.find("wrote"), std::string::npos);
  expect_refused("query " + quoted("sphere.geodome") + " 0 1 --json -o /dev/stdout", "standard output");

  const std::string pipe = folder / "pipe.npy";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = contents(pipe); });
  EXPECT_EQ(run_program("rows " + quoted("sphere.geodome") + " 0 7 -o '" + pipe + "'").exit_code, 0);
  reader.join();
  ASSERT_EQ(run_program("rows " + quoted("sphere.geodome") + " 0 7 -o " + quoted("file.npy")).exit_code, 0);
  EXPECT_EQ(received, contents(folder / "file.npy"));
}

TEST_F(Outputs, BeyondALimitAreAnError) {
  write_shape(make_sphere(30), folder / "large.ply");
  folder.write("d.npy", "old");
  const std::size_t before = files();
  const ProgramResult result = run_program(
      "distances " + quoted("large.ply") + " --source 0,1,2,3 -o " + quoted("d.npy"), "ulimit -f 16; ");
  EXPECT_EQ(result.exit_code, 1) << result.errors;
  EXPECT_NE(result.errors.find("d.npy"), std::string::npos) << result.errors;
  EXPECT_EQ(files(), before);
  EXPECT_EQ(contents(folder / "d.npy"), "old");
  if (!fs::exists("/dev/full")) return;
  const int status =
      std::system((tested_program + " info " + quoted("sphere.ply") + " >/dev/full 2>/dev/null").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 1);
}

TEST_F(Outputs, AndInputsMayHaveAnyName) {
  const std::string name = "sph\xff\xe9re.ply", file = "\xfe.geodome";
  fs::copy_file(folder / "sphere.ply", folder / name);
  const auto build = run_program("build " + quoted(name) + " -l 20 --json -o " + quoted(file));
  ASSERT_EQ(build.exit_code, 0) << build.errors;
  EXPECT_EQ(build.json()["vertices"], build.json()["recipe"]["shape"]["vertices"]);
  for (const std::string& command :
       {"info " + quoted(name), "info " + quoted(file), "distances " + quoted(name) + " --source 0",
        "evaluate " + quoted(file) + " --rows 2", "embed " + quoted(file) + " -o " + quoted("\xf0.npy"),
        "view " + quoted(file) + " -o " + quoted("\xf1.html")}) {
    const ProgramResult result = run_program(command + " --json");
    EXPECT_EQ(result.exit_code, 0) << command << result.errors;
    EXPECT_TRUE(nlohmann::json::accept(result.output)) << command;
  }
}

TEST_F(Outputs, AndInputsMayNotBeDevices) {
  expect_refused("info /dev/zero", "device");
  expect_refused("info /dev/null", "device");
  expect_refused("build /dev/urandom -o " + quoted("x.geodome"), "device");
  expect_refused("query /dev/zero 0 1", "");
  expect_refused("info '" + folder.path().string() + "'", "folder");
  fs::resize_file(folder / "mask.csv", std::uintmax_t{1} << 42);  // no byte of it is stored
  expect_refused("info " + quoted("mask.csv"), "memory");
}

}  // namespace
}  // namespace geodome
