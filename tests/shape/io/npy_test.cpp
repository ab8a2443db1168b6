#include "geodome/shape/io/npy.h"

#include <gtest/gtest.h>

#include "bytes.h"
#include "file_support.h"
#include "geodome/shape/io/parse/npy_header.h"
#include "gzip.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

using testing::contents;
using testing::expect_refused;
using testing::identical;
using testing::parse;
using testing::store;
using testing::TemporaryFolder;

std::string npy(const std::string& dictionary, const std::string& data, int version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  if (version == 1) {
    testing::put(bytes, static_cast<std::uint16_t>(dictionary.size()), ByteOrder::little);
  } else {
    testing::put(bytes, static_cast<std::uint32_t>(dictionary.size()), ByteOrder::little);
  }
  return bytes + dictionary + data;
}

std::string dictionary(const std::string& descr, const std::string& shape, bool fortran = false) {
  return text("{'descr': '", descr, "', 'fortran_order': ", fortran ? "True" : "False", ", 'shape': ", shape,
              ", }\n");
}

// The 2 by 3 matrix 1 2 3 / 4 5 6 in some type and order.
template <typename Value>
std::string six(ByteOrder order, bool fortran) {
  std::string bytes;
  for (int value : fortran ? std::vector<int>{1, 4, 2, 5, 3, 6} : std::vector<int>{1, 2, 3, 4, 5, 6}) {
    testing::put(bytes, static_cast<Value>(value), order);
  }
  return bytes;
}

template <typename Value>
void expect_six(const std::string& type) {
  const RowMatrix<double> expected = (RowMatrix<double>(2, 3) << 1, 2, 3, 4, 5, 6).finished();
  for (ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
    for (bool fortran : {false, true}) {
      for (int version : {1, 2, 3}) {
        const std::string descr = (order == ByteOrder::little ? "<" : ">") + type;
        const Shape shape =
            parse("f.npy", npy(dictionary(descr, "(2, 3)", fortran), six<Value>(order, fortran), version));
        EXPECT_TRUE(identical(std::get<Samples>(shape).values, expected)) << descr << fortran << version;
      }
    }
  }
}

TEST(Npy, ReadsEveryTypeOrderAndVersion) {
  expect_six<std::int8_t>("i1");
  expect_six<std::uint8_t>("u1");
  expect_six<std::int16_t>("i2");
  expect_six<std::uint16_t>("u2");
  expect_six<std::int32_t>("i4");
  expect_six<std::uint32_t>("u4");
  expect_six<std::int64_t>("i8");
  expect_six<std::uint64_t>("u8");
  expect_six<float>("f4");
  expect_six<double>("f8");
}

TEST(Npy, ThreeColumnsStaySamplesWhateverTheName) {
  for (const char* name : {"f.npy", "f", "f.xyz"}) {
    EXPECT_TRUE(std::holds_alternative<Samples>(
        parse(name, npy(dictionary("<f8", "(2, 3)"), six<double>(ByteOrder::little, false)))));
  }
}

TEST(Npy, RefusalsNameTheCause) {
  const std::string data = six<double>(ByteOrder::little, false);
  const auto with = [&](const std::string& header) { return npy(header, data); };
  expect_refused("f.npy", with(dictionary("<f8", "(2, 4)")), "more numbers than the 48 bytes");
  expect_refused("f.npy", with(dictionary("<f8", "(2, 2)")), "32 bytes of numbers, the file holds 48");
  expect_refused("f.npy", with(dictionary("<f8", "(6,)")), "two dimensions");
  expect_refused("f.npy", with(dictionary("<f8", "(1, 2, 3)")), "two dimensions");
  expect_refused("f.npy", npy(dictionary("<f8", "(1000000000, 0)"), ""), "the array is empty");
  expect_refused("f.npy", with(dictionary("<f8", "(4611686018427387904, 4611686018427387904)")),
                 "more numbers than");
  expect_refused("f.npy", with(dictionary("<f8", "(-2, -3)")), "tuple of sizes");
  expect_refused("f.npy", with(dictionary("<c16", "(1, 3)")), "'<c16' are not supported");
  expect_refused("f.npy", with(dictionary("|O", "(2, 3)")), "'|O' are not supported");
  expect_refused("f.npy", with("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (6,), }"),
                 "records");
  expect_refused("f.npy", with("{'descr': '<f8', 'shape': (2, 3), }"), "missing");
  expect_refused("f.npy", with("{'colour': '<f8'}"), "unknown key 'colour'");
  expect_refused("f.npy", npy(dictionary("<f8", "(2, 3)"), data, 9), "version 9");
  std::string long_header = npy(dictionary("<f8", "(2, 3)"), data);
  long_header[9] = '\x7f';
  expect_refused("f.npy", long_header, "more than the file holds");
}

