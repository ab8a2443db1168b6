#include "geodome/embedding/rank_gram.h"

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

const LandmarkMatrix& form_of(const GramOperator& gram) {
  const LandmarkMatrix* form = gram.matrix().landmark_matrix();
  if (form == nullptr) throw InputError("products by ranks require a matrix P W Pᵀ");
  return *form;
}

std::size_t first_row(const GramOperator& gram, const Team& team, int rank) {
  return static_cast<std::size_t>(gram.size()) * static_cast<std::size_t>(rank) /
         static_cast<std::size_t>(team.size());
}

}  // namespace

RankGram::RankGram(const GramOperator& gram, const Team& team, const Execution& execution)
    : gram_(gram),
      form_(form_of(gram)),
      W_(form_.W(form_.component(gram.vertices().front()))),
      team_(team),
      execution_{execution.threads, {}},
      begin_(first_row(gram, team, team.rank())),
      end_(first_row(gram, team, team.rank() + 1)),
      column_sums_(Vector::Zero(W_.size())) {
  Weights row;
  first_.push_back(0);
  for (std::size_t v = begin_; v < end_; ++v) {
    form_.read_weights(gram.vertices()[v], row);
    for (std::size_t k = 0; k < row.size(); ++k) {
      column_.push_back(row.column[k]);
      weight_.push_back(row.value[k]);
      column_sums_[row.column[k]] += row.value[k];
    }
    first_.push_back(column_.size());
  }
  team_.sum(std::span(column_sums_.data(), static_cast<std::size_t>(column_sums_.size())));
}

void RankGram::multiply(const double* x, double* y) const {
  // Pᵀ J x = Pᵀ x - mean(x) Pᵀ 1; the last number is the sum of x.
  Vector at_landmarks = Vector::Zero(W_.size() + 1);
  for (std::size_t v = 0; v < end_ - begin_; ++v) {
    for (std::size_t k = first_[v]; k < first_[v + 1]; ++k) at_landmarks[column_[k]] += weight_[k] * x[v];
    at_landmarks[W_.size()] += x[v];
  }
  team_.sum(std::span(at_landmarks.data(), static_cast<std::size_t>(at_landmarks.size())));
  const double n = gram_.size();
  const Vector centred = at_landmarks.head(W_.size()) - at_landmarks[W_.size()] / n * column_sums_;
  Vector z = W_.times_part(team_.rank(), team_.size(), centred, PackedSymmetric::Power::two, execution_);
  team_.sum(std::span(z.data(), static_cast<std::size_t>(z.size())));
  z *= -gram_.scale() / 2;
  const double mean = column_sums_.dot(z) / n;
  for (std::size_t v = 0; v < end_ - begin_; ++v) {
    double sum = -mean;
    for (std::size_t k = first_[v]; k < first_[v + 1]; ++k) sum += weight_[k] * z[column_[k]];
    y[v] = sum;
  }
}

Eigen::MatrixXd RankGram::gathered(const Eigen::MatrixXd& mine) const {
  const auto bytes = std::as_bytes(std::span(mine.data(), static_cast<std::size_t>(mine.size())));
  const std::vector<Bytes> all = team_.gather({bytes.begin(), bytes.end()});
  Eigen::MatrixXd result(gram_.size(), mine.cols());
  for (int rank = 0; rank < team_.size(); ++rank) {
    const auto begin = static_cast<Eigen::Index>(first_row(gram_, team_, rank));
    const auto rows = static_cast<Eigen::Index>(first_row(gram_, team_, rank + 1)) - begin;
    Eigen::MatrixXd part(rows, mine.cols());
    BytesReader(all[static_cast<std::size_t>(rank)])
        .get_all(std::span(part.data(), static_cast<std::size_t>(part.size())));
    result.middleRows(begin, rows) = part;
  }
  return result;
}

}  // namespace geodome::internal
