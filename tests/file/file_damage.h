#pragma once
/// Damaged files.

#include <random>
#include <string>

#include "temporary_folder.h"

namespace geodome::testing {

/// Calls visit(length) with only the first `length` bytes stored at `path`: every length below 200, and 100
/// others.
template <typename Visit>
void for_each_cut(const std::string& bytes, const std::string& path, const Visit& visit) {
  std::mt19937 random(1);
  for (std::size_t cut = 0; cut < 300; ++cut) {
    const std::size_t length = cut < 200 ? cut : random() % bytes.size();
    store(path, bytes.substr(0, length));
    visit(length);
  }
}

/// Calls visit(place) with one bit of that byte flipped: the first 100 bytes, and 200 others.
template <typename Visit>
void for_each_flip(const std::string& bytes, const std::string& path, const Visit& visit) {
  std::mt19937 random(2);
  for (std::size_t repeat = 0; repeat < 300; ++repeat) {
    const std::size_t place = repeat < 100 ? repeat : random() % bytes.size();
    std::string damaged = bytes;
    damaged[place] = static_cast<char>(damaged[place] ^ (1 << random() % 8));
    store(path, damaged);
    visit(place);
  }
}

}  // namespace geodome::testing
