#pragma once
/// What all web pages we write have in common: each is one file that needs nothing else.

#include <string>

namespace geodome::internal {

/// &, <, > and quotes made safe in a page.
std::string escape_html(const std::string& text);

/// A length in a drawing, to a tenth of a pixel.
std::string svg_number(double value);

/// A whole page: the body under its title as heading, in the common style followed by `style`. It fits a
/// phone as well as a desk. `title` is plain text, `body` is markup.
std::string html_page(const std::string& title, const std::string& style, const std::string& body);

}  // namespace geodome::internal
