#include "geodome/landmark/block_log.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>

#include "geodome/base/error.h"
#include "geodome/geodesic/factory.h"
#include "geodome/landmark/landmark_distances.h"
#include "geodome/landmark/landmarks.h"
#include "geodome/shape/builtin/builtin.h"
#include "landmark/packed_numbers.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

using testing::TemporaryFolder;

std::vector<std::byte> block_of(int number) {
  return std::vector<std::byte>(static_cast<std::size_t>(10 + 7 * number),
                                static_cast<std::byte>(number + 1));
}

/// How many of the blocks 0, 1, … come back as they were.
int sound_blocks(BlockLog& log) {
  int number = 0;
  for (;; ++number) {
    std::vector<std::byte> bytes(block_of(number).size());
    if (!log.recall(static_cast<std::size_t>(number), bytes)) return number;
    EXPECT_EQ(bytes, block_of(number)) << number;
  }
}

class Log : public ::testing::Test {
 protected:
  void SetUp() override {
    BlockLog log(path_, "key");
    for (int number = 0; number < 5; ++number) log.keep(block_of(number));
  }

  TemporaryFolder folder_;
  const std::string path_ = folder_ / "log";
};

TEST_F(Log, GivesBackWhatItWasGiven) {
  BlockLog log(path_, "key");
  EXPECT_EQ(log.count(), 5u);
  EXPECT_EQ(sound_blocks(log), 5);
  log.keep(block_of(5));
  EXPECT_EQ(sound_blocks(log), 6);
}

TEST_F(Log, OfAnotherKeyIsBegunAnew) {
  for (const char* key : {"other", "ke", "keys", ""}) {
    BlockLog log(path_, key);
    EXPECT_EQ(log.count(), 0u) << key;
    log.keep(block_of(0));
  }
}

TEST_F(Log, ThatWasCutOffAnywhereKeepsTheBlocksBefore) {
  const auto size = std::filesystem::file_size(path_);
  int before = 5;
  for (auto length = size; length-- > 0;) {
    std::filesystem::resize_file(path_, length);
    BlockLog log(path_, "key");
    const int sound = sound_blocks(log);
    EXPECT_LE(sound, before);
    before = sound;
  }
  EXPECT_EQ(before, 0);
}

TEST_F(Log, WithAFlippedBitGivesNoWrongBlock) {
  std::string good;
  {
    std::ostringstream bytes;
    bytes << std::ifstream(path_, std::ios::binary).rdbuf();
    good = bytes.str();
  }
  const std::size_t magic = std::string_view("geodome progress ").size();
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (1 << (at % 8)));
    std::ofstream(path_, std::ios::binary) << bad;
    if (at < magic) {  // it may be anything
      EXPECT_THROW(BlockLog(path_, "key"), FileError) << "byte " << at;
      EXPECT_EQ(testing::contents(path_), bad);
      continue;
    }
    BlockLog log(path_, "key");
    const int sound = sound_blocks(log);
    EXPECT_LT(sound, 5) << "byte " << at;
    for (int number = sound; number < 5; ++number) log.keep(block_of(number));
    EXPECT_EQ(sound_blocks(log), 5) << "byte " << at;
  }
}

TEST_F(Log, IsUsedByOneRunAtATime) {
  const BlockLog log(path_, "key");
  EXPECT_THROW(BlockLog(path_, "key"), InputError);
}

TEST_F(Log, LeavesOtherFilesAlone) {
  const std::string path = folder_ / "other";
  for (const std::string content :
       {"anything at all", "geodome", "geodome progress", "g", "x", "geodome  progress 1"}) {
    testing::store(path, content);
    const bool begun = std::string_view("geodome progress ").starts_with(content);
    EXPECT_EQ(is_block_log(path), begun) << content;
    if (begun) continue;
    EXPECT_THROW(BlockLog(path, "key"), FileError) << content;
    remove_block_log(path);
    EXPECT_EQ(testing::contents(path), content);
  }
  EXPECT_FALSE(is_block_log(folder_ / "missing"));
  EXPECT_FALSE(is_block_log(folder_.path().string()));
  EXPECT_TRUE(is_block_log(path_));
  remove_block_log(path_);
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(Log, ThatCannotBeWrittenIsAnError) {
  EXPECT_THROW(BlockLog(folder_ / "nowhere" + "/log", "key"), FileError);
}

/// Counts what is asked of it, and stops when told to.
class CountingSolver : public GeodesicSolver {
 public:
  CountingSolver(const GeodesicSolver& solver, int allowed) : solver_(solver), allowed_(allowed) {}
  Index size() const override { return solver_.size(); }
  void distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                 const Execution& execution) const override {
    solver_.distances(sources, out, execution);
  }
  RowMatrix<double> between(std::span<const Index> sources, std::span<const Index> targets,
                            const Execution& execution) const override {
    if (calls_ == allowed_) throw Cancelled();
    ++calls_;
    return solver_.between(sources, targets, execution);
  }
  int calls() const { return calls_; }

 private:
  const GeodesicSolver& solver_;
  int allowed_;
  mutable int calls_ = 0;
};

TEST(LandmarkDistances, GoOnWhereARunWasBrokenOff) {
  const TemporaryFolder folder;
  const TriangleMesh mesh = make_sphere(8);
  const auto adjacency = make_adjacency(static_cast<Index>(mesh.points.rows()), face_edges(mesh));
  const OrderedLandmarks landmarks = order_landmarks(adjacency, choose_landmarks(mesh, 50).vertices);
  const auto solver = make_solver(mesh);
  for (const Precision precision : {Precision::float32, Precision::uint16, Precision::float64}) {
    LandmarkDistanceOptions options{.precision = precision, .together = 8};
    const LandmarkDistances whole = landmark_distances(*solver, landmarks, options);
    options.log = folder / "log";
    options.log_key = "a sphere";
    const int first = precision == Precision::uint16 ? 3 : 0;  // rows that tell the step, in every run
    for (const int done : {2, 3}) {
      const CountingSolver stopping(*solver, first + done);
      EXPECT_THROW(landmark_distances(stopping, landmarks, options), Cancelled);
    }
    const CountingSolver rest(*solver, 100);
    const LandmarkDistances resumed = landmark_distances(rest, landmarks, options);
    EXPECT_EQ(rest.calls(), first + 7 - 5);
    EXPECT_EQ(resumed.recalled, 5 * 8);
    EXPECT_EQ(numbers_of(resumed.values), numbers_of(whole.values));
    EXPECT_EQ(resumed.spacing, whole.spacing);
    EXPECT_EQ(resumed.mean_disagreement, whole.mean_disagreement);
    // Other landmarks are another computation.
    OrderedLandmarks fewer = order_landmarks(adjacency, choose_landmarks(mesh, 49).vertices);
    EXPECT_EQ(landmark_distances(*solver, fewer, options).recalled, 0);
    remove_block_log(options.log);
  }
}

}  // namespace
}  // namespace geodome::internal
