#pragma once
/// What the library throws. Every message names the value, the bound it broke, and what to do.

#include <sstream>
#include <stdexcept>
#include <string>

namespace geodome {

/// Base of everything thrown on purpose. A bug is an assert, never one of these.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The caller asked for something impossible, or the shape cannot be worked on.
class InputError : public Error {
 public:
  using Error::Error;
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

/// The progress callback asked to stop.
class Cancelled : public Error {
 public:
  Cancelled() : Error("cancelled") {}
};

/// Streams its arguments into one string, for error messages.
template <typename... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream stream;
  (stream << ... << parts);
  return stream.str();
}

}  // namespace geodome
