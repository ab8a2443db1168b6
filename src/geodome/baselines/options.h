#pragma once
/// Parameters of single baseline methods (docs/methods/baselines.md has the formulas).

#include "geodome/base/types.h"

namespace geodome {

enum class HeatFlow {
  exponential,  ///< exp(-tλ): heat itself, which the truncated basis follows farther
  one_step,     ///< 1 / (1 + tλ): one implicit step, as the heat method takes it
};

struct SpectrometerOptions {
  HeatFlow flow = HeatFlow::exponential;
  /// t, in units of length². 0: 0.4 d / √λ_k, where d is the diameter, found by the method itself. Heat of
  /// exp(-d²/4t) at the far end is then about as much as the exp(-tλ_k) of what was cut off. With less time
  /// the far field is noise, with more it is smoothed away.
  double time = 0;
};

struct BaselineOptions {
  /// nystrom-truncated: eigenvalues of W below this fraction of the largest are left out. Errors rise below
  /// 1e-4, where the smallest eigenvalues change sign, and above 1e-2, where too few are left.
  double truncation = 1e-3;
  /// fmds: μ, how closely the interpolation follows the landmarks. In units of 1 / length²: the authors' 50
  /// is for shapes some hundred units in size.
  double softening = 50;
  /// fmds, fmds-hard: distances as square roots of interpolated squared distances, as the authors define
  /// them. Not linear: a product computes all entries.
  bool square_root = false;
  /// smds, spectrometer: number of eigenvectors, as the authors of smds chose it; spectrometer uses at most
  /// as many as landmarks.
  Index eigenvectors = 200;
  /// smds: μ, in units of 1 / length².
  double smds_weight = 1;
  /// lmds, pivot: of the points.
  Index dimensions = 3;
  /// hybrid: columns stored besides sbha; -1: all. Most of the gain comes with the last ones.
  Index columns = -1;
  /// ctg: samples that may be added where the triangulation is broken, as a fraction of the landmarks; at
  /// least 8, since a closed surface needs 4 for a triangulation.
  double repair = 0.5;
  /// spectrometer: faces or edges at which gradients are evaluated, per landmark; 0 for all.
  Index places = 2;
  /// spectrometer: how heat flows (spectrometer.h).
  SpectrometerOptions heat{};
};

}  // namespace geodome
