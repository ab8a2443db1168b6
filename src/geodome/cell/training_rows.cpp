#include "geodome/cell/training_rows.h"

#include <algorithm>
#include <cmath>

#include "geodome/base/threads.h"
#include "geodome/geodesic/shared_rows.h"

namespace geodome::internal {
namespace {

/// Rows measured at once: two groups of the largest size that solvers form.
constexpr std::size_t rows_together = 128;

/// Some vertices of a component: its landmarks and others, evenly through its cells.
std::vector<Index> sample_vertices(const CellLayout& layout, const OrderedLandmarks& landmarks,
                                   Index component, Index wanted) {
  const auto first = landmarks.component_first[component], last = landmarks.component_first[component + 1];
  std::vector<Index> result(landmarks.vertices.begin() + first, landmarks.vertices.begin() + last);
  const std::vector<Index> chosen = [&] {
    std::vector<Index> sorted = result;
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  }();
  const Index begin = layout.first[layout.component_first[component]];
  const Index end = layout.first[layout.component_first[component + 1]];
  const double step = std::max(1.0, static_cast<double>(end - begin) / std::max<Index>(1, wanted));
  for (double at = step / 2; at < static_cast<double>(end - begin); at += step) {
    const Index vertex = layout.members[begin + static_cast<Index>(at)];
    if (!std::binary_search(chosen.begin(), chosen.end(), vertex)) result.push_back(vertex);
  }
  return result;
}

/// Differences to the centre; what is not finite becomes zero and is marked.
void subtract_centre(const Eigen::Ref<const RowMatrix<double>>& rows, const Eigen::VectorXd& centre,
                     RowMatrix<float>& out, std::vector<char>* broken) {
  out.resize(rows.rows(), rows.cols());
  for (Eigen::Index t = 0; t < rows.rows(); ++t)
    for (Eigen::Index k = 0; k < rows.cols(); ++k) {
      const double difference = rows(t, k) - centre[t];
      const bool finite = std::isfinite(difference);
      out(t, k) = finite ? static_cast<float>(difference) : 0;
      if (!finite && broken != nullptr) (*broken)[static_cast<std::size_t>(k)] = 1;
    }
}

/// A row without the distances of all the support says nothing about any vertex.
void leave_out_broken_rows(RowMatrix<double>& chosen, Eigen::VectorXd& centre, RowMatrix<double>& members) {
  for (Eigen::Index t = 0; t < chosen.rows(); ++t) {
    if (std::isfinite(centre[t]) && chosen.row(t).allFinite()) continue;
    centre[t] = 0;
    chosen.row(t).setZero();
    members.row(t).setZero();
  }
}

/// Rows of landmarks near the cell count less: no weights reproduce the cone that a distance has at its
/// source, and near distances are corrected in another way (near_field.h).
void weight_near_rows(const Eigen::VectorXd& centre, double near, RowMatrix<float>& D, RowMatrix<float>& d) {
  constexpr double least = 0.3;
  for (Eigen::Index t = 0; t < centre.size(); ++t) {
    if (!(centre[t] < near)) continue;
    const auto weight = static_cast<float>(std::max(least, centre[t] / near));
    D.row(t) *= weight;
    d.row(t) *= weight;
  }
}

}  // namespace

/// Of rows to the members of a component: all columns in the order of the members, or with a team the members
/// of the rank's own cells, and those that all ranks need.
class TrainingRows::Columns {
 public:
  Columns(const TrainingRows& rows, Index component)
      : rows_(rows),
        begin_(rows.layout_.first[rows.layout_.component_first[component]]),
        end_(rows.layout_.first[rows.layout_.component_first[component + 1]]) {
    if (rows.team_ == nullptr) return;
    wanted_.resize(static_cast<std::size_t>(rows.team_->size()));
    for (Index c = rows.layout_.component_first[component]; c < rows.layout_.component_first[component + 1];
         ++c)
      for (Index k = rows.layout_.first[c]; k < rows.layout_.first[c + 1]; ++k)
        wanted_[static_cast<std::size_t>(rows.sums_.rank[c])].push_back(k - begin_);
    const auto& first = rows.landmarks_.component_first;
    for (std::vector<Index>& one : wanted_) {
      for (Index k = first[component]; k < first[component + 1]; ++k)
        one.push_back(rows.place_[rows.landmarks_.vertices[k]] - begin_);
      for (const Index vertex : rows.sums_.samples[component].vertices)
        one.push_back(rows.place_[vertex] - begin_);
      std::sort(one.begin(), one.end());
      one.erase(std::unique(one.begin(), one.end()), one.end());
    }
    column_.assign(static_cast<std::size_t>(end_ - begin_), -1);
    const std::vector<Index>& mine = wanted_[static_cast<std::size_t>(rows.team_->rank())];
    for (std::size_t k = 0; k < mine.size(); ++k) column_[mine[k]] = static_cast<Eigen::Index>(k);
  }

