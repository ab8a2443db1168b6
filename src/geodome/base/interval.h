#pragma once
/// A range that holds a value, with some confidence.

namespace geodome {

struct Interval {
  double low = 0;
  double high = 0;
};

}  // namespace geodome
