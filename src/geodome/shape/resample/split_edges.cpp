#include "geodome/shape/resample/split_edges.h"

#include "geodome/base/error.h"
#include "geodome/shape/edge_table.h"

namespace geodome::internal {
namespace {

class Splitter {
 public:
  Splitter(const TriangleMesh& base, Index parts)
      : base_(base),
        parts_(parts),
        edges_(find_edges(base)),
        corners_(static_cast<Index>(base.points.rows())) {
    const std::int64_t inner = parts - 1, faces = base.triangles.rows();
    const std::int64_t total = corners_ + edges_.size() * inner + faces * (inner * (inner - 1) / 2);
    if (std::max(total, faces * parts * parts) > std::numeric_limits<Index>::max()) {
      throw InputError(text("splitting edges into ", parts, " parts gives ", total,
                            " vertices, which exceeds 32-bit indices: use fewer parts"));
    }
    fine_.points.resize(total, 3);
    fine_.points.topRows(corners_) = base.points;
    for (Index e = 0; e < edges_.size(); ++e) {
      const auto [a, b] = edges_.edges[e];
      for (Index step = 1; step < parts; ++step) {
        const double t = static_cast<double>(step) / parts;
        fine_.points.row(corners_ + e * inner + step - 1) =
            (1 - t) * base.points.row(a) + t * base.points.row(b);
      }
    }
    next_ = static_cast<Index>(corners_ + edges_.size() * inner);
    fine_.triangles.resize(faces * parts * parts, 3);
  }

  TriangleMesh split() {
    for (Eigen::Index f = 0; f < base_.triangles.rows(); ++f) split_face(f);
    return std::move(fine_);
  }

 private:
  /// The vertex `step` parts along side k of face f, from its corner k.
  Index on_side(Eigen::Index f, int k, Index step) const {
    const Index a = base_.triangles(f, k), b = base_.triangles(f, (k + 1) % 3);
    if (step == 0) return a;
    if (step == parts_) return b;
    const Index from_low = a < b ? step : parts_ - step;
    return corners_ + edges_.edge_of_corner[3 * f + k] * (parts_ - 1) + from_low - 1;
  }

  /// Line by line from side 0 to the opposite corner.
  void split_face(Eigen::Index f) {
    const Index a = base_.triangles(f, 0), b = base_.triangles(f, 1), c = base_.triangles(f, 2);
    below_.resize(parts_ + 1);
    for (Index i = 0; i <= parts_; ++i) below_[i] = on_side(f, 0, i);
    for (Index j = 1; j <= parts_; ++j) {
      const Index length = parts_ - j;
      line_.resize(length + 1);
      line_.front() = on_side(f, 2, length);
      line_.back() = on_side(f, 1, j);
      for (Index i = 1; i < length; ++i) {
        fine_.points.row(next_) =
            (base_.points.row(a) * (length - i) + base_.points.row(b) * i + base_.points.row(c) * j) / parts_;
        line_[i] = next_++;
      }
      for (Index i = 0; i <= length; ++i) {
        fine_.triangles.row(row_++) << below_[i], below_[i + 1], line_[i];
        if (i < length) fine_.triangles.row(row_++) << below_[i + 1], line_[i + 1], line_[i];
      }
      std::swap(below_, line_);
    }
  }

  const TriangleMesh& base_;
  Index parts_;
  EdgeTable edges_;
  Index corners_;
  Index next_ = 0;
  Eigen::Index row_ = 0;
  TriangleMesh fine_;
  std::vector<Index> below_, line_;
};

}  // namespace

TriangleMesh split_edges(const TriangleMesh& mesh, Index parts) {
  if (parts < 1) throw InputError(text("cannot split edges into ", parts, " parts: use at least 1"));
  return Splitter(mesh, parts).split();
}

}  // namespace geodome::internal
