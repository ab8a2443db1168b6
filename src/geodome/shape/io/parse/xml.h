#pragma once
/// Splits an XML document into tags and text, as much of XML 1.0 as data files use: elements, attributes,
/// comments, processing instructions, CDATA, a DOCTYPE without an internal subset, the five predefined
/// entities and numeric references. Entities are never declared, so none can expand; nothing outside the
/// document is ever opened. Cost: one pass; views into the document, no copies.

#include <string>
#include <string_view>
#include <vector>

namespace geodome::internal {

struct XmlAttribute {
  std::string_view name;
  std::string value;  ///< unescaped
};

struct XmlToken {
  enum class Kind { open, close, text, end };
  Kind kind = Kind::end;
  std::string_view name;                 ///< of the element, for Open and Close
  std::vector<XmlAttribute> attributes;  ///< for Open
  std::string_view text;                 ///< for Text: as written, entities included
  bool verbatim = false;                 ///< for Text: came as CDATA, so it holds no entities

  /// The attribute's value, or nullptr.
  const std::string* attribute(std::string_view attribute_name) const;
};

/// Hands out one token after the other. Tags must match; an element closed in its own tag gives Open and
/// Close. Throws FileError naming `file`, the byte and the cause. The document must outlive the reader and
/// its tokens.
class XmlReader {
 public:
  XmlReader(std::string_view document, std::string file);

  /// The next token, valid until the following call; Kind::end, again and again, after the root element.
  const XmlToken& next();

  /// Where the next token starts, in bytes.
  std::size_t offset() const { return offset_; }

 private:
  [[noreturn]] void fail(const std::string& cause) const;
  bool at(std::string_view prefix) const;
  std::string_view until(std::string_view end, const char* what);
  std::string_view read_name();
  void skip_spaces();
  void read_open_tag();
  void read_close_tag();
  void read_text();
  void read_doctype();
  void close(std::string_view name);

  std::string_view document_;
  std::string file_;
  std::size_t offset_ = 0;
  std::vector<std::string_view> open_;  // names of the elements around the current place
  bool root_seen_ = false;
  bool close_pending_ = false;
  XmlToken token_;
};

/// The text with its entities replaced. Throws FileError for an entity that is neither predefined nor
/// numeric.
std::string xml_unescape(std::string_view escaped, const std::string& file);

}  // namespace geodome::internal
