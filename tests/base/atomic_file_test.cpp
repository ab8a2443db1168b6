#include "geodome/base/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <iterator>

#include "geodome/base/error.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

namespace fs = std::filesystem;
using testing::contents;
using testing::store;
using testing::TemporaryFolder;

std::ptrdiff_t files_in(const TemporaryFolder& folder) {
  return std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator());
}

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.txt");
  AtomicFile file(path);
  file.write("one ");
  file.write("two");
  EXPECT_FALSE(fs::exists(path));
  file.commit();
  EXPECT_EQ(contents(path), "one two");
  EXPECT_EQ(files_in(folder), 1);
}

TEST(AtomicFile, LeavesNothingBehindWithoutCommit) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.txt");
  store(path, "old");
  {
    AtomicFile file(path);
    file.write(std::string(3 << 20, 'x'));
    EXPECT_EQ(files_in(folder), 2);
  }
  EXPECT_EQ(files_in(folder), 1);
  EXPECT_EQ(contents(path), "old");
}

TEST(AtomicFile, ReplacesAFileAndKeepsItsPermissions) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.txt");
  store(path, "old and longer");
  fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
  AtomicFile file(path);
  file.write("new");
  file.commit();
  EXPECT_EQ(contents(path), "new");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(AtomicFile, WritesEverySizeAroundItsBuffer) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.bin");
  for (const std::size_t size : {0, 1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, 5 << 20}) {
    const std::string bytes(size, 'b');
    AtomicFile file(path);
    file.write("a");
    file.write(bytes);
    file.write("c");
    file.commit();
    EXPECT_TRUE(contents(path) == "a" + bytes + "c") << size;
  }
}

TEST(AtomicFile, FollowsALink) {
  const TemporaryFolder folder;
  store(folder.file("real.txt"), "old");
  fs::create_symlink(folder.file("real.txt"), folder.file("link.txt"));
  AtomicFile file(folder.file("link.txt"));
  file.write("new");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(folder.file("link.txt")));
  EXPECT_EQ(contents(folder.file("real.txt")), "new");
}

TEST(AtomicFile, FollowsLinksToFilesThatDoNotExist) {
  const TemporaryFolder folder;
  fs::create_directory(folder.file("inside"));
  fs::create_symlink("inside/second.txt", folder.file("first.txt"));
  fs::create_symlink("third.txt", folder.file("inside/second.txt"));
  EXPECT_EQ(fs::path(follow_links(folder.file("first.txt"))).lexically_normal(),
            folder.file("inside/third.txt"));
  AtomicFile file(folder.file("first.txt"));
  file.write("new");
  file.commit();
  EXPECT_TRUE(fs::is_symlink(folder.file("first.txt")));
  EXPECT_TRUE(fs::is_symlink(folder.file("inside/second.txt")));
  EXPECT_EQ(contents(folder.file("inside/third.txt")), "new");
}

TEST(AtomicFile, RefusesLinksInACircle) {
  const TemporaryFolder folder;
  fs::create_symlink("b", folder.file("a"));
  fs::create_symlink("a", folder.file("b"));
  EXPECT_THROW(AtomicFile(folder.file("a")), FileError);
  EXPECT_EQ(files_in(folder), 2);
}

TEST(AtomicFile, TellsThatWritingFailed) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  AtomicFile file("/dev/full");
  file.write("something");
  EXPECT_THROW(file.commit(), WriteError);
}

TEST(AtomicFile, TemporaryFilesCanBeRemovedAllAtOnce) {
  const TemporaryFolder folder;
  store(folder.file("a.txt"), "old");
  AtomicFile first(folder.file("a.txt")), second(folder.file("b.txt"));
  first.write("new");
  EXPECT_EQ(files_in(folder), 3);
  remove_temporary_files();
  EXPECT_EQ(files_in(folder), 1);
  EXPECT_THROW(first.commit(), WriteError);
  EXPECT_EQ(contents(folder.file("a.txt")), "old");
}

TEST(AtomicFile, WritesToADeviceAndAPipeDirectly) {
  AtomicFile null("/dev/null");
  null.write("gone");
  null.commit();
  EXPECT_TRUE(fs::is_character_file("/dev/null"));

  const TemporaryFolder folder;
  const std::string pipe = folder.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  AtomicFile file(pipe);
  file.write("through");
  file.commit();
  char got[16] = {};
  EXPECT_EQ(::read(reader, got, sizeof got), 7);
  EXPECT_STREQ(got, "through");
  ::close(reader);
  EXPECT_TRUE(fs::is_fifo(pipe));
}

TEST(AtomicFile, NamesThePathAndTheReasonOfAFailure) {
  const TemporaryFolder folder;
  const auto message = [](const std::string& path) -> std::string {
    try {
      AtomicFile file(path);
    } catch (const FileError& error) {
      return error.what();
    }
    return {};
  };
  const std::string missing = folder.file("no/such/folder.txt");
  EXPECT_NE(message(missing).find(missing), std::string::npos);
  EXPECT_NE(message(missing).find("No such file"), std::string::npos);
  EXPECT_NE(message(folder.path().string()).find("folder"), std::string::npos);
  // The administrator may write everywhere.
  if (::geteuid() != 0) {
    store(folder.file("protected"), "");
    fs::permissions(folder.file("protected"), fs::perms::owner_read);
    EXPECT_NE(message(folder.file("protected")).find("Permission denied"), std::string::npos);
  }
}

}  // namespace
}  // namespace geodome::internal
