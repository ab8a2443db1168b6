#include "geodome/comparison/form_set.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "geodome/base/error.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/io/write.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

class FormSet : public ::testing::Test {
 protected:
  FormSet() {
    write_shape(make_torus(20, 10), folder_ / "a.off");
    write_shape(make_sphere(4), folder_ / "b.off");
    std::filesystem::create_directory(folder_ / "more");
    write_shape(make_plane(12, 11), folder_ / "more/a.ply");
    paths_ = {folder_ / "a.off", folder_ / "b.off", folder_ / "more/a.ply"};
    options_.build.landmarks.count = 40;
    std::filesystem::create_directory(folder_ / "store");
  }

  const testing::TemporaryFolder folder_;
  std::vector<std::string> paths_;
  FormSetOptions options_;
};

TEST_F(FormSet, IsTheSameWhateverIsReusedAndHoweverItRuns) {
  const std::vector<ShapeForm> plain = canonical_forms(paths_, options_, Execution{1});
  ASSERT_EQ(plain.size(), 3u);
  EXPECT_EQ(plain[0].name, "a");
  EXPECT_EQ(plain[2].name, "a_2");
  EXPECT_EQ(plain[1].vertices, 162);
  options_.store = folder_ / "store";
  for (const int threads : {1, 3})
    for (const std::int64_t budget : {std::int64_t{1}, std::int64_t{1} << 40}) {
      options_.memory_budget = budget;
      const std::vector<ShapeForm> forms = canonical_forms(paths_, options_, Execution{threads});
      for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_EQ(forms[k].Z, plain[k].Z);
        EXPECT_EQ(forms[k].reused, threads > 1 || budget > 1);
      }
    }
}

TEST_F(FormSet, MakesAgainWhatChangedOrIsDamaged) {
  options_.store = folder_ / "store";
  canonical_forms(paths_, options_);
  write_shape(make_torus(22, 10), paths_[0]);
  for (const auto& file : std::filesystem::directory_iterator(options_.store))
    if (file.path().filename().string().starts_with("b-")) std::filesystem::resize_file(file.path(), 90);
  std::vector<ShapeForm> forms = canonical_forms(paths_, options_);
  EXPECT_FALSE(forms[0].reused);
  EXPECT_FALSE(forms[1].reused);
  EXPECT_TRUE(forms[2].reused);
  options_.build.landmarks.count = 30;
  for (const ShapeForm& form : canonical_forms(paths_, options_)) EXPECT_FALSE(form.reused);
}

TEST_F(FormSet, NamesTheFileThatIsWrong) {
  const std::string broken = folder_.write("broken.off", "OFF\n3 1 0\n0 0 0\n");
  for (const std::string& path : {broken, folder_ / "none.off"}) {
    try {
      canonical_forms({paths_[0], path}, options_);
      ADD_FAILURE() << "no error for " << path;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
    }
  }
  const Execution cancelling{2, [](std::string_view, double) { return false; }};
  EXPECT_THROW(canonical_forms(paths_, options_, cancelling), Cancelled);
}

}  // namespace
}  // namespace geodome::internal
