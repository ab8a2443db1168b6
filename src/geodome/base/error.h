#pragma once
/// What the library throws. Every message names the value, the bound it broke, and what to do.

#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>

namespace geodome {

/// Base of everything thrown on purpose. A bug is an assert, never one of these.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The request is impossible, or the shape cannot be worked on.
class InputError : public Error {
 public:
  using Error::Error;
};

/// A build needs more memory than is available.
class MemoryError : public InputError {
 public:
  MemoryError(const std::string& message, std::int64_t needed_bytes, std::int64_t available_bytes)
      : InputError(message), needed(needed_bytes), available(available_bytes) {}
  std::int64_t needed;
  std::int64_t available;
};

/// A file cannot be opened, read, trusted or written.
class FileError : public Error {
 public:
  using Error::Error;
};

/// The arithmetic failed on input that looked valid.
class NumericalError : public Error {
 public:
  using Error::Error;
};

/// The progress callback returned false.
class Cancelled : public Error {
 public:
  Cancelled() : Error("cancelled") {}
};

namespace internal {

/// Streams its arguments into one string, for error messages.
template <typename... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream stream;
  (stream << ... << parts);
  return stream.str();
}

}  // namespace internal

}  // namespace geodome