  std::span<const Index> targets() const {
    return std::span(rows_.layout_.members)
        .subspan(static_cast<std::size_t>(begin_), static_cast<std::size_t>(end_ - begin_));
  }
  const std::vector<std::vector<Index>>& wanted() const { return wanted_; }
  Eigen::Index of(Index vertex) const {
    const Index place = rows_.place_[vertex] - begin_;
    return column_.empty() ? place : column_[place];
  }

 private:
  const TrainingRows& rows_;
  Index begin_, end_;                       // of the members of the component
  std::vector<std::vector<Index>> wanted_;  // of each rank, increasing
  std::vector<Eigen::Index> column_;  // of each member, -1 where it is not here; empty: all are, in order
};

TrainingRows::TrainingRows(const GeodesicSolver& solver, const OrderedLandmarks& landmarks,
                           const CellLayout& layout, std::span<const Index> sequence,
                           const TrainingOptions& options, const Team* team)
    : solver_(solver), landmarks_(landmarks), layout_(layout), options_(options), team_(team) {
  const auto size = static_cast<std::size_t>(solver.size());
  position_.assign(size, -1);
  place_.assign(size, -1);
  for (std::size_t k = 0; k < landmarks.vertices.size(); ++k)
    position_[landmarks.vertices[k]] = static_cast<Index>(k);
  for (std::size_t k = 0; k < layout.members.size(); ++k) place_[layout.members[k]] = static_cast<Index>(k);
  const std::size_t components = landmarks.component_first.size() - 1;
  sums_.samples.resize(components);
  std::vector<Index> left(components, options.most_rows);
  training_.assign(landmarks.vertices.size(), 0);
  const auto train = [&](Index vertex) {
    const Index position = position_[vertex];
    if (position < 0 || training_[position]) return;
    Index& room = left[landmarks.component[vertex]];
    if (room == 0) return;
    --room;
    training_[position] = 1;
  };
  for (const Index vertex : sequence) train(vertex);
  for (const Index vertex : landmarks.vertices) train(vertex);
  for (std::size_t c = 0; c < components; ++c) {
    const Index count = landmarks.component_first[c + 1] - landmarks.component_first[c];
    if (count > options.most_rows) continue;  // too many for W to be fitted
    sums_.samples[c].vertices =
        sample_vertices(layout, landmarks, static_cast<Index>(c), options.sample_share * count);
  }
  share_cells();
  reset();
}

/// Cells side by side to each rank, with as many members in all.
void TrainingRows::share_cells() {
  if (team_ == nullptr) return;
  for (std::size_t c = 0; c < layout_.cells.size(); ++c) {
    const Index component = layout_.cells[c].component;
    const std::int64_t begin = layout_.first[layout_.component_first[component]];
    const std::int64_t members = layout_.first[layout_.component_first[component + 1]] - begin;
    sums_.rank.push_back(static_cast<int>((layout_.first[c] - begin) * team_->size() / members));
  }
}

void TrainingRows::reset() const {
  learned_.assign(training_.size(), 0);
  sums_.rows.assign(landmarks_.component_first.size() - 1, 0);
  sums_.cells.resize(layout_.cells.size());
  for (std::size_t c = 0; c < layout_.cells.size(); ++c) {
    const auto support = static_cast<Eigen::Index>(layout_.cells[c].support.size());
    const Eigen::Index members = layout_.first[c + 1] - layout_.first[c];
    TrainingSums::Cell& cell = sums_.cells[c];
    if (!is_mine(c)) continue;
    cell.gram.setZero(support, support);
    cell.moments.setZero(members, support);
    cell.energy.setZero(members);
    cell.broken.assign(static_cast<std::size_t>(members), 0);
  }
  for (std::size_t c = 0; c < sums_.samples.size(); ++c) {
    TrainingSums::Sample& sample = sums_.samples[c];
    sample.sources.clear();
    sample.others.clear();
    sample.other_distances.clear();
    if (sample.vertices.empty()) continue;
    Eigen::Index rows = 0;
    for (Index k = landmarks_.component_first[c]; k < landmarks_.component_first[c + 1]; ++k)
      rows += training_[k];
    sample.distances.resize(rows, static_cast<Eigen::Index>(sample.vertices.size()));
  }
}

bool TrainingRows::complete() const {
  return learned_ == training_;
}

void TrainingRows::add_to_cell(Index c, const RowMatrix<double>& rows, const Columns& columns) const {
  const CellLayout::Cell& cell = layout_.cells[c];
  const auto row_of = [&](Index landmark) { return rows.col(columns.of(landmarks_.vertices[landmark])); };
  Eigen::VectorXd centre = row_of(cell.centre);
  RowMatrix<double> chosen(rows.rows(), static_cast<Eigen::Index>(cell.support.size()));
  for (std::size_t s = 0; s < cell.support.size(); ++s)
    chosen.col(static_cast<Eigen::Index>(s)) = row_of(cell.support[s]);
  const Index members_of_cell = layout_.first[c + 1] - layout_.first[c];
  RowMatrix<double> members = rows.middleCols(
      members_of_cell > 0 ? columns.of(layout_.members[layout_.first[c]]) : 0, members_of_cell);
  leave_out_broken_rows(chosen, centre, members);
  TrainingSums::Cell& sums = sums_.cells[c];
  RowMatrix<float> D, d;
  subtract_centre(chosen, centre, D, nullptr);
  subtract_centre(members, centre, d, &sums.broken);
  weight_near_rows(centre, cell.near, D, d);
  sums.moments.noalias() += d.transpose() * D;
  const RowMatrix<double> exact = D.cast<double>();
  sums.gram.noalias() += exact.transpose() * exact;
  sums.energy += d.cast<double>().colwise().squaredNorm().transpose();
}

void TrainingRows::learn(std::span<const Index> sources, Index component, RowMatrix<double>* to_landmarks,
                         const Execution& execution) const {
  const Columns columns(*this, component);
  const std::size_t at_once =
      rows_together * (team_ != nullptr ? static_cast<std::size_t>(team_->size()) : 1);
  for (std::size_t from = 0; from < sources.size(); from += at_once) {
    const auto some = sources.subspan(from, std::min(at_once, sources.size() - from));
    const double all = static_cast<double>(sources.size());
    const Execution part = part_of(execution, "landmark distances", static_cast<double>(from) / all,
                                   static_cast<double>(from + some.size()) / all);
    std::vector<std::span<const Index>> batches;
    for (std::size_t k = 0; k < some.size(); k += rows_together)
      batches.push_back(some.subspan(k, std::min(rows_together, some.size() - k)));
    const RowMatrix<double> rows =
        team_ == nullptr
            ? solver_.between(some, columns.targets(), part)
            : exchange_columns<double>(*team_, some.size(),
                                       my_rows_of_blocks(solver_, batches, columns.targets(), *team_, part),
                                       columns.wanted());
    Eigen::Index row = 0;
    for (const std::span<const Index> batch : batches) {
      const auto count = static_cast<Eigen::Index>(batch.size());
      if (batches.size() == 1)
        learn_some(batch, component, rows, columns, execution);
      else
        learn_some(batch, component, rows.middleRows(row, count), columns, execution);
      row += count;
    }
    if (to_landmarks == nullptr) continue;
    const Index first = landmarks_.component_first[component];
    for (Eigen::Index k = 0; k < to_landmarks->cols(); ++k)
      to_landmarks->col(k).segment(static_cast<Eigen::Index>(from), rows.rows()) =
          rows.col(columns.of(landmarks_.vertices[first + k]));
  }
}

void TrainingRows::learn_some(std::span<const Index> sources, Index component, const RowMatrix<double>& rows,
                              const Columns& columns, const Execution& execution) const {
  const Index first_cell = layout_.component_first[component],
              last_cell = layout_.component_first[component + 1];
  parallel_for(static_cast<std::size_t>(last_cell - first_cell), {execution.threads, {}}, {},
               [&](std::size_t item, int) {
                 const Index cell = first_cell + static_cast<Index>(item);
                 if (is_mine(static_cast<std::size_t>(cell))) add_to_cell(cell, rows, columns);
               });
  TrainingSums::Sample& sample = sums_.samples[component];
  for (std::size_t s = 0; s < sources.size() && !sample.vertices.empty(); ++s) {
    std::vector<float> own;
    for (const Index vertex : sample.vertices)
      own.push_back(static_cast<float>(rows(static_cast<Eigen::Index>(s), columns.of(vertex))));
    if (position_[sources[s]] < 0) {
      sample.others.push_back(sources[s]);
      sample.other_distances.push_back(std::move(own));
    } else {
      sample.distances.row(static_cast<Eigen::Index>(sample.sources.size())) =
          Eigen::Map<const Eigen::RowVectorXf>(own.data(), static_cast<Eigen::Index>(own.size()));
      sample.sources.push_back(position_[sources[s]]);
    }
  }
  sums_.rows[component] += static_cast<Index>(sources.size());
  for (const Index source : sources)
    if (position_[source] >= 0) learned_[position_[source]] = 1;
}

RowMatrix<double> TrainingRows::between(std::span<const Index> sources, std::span<const Index> targets,
                                        const Execution& execution) const {
  const Index component = targets.empty() ? -1 : landmarks_.component[targets[0]];
  const auto all = component < 0
                       ? std::span<const Index>()
                       : std::span(landmarks_.vertices)
                             .subspan(static_cast<std::size_t>(landmarks_.component_first[component]),
                                      static_cast<std::size_t>(landmarks_.component_first[component + 1] -
                                                               landmarks_.component_first[component]));
  if (!std::equal(all.begin(), all.end(), targets.begin(), targets.end()) || sources.size() < 1 ||
      std::any_of(sources.begin(), sources.end(), [&](Index v) { return position_[v] < 0; }))
    return shared_between(solver_, sources, targets, execution);
  RowMatrix<double> result(static_cast<Eigen::Index>(sources.size()),
                           static_cast<Eigen::Index>(targets.size()));
  std::vector<std::size_t> learning, others;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const Index position = position_[sources[s]];
    (training_[position] && !learned_[position] ? learning : others).push_back(s);
  }
  if (!learning.empty()) {
    std::vector<Index> some;
    for (const std::size_t s : learning) some.push_back(sources[s]);
    RowMatrix<double> part(static_cast<Eigen::Index>(learning.size()), result.cols());
    learn(some, component, &part,
          part_of(execution, "landmark distances", 0,
                  static_cast<double>(learning.size()) / static_cast<double>(sources.size())));
    for (std::size_t k = 0; k < learning.size(); ++k)
      result.row(static_cast<Eigen::Index>(learning[k])) = part.row(static_cast<Eigen::Index>(k));
  }
  if (!others.empty()) {
    std::vector<Index> some;
    for (const std::size_t s : others) some.push_back(sources[s]);
    const RowMatrix<double> part = shared_between(solver_, some, targets, execution);
    for (std::size_t k = 0; k < others.size(); ++k)
      result.row(static_cast<Eigen::Index>(others[k])) = part.row(static_cast<Eigen::Index>(k));
  }
  return result;
}

