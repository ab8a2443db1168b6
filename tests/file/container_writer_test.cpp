#include "geodome/file/container_writer.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "container_support.h"

namespace geodome::internal {
namespace {

using namespace testing;

TEST(ContainerWriter, RefusesCallsThatDoNotFitTogether) {
  const TemporaryFolder folder;
  ContainerWriter writer(folder.file("a"));
  const std::vector<float> numbers = {1, 2};
  EXPECT_THROW(writer.append<float>(numbers), InputError);
  EXPECT_THROW(writer.end(), InputError);
  EXPECT_THROW(writer.add<float>(SectionKind("a\nbc"), numbers), InputError);
  writer.begin(numbers_kind, ElementType::float32);
  EXPECT_THROW(writer.begin(bytes_kind, ElementType::bytes), InputError);
  EXPECT_THROW(writer.commit(), InputError);
  EXPECT_THROW(writer.append<std::int32_t>({}), InputError);
  writer.append<float>(numbers);
  writer.end();
  EXPECT_THROW(writer.add<float>(numbers_kind, numbers), InputError);
  writer.commit();
  EXPECT_THROW(writer.commit(), InputError);
  EXPECT_THROW(writer.add<float>(bytes_kind, numbers), InputError);
  // None of them left a trace in the file.
  const Container container = Container::open(folder.file("a"), known_kinds);
  EXPECT_NO_THROW(container.verify());
  ASSERT_EQ(container.sections().size(), 1U);
  EXPECT_EQ(container.sections()[0].view<float>()[1], 2);
}

TEST(ContainerWriter, LeavesTheOldFileWithoutCommit) {
  const TemporaryFolder folder;
  const std::string path = folder.file("a.geodome");
  const Sample sample = make_sample(1000, 1000, 1);
  const Sample other = make_sample(10, 3 << 20, 2);
  write_sample(path, sample);
  const std::string before = contents(path);
  {
    ContainerWriter writer(path);
    writer.add_text(recipe_kind, other.recipe);
    writer.begin(bytes_kind, ElementType::bytes);
    writer.append<std::byte>(other.bytes);
  }
  EXPECT_TRUE(contents(path) == before);
  EXPECT_TRUE(read_sample(Container::open(path, known_kinds)) == sample);
  const std::filesystem::directory_iterator files(folder.path());
  EXPECT_EQ(std::distance(files, {}), 1);
}

/// A process that writes a container and stops at numbered moments, waiting for leave to go on.
class WritingProcess {
 public:
  WritingProcess(const std::string& path, const Sample& sample) {
    if (::pipe(to_child_) != 0 || ::pipe(from_child_) != 0) throw std::runtime_error("no pipe");
    process_ = ::fork();
    if (process_ != 0) return;
    try {
      write(path, sample);
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  ~WritingProcess() {
    for (const int end : {to_child_[0], to_child_[1], from_child_[0], from_child_[1]}) ::close(end);
  }
  WritingProcess(const WritingProcess&) = delete;
  WritingProcess& operator=(const WritingProcess&) = delete;

  /// Lets it reach the next moment.
  void wait() {
    char byte = 0;
    ASSERT_EQ(::read(from_child_[0], &byte, 1), 1);
  }
  void go_on() { ASSERT_EQ(::write(to_child_[1], "g", 1), 1); }
  void kill() {
    ASSERT_EQ(::kill(process_, SIGKILL), 0);
    ASSERT_EQ(::waitpid(process_, nullptr, 0), process_);
  }

  static constexpr int moments = 6;

 private:
  void moment() {
    char byte = 0;
    if (::write(from_child_[1], "m", 1) != 1 || ::read(to_child_[0], &byte, 1) != 1) ::_exit(2);
  }
  void write(const std::string& path, const Sample& sample) {
    moment();
    ContainerWriter writer(path);
    moment();
    writer.add_text(recipe_kind, sample.recipe);
    writer.begin(bytes_kind, ElementType::bytes, SectionNeed::optional);
    const std::span<const std::byte> bytes = sample.bytes;
    writer.append(bytes.first(bytes.size() / 2));
    moment();
    writer.append(bytes.subspan(bytes.size() / 2));
    moment();
    writer.end();
    writer.add<float>(numbers_kind, sample.numbers);
    writer.add<double>(empty_kind, {});
    moment();
    writer.commit();
    moment();
  }

  int to_child_[2] = {};
  int from_child_[2] = {};
  pid_t process_ = -1;
};

TEST(ContainerWriter, KilledBeforeCommitLeavesTheOldFile) {
  const Sample old_sample = make_sample(1000, 1000, 3);
  const Sample new_sample = make_sample(1000, 5 << 20, 4);
  for (int last = 0; last < WritingProcess::moments; ++last) {
    const TemporaryFolder folder;
    const std::string path = folder.file("a.geodome");
    write_sample(path, old_sample);
    WritingProcess process(path, new_sample);
    for (int moment = 0; moment <= last; ++moment) {
      if (moment > 0) process.go_on();
      process.wait();
    }
    process.kill();
    const Container container = Container::open(path, known_kinds);
    EXPECT_NO_THROW(container.verify());
    const bool committed = last == WritingProcess::moments - 1;
    EXPECT_TRUE(read_sample(container) == (committed ? new_sample : old_sample)) << last;
  }
}

TEST(ContainerWriter, KilledDuringCommitLeavesTheOldFileOrTheNewOne) {
  const Sample old_sample = make_sample(1000, 1000, 5);
  const Sample new_sample = make_sample(1000, 5 << 20, 6);
  for (int repeat = 0; repeat < 12; ++repeat) {
    const TemporaryFolder folder;
    const std::string path = folder.file("a.geodome");
    write_sample(path, old_sample);
    WritingProcess process(path, new_sample);
    for (int moment = 0; moment < WritingProcess::moments - 1; ++moment) {
      process.wait();
      process.go_on();
    }
    // From 20 microseconds to 40 milliseconds: whatever moment this hits, the outcome is one of two.
    ::usleep(static_cast<useconds_t>(20 << repeat));
    process.kill();
    const Container container = Container::open(path, known_kinds);
    EXPECT_NO_THROW(container.verify());
    const Sample found = read_sample(container);
    EXPECT_TRUE(found == old_sample || found == new_sample) << repeat;
  }
}

}  // namespace
}  // namespace geodome::internal
