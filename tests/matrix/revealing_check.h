#pragma once
/// Arrays that hold nothing of use until they were checked: what is read before gives wrong numbers.

#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "geodome/matrix/storage_check.h"

namespace geodome::internal {

class RevealingCheck : public StorageCheck {
 public:
  /// A copy of the numbers with every byte spoiled, until verify() puts them in their place.
  template <typename T>
  std::span<const T> hide(std::span<const T> numbers) {
    Hidden hidden;
    const auto* bytes = reinterpret_cast<const char*>(numbers.data());
    hidden.sound.assign(bytes, bytes + numbers.size_bytes());
    hidden.shown.assign(numbers.size_bytes(), '\xff');  // NaN, or a large number
    arrays_.push_back(std::move(hidden));
    return {reinterpret_cast<const T*>(arrays_.back().shown.data()), numbers.size()};
  }

  /// Bytes that were asked for, each counted as often as it was.
  std::size_t asked() const { return asked_; }

  void verify(const void* begin, std::size_t bytes) const override {
    asked_ += bytes;
    for (Hidden& one : arrays_) {
      const auto at = static_cast<const char*>(begin) - one.shown.data();
      if (at < 0 || static_cast<std::size_t>(at) >= one.shown.size()) continue;
      std::memcpy(one.shown.data() + at, one.sound.data() + at, bytes);
    }
  }

 private:
  struct Hidden {
    std::vector<char> sound, shown;
  };
  mutable std::vector<Hidden> arrays_;
  mutable std::size_t asked_ = 0;
};

}  // namespace geodome::internal