void TrainingRows::measure_all(const LandmarkDistanceOptions& options, const Execution& execution) {
  reset();
  const auto& first = landmarks_.component_first;
  for (std::size_t c = 0; c + 1 < first.size(); ++c) {
    const auto count = static_cast<std::size_t>(first[c + 1] - first[c]);
    const std::size_t together = sources_together(count, options);
    for (std::size_t begin = 0; begin < count; begin += together) {
      std::vector<Index> some;
      for (std::size_t k = begin; k < std::min(count, begin + together); ++k)
        if (training_[first[c] + static_cast<Index>(k)])
          some.push_back(landmarks_.vertices[first[c] + static_cast<Index>(k)]);
      learn(some, static_cast<Index>(c), nullptr, {execution.threads, {}, execution.team});
      execution.report("landmark distances", static_cast<double>(first[c] + static_cast<Index>(begin)) /
                                                 static_cast<double>(landmarks_.vertices.size()));
    }
  }
}

void TrainingRows::measure_more(const Execution& execution) {
  for (std::size_t c = 0; c < sums_.rows.size(); ++c) {
    const Index begin = layout_.first[layout_.component_first[c]];
    const Index end = layout_.first[layout_.component_first[c + 1]];
    const Index wanted = std::max(options_.least_rows - sums_.rows[c],
                                  sums_.samples[c].vertices.empty() ? 0 : options_.least_others);
    if (wanted <= 0 || landmarks_.component_first[c + 1] - landmarks_.component_first[c] < 2) continue;
    std::vector<Index> others;
    for (Index k = begin; k < end; ++k)
      if (position_[layout_.members[k]] < 0) others.push_back(layout_.members[k]);
    std::vector<Index> some;
    const double step = std::max(1.0, static_cast<double>(others.size()) / wanted);
    for (double at = step / 2; at < static_cast<double>(others.size()); at += step)
      some.push_back(others[static_cast<std::size_t>(at)]);
    more_.insert(more_.end(), some.begin(), some.end());
    learn(some, static_cast<Index>(c), nullptr, {execution.threads, {}, execution.team});
  }
}

TrainingSums TrainingRows::take() {
  return std::move(sums_);
}

}  // namespace geodome::internal
