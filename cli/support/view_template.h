#pragma once
/// The page of `geodome view` without anything in it, made from viewer/ when the program is built.

#include <string_view>

namespace geodome::cli {

/// HTML with the mark `view_data_mark` where the data goes. Empty in a program that was built without node.
std::string_view view_template();

inline constexpr std::string_view view_data_mark = "<!--geodome-data-->";

}  // namespace geodome::cli
