#include "geodome/comparison/form_store.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "temporary_folder.h"

namespace geodome::internal {
namespace {

TEST(FormStore, GivesBackWhatItKeepsAndNothingElse) {
  const testing::TemporaryFolder folder;
  EXPECT_NE(form_key("one"), form_key("two"));
  EXPECT_EQ(form_key("one").size(), 16u);
  const std::string path = form_path(folder.path().string(), "cat", form_key("one"));
  EXPECT_FALSE(load_form(path, 5, 3));
  const RowMatrix<double> Z = RowMatrix<double>::Random(5, 3);
  save_form(path, Z);
  ASSERT_TRUE(load_form(path, 5, 3));
  EXPECT_EQ(*load_form(path, 5, 3), Z);
  EXPECT_FALSE(load_form(path, 6, 3));
  EXPECT_FALSE(load_form(path, 5, 2));
  std::filesystem::resize_file(path, 100);
  EXPECT_FALSE(load_form(path, 5, 3));
}

}  // namespace
}  // namespace geodome::internal
