#include "geodome/report/page.h"

#include <cstdio>

namespace geodome::internal {
namespace {

constexpr const char* common_style =
    "body{font-family:sans-serif;margin:2em auto;padding:0 1em;max-width:1000px;color:#222;background:#fff}"
    "svg,img{max-width:100%;height:auto}table{border-collapse:collapse;font-size:11px}"
    ".scroll{overflow-x:auto}";

}  // namespace

std::string escape_html(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

std::string svg_number(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.1f", value);
  return buffer;
}

std::string html_page(const std::string& title, const std::string& style, const std::string& body) {
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><title>" +
         escape_html(title) + "</title><style>" + common_style + style + "</style></head><body>\n<h1>" +
         escape_html(title) + "</h1>\n" + body + "</body></html>\n";
}

}  // namespace geodome::internal
