#pragma once
/// A canonical form in few numbers: that of the landmarks.

#include <optional>

#include "geodome/matrix/landmark_matrix.h"

namespace geodome::cli {

/// Coordinates Y of the landmarks (#landmarks by #axes) with P Y within `tolerance` of `form` (#V by #axes)
/// in every number; nothing where there are none. Classical scaling of P W∘W Pᵀ, with any turns of its axes,
/// has such Y. Cost: a few passes over P and one over W.
std::optional<RowMatrix<float>> landmark_form(const internal::LandmarkMatrix& matrix,
                                              const RowMatrix<double>& form, double tolerance);

}  // namespace geodome::cli
