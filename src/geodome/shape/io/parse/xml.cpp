#include "geodome/shape/io/parse/xml.h"

#include <charconv>
#include <set>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

constexpr std::string_view spaces = " \t\r\n";

bool is_space(char c) {
  return spaces.find(c) != std::string_view::npos;
}

// Bytes above 127 are parts of UTF-8 letters; which letters does not matter here.
bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':' ||
         c == '-' || c == '.' || static_cast<unsigned char>(c) >= 128;
}

void append_utf8(std::string& out, unsigned code) {
  const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    tail(6), tail(0);
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    tail(12), tail(6), tail(0);
  }
}

// What `&name;` stands for, appended to `out`; false where it stands for nothing.
bool append_entity(std::string& out, std::string_view name) {
  static constexpr std::pair<std::string_view, char> predefined[] = {
      {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"apos", '\''}, {"quot", '"'}};
  for (const auto& [entity, character] : predefined) {
    if (name == entity) {
      out += character;
      return true;
    }
  }
  if (name.size() < 2 || name[0] != '#') return false;
  const bool hexadecimal = name[1] == 'x';
  const std::string_view digits = name.substr(hexadecimal ? 2 : 1);
  unsigned code = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, hexadecimal ? 16 : 10);
  if (error != std::errc{} || end != digits.data() + digits.size() || code == 0 || code > 0x10FFFF)
    return false;
  append_utf8(out, code);
  return true;
}

}  // namespace

const std::string* XmlToken::attribute(std::string_view attribute_name) const {
  for (const XmlAttribute& candidate : attributes) {
    if (candidate.name == attribute_name) return &candidate.value;
  }
  return nullptr;
}

std::string xml_unescape(std::string_view escaped, const std::string& file) {
  // The longest entity we know is a numeric reference to the last code point.
  constexpr std::size_t longest = 10;
  std::string out;
  out.reserve(escaped.size());
  for (std::size_t i = 0; i < escaped.size(); ++i) {
    if (escaped[i] != '&') {
      out += escaped[i];
      continue;
    }
    const std::size_t end = escaped.substr(i + 1, longest).find(';');
    if (end == std::string_view::npos || !append_entity(out, escaped.substr(i + 1, end))) {
      throw FileError(text("'", file, "': unknown entity '", escaped.substr(i, longest),
                           "' in XML text; only &lt; &gt; ",
                           "&amp; &apos; &quot; and numeric references are supported"));
    }
    i += end + 1;
  }
  return out;
}

XmlReader::XmlReader(std::string_view document, std::string file)
    : document_(document), file_(std::move(file)) {
  if (at("\xEF\xBB\xBF")) offset_ = 3;
  if (at("\xFF\xFE") || at("\xFE\xFF"))
    fail("the file is encoded in UTF-16, which is not supported; save it as UTF-8");
}

void XmlReader::fail(const std::string& cause) const {
  throw FileError(text("'", file_, "', byte ", offset_, ": ", cause));
}

bool XmlReader::at(std::string_view prefix) const {
  return document_.substr(offset_).starts_with(prefix);
}

// The text up to `end`, which is skipped too.
std::string_view XmlReader::until(std::string_view end, const char* what) {
  const std::size_t found = document_.find(end, offset_);
  if (found == std::string_view::npos)
    fail(text(what, " is not closed by '", end, "' before the end of the file"));
  const std::string_view inside = document_.substr(offset_, found - offset_);
  offset_ = found + end.size();
  return inside;
}

void XmlReader::skip_spaces() {
  while (offset_ < document_.size() && is_space(document_[offset_])) ++offset_;
}

std::string_view XmlReader::read_name() {
  const std::size_t start = offset_;
  while (offset_ < document_.size() && is_name_character(document_[offset_])) ++offset_;
  if (offset_ == start) fail("expected a name");
  return document_.substr(start, offset_ - start);
}

void XmlReader::close(std::string_view name) {
  if (open_.empty() || open_.back() != name) {
    fail(text("</", name, "> closes ", open_.empty() ? "nothing" : text("<", open_.back(), ">")));
  }
  open_.pop_back();
  token_.kind = XmlToken::Kind::close;
  token_.name = name;
  token_.attributes.clear();
}

void XmlReader::read_close_tag() {
  offset_ += 2;
  const std::string_view name = read_name();
  skip_spaces();
  if (!at(">")) fail(text("</", name, " is not closed by '>'"));
  ++offset_;
  close(name);
}

void XmlReader::read_open_tag() {
  if (open_.empty() && root_seen_) fail("a second root element");
  ++offset_;
  token_.kind = XmlToken::Kind::open;
  token_.name = read_name();
  token_.attributes.clear();
  root_seen_ = true;
  open_.push_back(token_.name);
  std::set<std::string_view> known;  // a linear search would make a tag of many attributes quadratic
  while (true) {
    const std::size_t before = offset_;
    skip_spaces();
    if (at(">")) {
      ++offset_;
      return;
    }
    if (at("/>")) {
      offset_ += 2;
      close_pending_ = true;
      return;
    }
    if (offset_ == document_.size()) fail(text("the file ends inside the tag <", token_.name));
    if (offset_ == before) fail(text("expected a space before the next attribute of <", token_.name));
    const std::string_view name = read_name();
    skip_spaces();
    if (!at("=")) fail(text("attribute ", name, " has no value"));
    ++offset_;
    skip_spaces();
    const bool single = at("'");
    if (!single && !at("\"")) fail(text("the value of attribute ", name, " is not quoted"));
    ++offset_;
    if (!known.insert(name).second) fail(text("attribute ", name, " occurs twice"));
    const std::string_view value = until(single ? "'" : "\"", "an attribute's value");
    token_.attributes.push_back({name, xml_unescape(value, file_)});
  }
}

void XmlReader::read_text() {
  token_.kind = XmlToken::Kind::text;
  token_.verbatim = false;
  const std::size_t end = std::min(document_.find('<', offset_), document_.size());
  token_.text = document_.substr(offset_, end - offset_);
  offset_ = end;
}

void XmlReader::read_doctype() {
  const std::string_view inside = until(">", "DOCTYPE");
  if (inside.find('[') != std::string_view::npos) {
    fail("the DOCTYPE declares its own entities or elements, which is not supported; remove its [...] part");
  }
}

const XmlToken& XmlReader::next() {
  if (close_pending_) {
    close_pending_ = false;
    close(open_.back());
    return token_;
  }
  while (offset_ < document_.size()) {
    if (at("<!--")) {
      offset_ += 4;
      until("-->", "a comment");
    } else if (at("<?")) {
      until("?>", "a processing instruction");
    } else if (at("<!DOCTYPE")) {
      read_doctype();
    } else if (at("<![CDATA[")) {
      if (open_.empty()) fail("CDATA outside the root element");
      offset_ += 9;
      token_.kind = XmlToken::Kind::text;
      token_.verbatim = true;
      token_.text = until("]]>", "CDATA");
      return token_;
    } else if (at("</")) {
      read_close_tag();
      return token_;
    } else if (at("<")) {
      read_open_tag();
      return token_;
    } else {
      read_text();
      if (!open_.empty()) return token_;
      // Some writers end the file with a zero byte, as they would a string.
      if (token_.text.find_first_not_of(std::string_view(" \t\r\n\0", 5)) != std::string_view::npos) {
        fail("text outside the root element");
      }
    }
  }
  if (!open_.empty()) fail(text("the file ends inside <", open_.back(), ">"));
  if (!root_seen_) fail("no XML element");
  token_ = {};
  return token_;
}

}  // namespace geodome::internal
