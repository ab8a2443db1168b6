#pragma once
/// The plots by which methods are compared: error, stress, memory and time against each other.

#include <string>
#include <vector>

#include "geodome/report/plot.h"
#include "geodome/trials/trial.h"

namespace geodome::internal {

struct NamedPlot {
  std::string name;     ///< of a file, without ending, such as "error-landmarks-bunny"
  std::string caption;  ///< what is to be seen, in a sentence
  Plot plot;
};

/// Those for which there is something to draw. For every shape with trials at several numbers of landmarks:
/// error against landmark fraction; for every shape: error against our bytes and against the bytes of the
/// reference's accounting, stress against landmark fraction and bytes (above that of exact scaling where that
/// was tried). With shapes of different sizes: seconds, bytes and error against the number of vertices. Where
/// all of P was computed: its large entries against the landmark fraction. Curves are medians over repeats.
std::vector<NamedPlot> trial_plots(const std::vector<Trial>& trials);

/// How a method's curve looks, the same in every plot; `variant` counts curves of one method.
CurveStyle method_style(const std::string& method, std::size_t variant = 0);

/// "sBHA", "FMDS, μ → ∞"; a name that is not known as it is.
std::string method_title(const std::string& method);

}  // namespace geodome::internal
