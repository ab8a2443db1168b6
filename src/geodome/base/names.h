#pragma once
/// Names of choices, as the command line, the files and the documentation know them.

#include <span>
#include <string>
#include <string_view>

#include "geodome/base/error.h"

namespace geodome {

template <typename Choice>
struct Named {
  Choice choice;
  const char* name;
  const char* description;
};

template <typename Choice>
std::string_view name_of(std::span<const Named<Choice>> all, Choice choice) {
  for (const Named<Choice>& one : all)
    if (one.choice == choice) return one.name;
  throw InputError(internal::text("unknown choice number ", static_cast<int>(choice)));
}

/// Throws InputError, saying what `what` is and listing the names, when there is none such.
template <typename Choice>
Choice choice_of(std::span<const Named<Choice>> all, std::string_view name, const char* what) {
  std::string names;
  for (const Named<Choice>& one : all) {
    if (name == one.name) return one.choice;
    names += internal::text(names.empty() ? "" : ", ", one.name);
  }
  throw InputError(internal::text("unknown ", what, " '", name, "': use one of ", names));
}

}  // namespace geodome
