#include "geodome/comparison/table.h"

#include <gtest/gtest.h>

#include <fstream>

#include "geodome/base/error.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

RowMatrix<double> table_of(const RowMatrix<double>& points) {
  RowMatrix<double> table(points.rows(), points.rows());
  for (Index i = 0; i < points.rows(); ++i)
    for (Index j = 0; j < points.rows(); ++j) table(i, j) = (points.row(i) - points.row(j)).norm();
  return table;
}

TEST(Table, NamesTheNearestAndCountsCategories) {
  RowMatrix<double> points(5, 2);
  points << 0, 0, 1, 0, 5, 5, 5, 6, 1.5, 0;
  const RowMatrix<double> table = table_of(points);
  EXPECT_EQ(nearest_shapes(table), (std::vector<Index>{1, 4, 3, 2, 1}));
  const CategoryAccuracy accuracy = category_accuracy(table, {"cat", "cat", "dog", "dog", "wolf"});
  EXPECT_EQ(accuracy.of, 4);
  EXPECT_EQ(accuracy.right, 3);
  EXPECT_EQ(accuracy.share(), 0.75);
  EXPECT_EQ(category_accuracy(table, {"a", "b", "c", "d", "e"}).share(), 0);
  EXPECT_THROW(category_accuracy(table, {"cat"}), InputError);
  EXPECT_EQ(nearest_shapes(RowMatrix<double>::Zero(1, 1)), std::vector<Index>{-1});
}

TEST(Table, MapsKeepDistancesInThePlane) {
  RowMatrix<double> points(6, 2);
  points << 0, 0, 3, 0, 3, 4, -1, 2, 8, 8, 0.5, -2;
  EXPECT_LE((table_of(shape_map(table_of(points))) - table_of(points)).norm(), 1e-9);
  EXPECT_EQ(shape_map(RowMatrix<double>::Zero(1, 1)), RowMatrix<double>(RowMatrix<double>::Zero(1, 2)));
}

TEST(Labels, ComeFromNames) {
  EXPECT_EQ(label_of("poses/cat10.off.gz"), "cat");
  EXPECT_EQ(label_of("david-2"), "david");
  EXPECT_EQ(label_of("/a.b/wolf_03.ply"), "wolf");
  EXPECT_EQ(label_of("0042.obj"), "0042");
  EXPECT_EQ(label_of("lion ess 1.obj"), "lion ess");
}

TEST(Labels, ComeFromAFile) {
  const testing::TemporaryFolder folder;
  const std::string path = folder / "labels.txt";
  std::ofstream(path) << "# shapes\ncat0.off, feline\r\n\nlion.obj\tfeline\n/some/where/wolf1 canine\n";
  EXPECT_EQ(read_labels(path, {"x/wolf1.off", "cat0.off", "lion"}),
            (std::vector<std::string>{"canine", "feline", "feline"}));
  EXPECT_THROW(read_labels(path, {"horse.off"}), FileError);
  std::ofstream(path) << "cat0.off\n";
  EXPECT_THROW(read_labels(path, {"cat0.off"}), FileError);
  EXPECT_THROW(read_labels(folder / "none.txt", {}), FileError);
}

}  // namespace
}  // namespace geodome::internal
