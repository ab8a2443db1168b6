#pragma once
/// One shape of the page that `geodome view` makes: what is drawn, its canonical form, where it errs.

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "geodome/base/execution.h"
#include "support/matrix_input.h"

namespace geodome::cli {

/// What is drawn of a shape: all its vertices, or fewer where there are too many.
struct Drawing {
  Points points;                            ///< #D by 3; empty where the shape has no place in space
  Triangles triangles;                      ///< #F by 3, of drawn vertices; or none
  std::vector<std::array<Index, 2>> edges;  ///< of a graph
  std::vector<Index> origin;  ///< #D: the vertex each drawn one stands for; empty: all, in order
};

/// At most `limit` vertices: meshes are decimated, of points and graphs some are left out. `shape` may be
/// nullptr. Cost: that of decimate.
Drawing make_drawing(const Shape* shape, Index vertices, Index limit, const Execution& execution);

struct ViewShape {
  ViewShape(std::string title, MatrixInput file) : name(std::move(title)), input(std::move(file)) {}

  std::string name;
  MatrixInput input;
  Drawing drawing;
  RowMatrix<double> form;  ///< #V by 3: canonical coordinates, turned so that they lie on those of the first
  Eigen::Matrix3d turn = Eigen::Matrix3d::Identity();  ///< form * turn looks as the shape does
  bool corresponds = false;                            ///< vertex for vertex with the first shape
  bool alike = false;                                  ///< its form is nearly that of the first shape
  double apart =
      0;         ///< root mean square distance of the forms, in mean radii, after alignment with the first
  Vector error;  ///< #V: see vertex_errors; empty where nothing is known
  Index error_rows = 0;
};

/// The first three canonical axes, zero where there are fewer.
RowMatrix<double> canonical_form(const MatrixInput& input, std::uint64_t seed, const Execution& execution);

/// Turns (and mirrors) the forms of all shapes onto that of the first, finds which are alike, and how forms
/// have to be turned to look as their shapes do: those alike as the first, so that they can be compared.
void align_forms(std::vector<ViewShape>& shapes);

/// For every vertex the root of Σ (K̃ - K)² / Σ K² over `rows` random rows that are measured afresh on the
/// file's own shape.
Vector vertex_errors(const MatrixInput& input, Index rows, std::uint64_t seed, const Execution& execution);

}  // namespace geodome::cli
