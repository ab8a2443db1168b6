#pragma once
/// What a fuzz target may do: refuse its input with one of the library's errors. Everything else is a
/// finding.

#include <cstdlib>
#include <iostream>

#include "geodome/base/error.h"

namespace geodome::fuzz {

/// Ends the process with the message when a property does not hold; the fuzzer then keeps the input.
template <typename... Parts>
void expect(bool holds, const Parts&... parts) {
  if (holds) return;
  std::cerr << "fuzz: " << internal::text(parts...) << std::endl;
  std::abort();
}

/// Runs `work`; an error of the library is a valid outcome. Other exceptions leave it and end the process.
template <typename Work>
void allow_refusal(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    expect(error.what()[0] != '\0', "an error without a message");
  }
}

}  // namespace geodome::fuzz