template <typename Scalar>
void expect_round_trip() {
  const TemporaryFolder folder;
  const std::string path = folder.file("f.npy");
  const RowMatrix<Scalar> matrix = (RowMatrix<double>::Random(13, 5) * 1000).template cast<Scalar>();
  write_npy(matrix, path);
  EXPECT_EQ(read_npy_matrix(path), matrix.template cast<double>());
  EXPECT_EQ(contents(path).size() % 64, (matrix.size() * sizeof(Scalar)) % 64);
  // The same in pieces, and from a block that is not contiguous.
  NpyWriter<Scalar> writer(folder.file("g.npy"), 13, 3);
  for (Eigen::Index row = 0; row < 13; row += 4) {
    writer.append(matrix.block(row, 1, std::min<Eigen::Index>(4, 13 - row), 3));
  }
  writer.commit();
  EXPECT_EQ(read_npy_matrix(folder.file("g.npy")), matrix.middleCols(1, 3).template cast<double>());
}

TEST(Npy, WhatIsWrittenReadsBackExactly) {
  expect_round_trip<double>();
  expect_round_trip<float>();
  expect_round_trip<std::int32_t>();
  expect_round_trip<std::int64_t>();
}

TEST(Npy, ColumnMajorMatricesAndVectorsAreWrittenByRows) {
  const TemporaryFolder folder;
  const Eigen::MatrixXd matrix = Eigen::MatrixXd::Random(4, 6);
  write_npy(matrix, folder.file("f.npy"));
  EXPECT_EQ(read_npy_matrix(folder.file("f.npy")), matrix);
  const Eigen::VectorXd vector = Eigen::VectorXd::Random(9);
  write_npy(vector, folder.file("g.npy"));
  EXPECT_EQ(read_npy_matrix(folder.file("g.npy")), vector);
}

TEST(Npy, OneDimensionIsAColumn) {
  const TemporaryFolder folder;
  store(folder.file("f.npy"), npy(dictionary("<f8", "(6,)"), six<double>(ByteOrder::little, false)));
  EXPECT_EQ(read_npy_matrix(folder.file("f.npy")).rows(), 6);
  store(folder.file("f.npy"), npy(dictionary("<f8", "()"), std::string(8, '\0')));
  EXPECT_THROW(read_npy_matrix(folder.file("f.npy")), FileError);
}

TEST(NpyWriter, RowsThatDoNotFitAreRefusedAndNothingAppearsUnlessComplete) {
  const TemporaryFolder folder;
  {
    NpyWriter<float> writer(folder.file("f.npy"), 2, 3);
    EXPECT_THROW(writer.append(RowMatrix<float>::Zero(1, 4)), InputError);
    EXPECT_THROW(writer.append(RowMatrix<float>::Zero(3, 3)), InputError);
    writer.append(RowMatrix<float>::Zero(1, 3));
    EXPECT_THROW(writer.commit(), InputError);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

template <typename Scalar>
void expect_mapped(ByteOrder order) {
  const TemporaryFolder folder;
  const std::string path = folder.file("f.npy");
  const std::string descr = text(order == ByteOrder::little ? "<" : ">", "f", sizeof(Scalar));
  store(path, npy(dictionary(descr, "(2, 3)"), six<Scalar>(order, false)));
  MappedNpy first(path);
  const MappedNpy mapped(std::move(first));
  ASSERT_EQ(mapped.rows(), 2);
  ASSERT_EQ(mapped.columns(), 3);
  EXPECT_EQ(mapped.number_bytes(), static_cast<int>(sizeof(Scalar)));
  for (int row : {0, 1}) {
    double values[3];
    mapped.read_row(row, values);
    for (int column : {0, 1, 2}) {
      EXPECT_EQ(mapped(row, column), 3 * row + column + 1);
      EXPECT_EQ(values[column], 3 * row + column + 1);
    }
  }
}

TEST(MappedNpy, GivesEntriesAndRows) {
  for (ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
    expect_mapped<float>(order);
    expect_mapped<double>(order);
  }
}

TEST(MappedNpy, RefusesWhatItCannotMap) {
  const TemporaryFolder folder;
  const std::string data = six<double>(ByteOrder::little, false);
  const std::string good = npy(dictionary("<f8", "(2, 3)"), data);
  const std::pair<std::string, std::string> bad[] = {
      {"", "empty"},
      {testing::gzip(good), "gzipped"},
      {good.substr(0, good.size() - 1), "more numbers than the 47 bytes"},
      {good + "x", "the file holds 49"},
      {npy(dictionary("<f8", "(2, 3)", true), data), "Fortran order"},
      {npy(dictionary("<i8", "(2, 3)"), data), "float32 or float64"},
      {npy(dictionary("<f8", "(6,)"), data), "two dimensions"},
  };
  for (const auto& [bytes, cause] : bad) {
    store(folder.file("f.npy"), bytes);
    try {
      MappedNpy mapped(folder.file("f.npy"));
      ADD_FAILURE() << cause;
    } catch (const FileError& error) {
      EXPECT_TRUE(testing::contains(error.what(), cause)) << error.what();
    }
  }
  EXPECT_THROW(MappedNpy(folder.file("missing.npy")), FileError);
  EXPECT_THROW(MappedNpy(folder.path().string()), FileError);
}

}  // namespace
}  // namespace geodome::internal
