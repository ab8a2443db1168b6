#include "geodome/base/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "geodome/base/atomic_file.h"
#include "geodome/base/error.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

using testing::store;
using testing::TemporaryFolder;

TEST(MappedFile, ShowsTheFileAlsoAfterItMoved) {
  const TemporaryFolder folder;
  store(folder.file("a"), "some bytes");
  MappedFile first(folder.file("a"));
  const std::byte* where = first.bytes().data();
  const MappedFile second(std::move(first));
  EXPECT_EQ(second.as_text(), "some bytes");
  EXPECT_EQ(second.bytes().data(), where);
  EXPECT_EQ(second.size(), 10U);
  EXPECT_EQ(second.path(), folder.file("a"));
}

TEST(MappedFile, KeepsShowingAFileThatWasReplaced) {
  const TemporaryFolder folder;
  store(folder.file("a"), "old");
  const MappedFile mapped(folder.file("a"));
  AtomicFile replacement(folder.file("a"));
  replacement.write("new and longer");
  replacement.commit();
  EXPECT_EQ(mapped.as_text(), "old");
  EXPECT_EQ(MappedFile(folder.file("a")).as_text(), "new and longer");
}

TEST(MappedFile, RefusesWhatCannotBeMappedAndNamesIt) {
  const TemporaryFolder folder;
  store(folder.file("empty"), "");
  ASSERT_EQ(::mkfifo(folder.file("pipe").c_str(), 0600), 0);
  for (const std::string& path :
       {folder.file("missing"), folder.file("empty"), folder.file("pipe"), folder.path().string()}) {
    try {
      const MappedFile mapped(path);
      ADD_FAILURE() << path;
    } catch (const FileError& error) {
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace geodome::internal
