#pragma once
/// Every form in which a matrix can lie in a file: P W Pᵀ and those of rivals.

#include <span>

#include "geodome/matrix/matrix_form.h"

namespace geodome {

/// Compact, dense, ctg and spectrometer.
std::span<const MatrixForm> matrix_forms();

}  // namespace geodome
