#pragma once
/// Small files cut at every byte, without any one byte, and with random bytes changed: a reader returns a
/// valid shape or throws FileError. Run under the sanitizers, this shows that no reader leaves its file.

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "file_support.h"

namespace geodome::testing {

struct SmallFile {
  std::string name;
  std::string bytes;
};

inline void expect_valid_or_refused(const std::string& name, const std::string& bytes) {
  try {
    expect_valid(parse(name, bytes));
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
  }
}

inline void expect_survives_cuts(const SmallFile& file) {
  for (std::size_t size = 0; size < file.bytes.size(); ++size)
    expect_valid_or_refused(file.name, file.bytes.substr(0, size));
}

inline void expect_survives_missing_bytes(const SmallFile& file) {
  for (std::size_t at = 0; at < file.bytes.size(); ++at)
    expect_valid_or_refused(file.name, file.bytes.substr(0, at) + file.bytes.substr(at + 1));
}

/// Changes up to four bytes at a time, to any byte or to one that means something in text.
inline void expect_survives_changes(const SmallFile& file, int rounds) {
  std::mt19937 random(7);
  const std::string telling = "0123456789-+./e# \n\r\\\xff,\"<>";
  for (int round = 0; round < rounds; ++round) {
    std::string bytes = file.bytes;
    for (int change = 0; change <= round % 4; ++change) {
      char& byte = bytes[random() % bytes.size()];
      byte = round % 2 ? static_cast<char>(random()) : telling[random() % telling.size()];
    }
    expect_valid_or_refused(file.name, bytes);
  }
}

}  // namespace geodome::testing
