#include "geodome/export/mat_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "geodome/base/error.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

using testing::TemporaryFolder;

/// Reads a file as the format's description says, element by element.
class MatReader {
 public:
  explicit MatReader(const std::string& path) {
    std::ostringstream all;
    all << std::ifstream(path, std::ios::binary).rdbuf();
    bytes_ = all.str();
    EXPECT_EQ(bytes_.substr(0, 10), "MATLAB 5.0");
    EXPECT_EQ(bytes_.substr(124, 4), std::string("\x00\x01IM", 4));
    at_ = 128;
  }

  bool done() const { return at_ == bytes_.size(); }

  struct Array {
    std::string name;
    std::uint32_t kind = 0;
    std::int32_t rows = 0, columns = 0;
    std::vector<double> values;
  };

  Array next() {
    const std::size_t end = tag(14);
    Array array;
    EXPECT_EQ(tag(6) - at_, 8u);
    array.kind = number<std::uint32_t>();
    EXPECT_EQ(number<std::uint32_t>(), 0u);
    EXPECT_EQ(tag(5) - at_, 8u);
    array.rows = number<std::int32_t>();
    array.columns = number<std::int32_t>();
    const std::size_t name_end = tag(1);
    array.name = bytes_.substr(at_, name_end - at_);
    at_ = (name_end + 7) / 8 * 8;
    const std::size_t numbers_end = tag(array.kind == 7 ? 7 : 9);
    while (at_ < numbers_end)
      array.values.push_back(array.kind == 7 ? static_cast<double>(number<float>()) : number<double>());
    at_ = (at_ + 7) / 8 * 8;
    EXPECT_EQ(at_, end);
    return array;
  }

 private:
  template <typename Number>
  Number number() {
    Number value;
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
    return value;
  }
  /// Where the element ends.
  std::size_t tag(std::uint32_t expected_kind) {
    EXPECT_EQ(number<std::uint32_t>(), expected_kind);
    const auto size = number<std::uint32_t>();
    return at_ + size;
  }

  std::string bytes_;
  std::size_t at_ = 0;
};

TEST(MatFile, HoldsMatricesAsTheFormatSays) {
  const TemporaryFolder folder;
  const std::vector<double> six{1, -2.5, 3e300, 4, 5, 6};
  const std::vector<float> three{0.5F, 1.5F, 2.5F};
  MatFileWriter file(folder / "a.mat");
  file.begin_matrix<double>("six", 2, 3);
  file.append(six.data(), 4);
  file.append(six.data() + 4, 2);
  file.begin_matrix<float>("three_of_them", 3, 1);
  file.append(three.data(), 3);
  file.add_scalar("x", 0.25);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.mat"));
  file.commit();

  MatReader reader(folder / "a.mat");
  const auto first = reader.next();
  EXPECT_EQ(first.name, "six");
  EXPECT_EQ(first.kind, 6u);
  EXPECT_EQ(first.rows, 2);
  EXPECT_EQ(first.columns, 3);
  EXPECT_EQ(first.values, six);
  const auto second = reader.next();
  EXPECT_EQ(second.name, "three_of_them");
  EXPECT_EQ(second.kind, 7u);
  EXPECT_EQ(second.values, std::vector<double>(three.begin(), three.end()));
  EXPECT_EQ(reader.next().values, std::vector<double>{0.25});
  EXPECT_TRUE(reader.done());
}

TEST(MatFile, RefusesWhatTheFormatCannotHold) {
  const TemporaryFolder folder;
  MatFileWriter file(folder / "a.mat");
  EXPECT_THROW(file.begin_matrix<double>("K", 16384, 16384), InputError);
  EXPECT_THROW(file.begin_matrix<float>("K", 1LL << 40, 1LL << 40), InputError);
  EXPECT_THROW(file.begin_matrix<double>("K", -1, 2), InputError);
  for (const std::string& bad : {std::string(), std::string("1a"), std::string("a b"), std::string("_a"),
                                 std::string("ä"), std::string(64, 'a')})
    EXPECT_THROW(file.add_scalar(bad, 1), InputError) << bad;
  file.add_scalar(std::string(63, 'a'), 1);
}

TEST(MatFile, RefusesTooFewAndTooMany) {
  const TemporaryFolder folder;
  const double one = 1;
  MatFileWriter file(folder / "a.mat");
  EXPECT_THROW(file.append(&one, 1), InputError);
  file.begin_matrix<double>("K", 2, 1);
  const float small = 1;
  EXPECT_THROW(file.append(&small, 1), InputError);
  file.append(&one, 1);
  EXPECT_THROW(file.commit(), InputError);
  EXPECT_THROW(file.add_scalar("x", 1), InputError);
  file.append(&one, 1);
  EXPECT_THROW(file.append(&one, 1), InputError);
  file.commit();
  EXPECT_EQ(MatReader(folder / "a.mat").next().values, (std::vector<double>{1, 1}));
}

}  // namespace
}  // namespace geodome::internal
