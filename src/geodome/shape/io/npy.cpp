#include "geodome/shape/io/npy.h"

#include <limits>

#include "geodome/base/atomic_file.h"
#include "geodome/base/error.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/parse/input_file.h"
#include "geodome/shape/io/parse/npy_header.h"

namespace geodome::internal {
namespace {

RowMatrix<double> decode_matrix(const InputFile& file, const NpyHeader& header) {
  const Eigen::Index rows = header.shape[0];
  const Eigen::Index columns = header.shape.size() == 2 ? header.shape[1] : 1;
  if (rows == 0 || columns == 0) {
    throw FileError(text("'", file.path, "': the array is empty: ", rows, " by ", columns));
  }
  const auto decode = [&](double* out) {
    decode_numbers(file.content.data() + header.data_offset, static_cast<std::size_t>(rows * columns),
                   header.type, header.order, out);
  };
  RowMatrix<double> matrix(rows, columns);
  if (header.fortran_order) {
    Eigen::MatrixXd by_columns(rows, columns);
    decode(by_columns.data());
    matrix = by_columns;
  } else {
    decode(matrix.data());
  }
  return matrix;
}

template <typename Scalar>
std::string descr();
template <>
std::string descr<double>() {
  return "<f8";
}
template <>
std::string descr<float>() {
  return "<f4";
}
template <>
std::string descr<std::int32_t>() {
  return "<i4";
}
template <>
std::string descr<std::int64_t>() {
  return "<i8";
}

template <typename Scalar>
void write_whole(const Eigen::Ref<const RowMatrix<Scalar>>& matrix, const std::string& path) {
  NpyWriter<Scalar> writer(path, matrix.rows(), matrix.cols());
  writer.append(matrix);
  writer.commit();
}

}  // namespace

Match recognise_npy(const InputFile& file) {
  return is_npy(file.content) ? Match::certain : Match::no;
}

Shape read_npy(const InputFile& file) {
  const NpyHeader header = parse_npy_header(file.content, file.content.size(), file.path);
  if (header.shape.size() != 2) {
    throw FileError(text("'", file.path,
                         "': samples are an array of two dimensions (samples by values), not ",
                         header.shape.size()));
  }
  if (header.shape[0] > std::numeric_limits<Index>::max()) {
    throw FileError(text("'", file.path, "': ", header.shape[0], " samples, more than ",
                         std::numeric_limits<Index>::max()));
  }
  return Samples{decode_matrix(file, header)};
}

RowMatrix<double> parse_npy_matrix(const InputFile& file) {
  const NpyHeader header = parse_npy_header(file.content, file.content.size(), file.path);
  if (header.shape.empty() || header.shape.size() > 2) {
    throw FileError(text("'", file.path, "': a matrix has one or two dimensions, not ", header.shape.size()));
  }
  return decode_matrix(file, header);
}

RowMatrix<double> read_npy_matrix(const std::string& path) {
  return parse_npy_matrix(load_file(path));
}

void write_npy(const Eigen::Ref<const RowMatrix<double>>& matrix, const std::string& path) {
  write_whole<double>(matrix, path);
}
void write_npy(const Eigen::Ref<const RowMatrix<float>>& matrix, const std::string& path) {
  write_whole<float>(matrix, path);
}
void write_npy(const Eigen::Ref<const RowMatrix<std::int32_t>>& matrix, const std::string& path) {
  write_whole<std::int32_t>(matrix, path);
}
void write_npy(const Eigen::Ref<const RowMatrix<std::int64_t>>& matrix, const std::string& path) {
  write_whole<std::int64_t>(matrix, path);
}

template <typename Scalar>
NpyWriter<Scalar>::NpyWriter(const std::string& path, std::int64_t rows, std::int64_t columns)
    : file_(std::make_unique<AtomicFile>(path)), rows_(rows), columns_(columns) {
  static_assert(native_order == ByteOrder::little, "numbers are written as they are in memory");
  file_->write(make_npy_header(descr<Scalar>(), rows, columns));
}

template <typename Scalar>
NpyWriter<Scalar>::~NpyWriter() = default;

template <typename Scalar>
void NpyWriter<Scalar>::append(const Eigen::Ref<const RowMatrix<Scalar>>& rows) {
  if (rows.cols() != columns_ || rows.rows() > rows_ - written_) {
    throw InputError(text("rows ", written_, " to ", written_ + rows.rows(), " of ", rows.cols(),
                          " numbers do not fit a matrix of ", rows_, " by ", columns_));
  }
  for (Eigen::Index row = 0; row < rows.rows(); ++row) {
    const auto* bytes = reinterpret_cast<const char*>(rows.data() + row * rows.outerStride());
    file_->write({bytes, static_cast<std::size_t>(columns_) * sizeof(Scalar)});
  }
  written_ += rows.rows();
}

template <typename Scalar>
void NpyWriter<Scalar>::commit() {
  if (written_ != rows_) throw InputError(text("only ", written_, " of ", rows_, " rows were written"));
  file_->commit();
}

template class NpyWriter<double>;
template class NpyWriter<float>;
template class NpyWriter<std::int32_t>;
template class NpyWriter<std::int64_t>;

}  // namespace geodome::internal
