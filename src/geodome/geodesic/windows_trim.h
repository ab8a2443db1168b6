#pragma once
/// Cuts off the part of a window that another one on the same half-edge makes useless.

#include "geodome/geodesic/windows.h"

namespace geodome {

/// Shortens `window` at its ends to where it is nearer than `other`; false when nothing is left. The part in
/// the middle of a window is never cut out: the result is one window.
bool trim(Window& window, const Window& other);

}  // namespace geodome
