#include "geodome/shape/io/parse/xml.h"

#include <gtest/gtest.h>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

using Kind = XmlToken::Kind;

// All tokens on one line: <name a=v> </name> "text"; text of spaces only is left out.
std::string tokens(const std::string& document) {
  XmlReader reader(document, "f.xml");
  std::string result;
  while (true) {
    const XmlToken& token = reader.next();
    if (token.kind == Kind::end) return result;
    if (token.kind == Kind::open) {
      result += text("<", token.name);
      for (const XmlAttribute& attribute : token.attributes)
        result += text(" ", attribute.name, "=", attribute.value);
      result += ">";
    } else if (token.kind == Kind::close) {
      result += text("</", token.name, ">");
    } else if (token.text.find_first_not_of(" \n") != std::string_view::npos) {
      result += text("'", token.verbatim ? std::string(token.text) : xml_unescape(token.text, "f.xml"), "'");
    }
  }
}

TEST(Xml, SplitsIntoTagsAndText) {
  EXPECT_EQ(
      tokens("<?xml version='1.0'?>\n<!DOCTYPE a SYSTEM \"http://x/a.dtd\">\n<!-- <b> --><a>one<b c = 'd' "
             "e=\"f'g\" />two</a >\n<!-- end -->\n"),
      "<a>'one'<b c=d e=f'g></b>'two'</a>");
  EXPECT_EQ(tokens("\xEF\xBB\xBF<a/>"), "<a></a>");
  EXPECT_EQ(tokens(std::string("<a></a>\n\0", 9)), "<a></a>");
}

TEST(Xml, ReadsEntitiesAndCharacterData) {
  EXPECT_EQ(tokens("<a b='&lt;&#65;&#x42;'>&amp;&gt;<![CDATA[<b>&amp;]]></a>"),
            "<a b=<AB>'&>''<b>&amp;'</a>");
  EXPECT_EQ(xml_unescape("&#228;&#x20AC;&#128512;", "f"), "ä€😀");
}

TEST(Xml, KnowsNoOtherEntities) {
  for (const char* bad :
       {"&lol;", "&", "&;", "&#;", "&#x;", "&#0;", "&#x110000;", "&#99999999999;", "&amp", "&#6 5;"}) {
    EXPECT_THROW(xml_unescape(bad, "f"), FileError) << bad;
  }
}

TEST(Xml, RefusesDeclaredEntitiesBeforeAnythingExpands) {
  const std::string laughs =
      "<!DOCTYPE a [<!ENTITY l \"lol\"><!ENTITY m \"&l;&l;&l;&l;&l;\"><!ENTITY n SYSTEM "
      "\"file:///etc/passwd\">]><a>&m;</a>";
  EXPECT_THROW(tokens(laughs), FileError);
}

TEST(Xml, RefusesWhatIsNotWellFormed) {
  for (const char* bad : {"",
                          " ",
                          "a",
                          "<a>",
                          "<a></b>",
                          "</a>",
                          "<a><b></a></b>",
                          "<a/><b/>",
                          "<a/>text",
                          "<a b></a>",
                          "<a b=c></a>",
                          "<a b='c></a>",
                          "<a b='1' b='2'/>",
                          "<a b='1'c='2'/>",
                          "<a",
                          "<",
                          "< a/>",
                          "<a><!-- </a>",
                          "<a><![CDATA[ </a>",
                          "<?xml",
                          "<![CDATA[x]]><a/>",
                          "<!DOCTYPE a"}) {
    EXPECT_THROW(tokens(bad), FileError) << bad;
  }
}

TEST(Xml, NamesFileAndByte) {
  try {
    tokens("<a>\n  <b></c></a>");
    FAIL();
  } catch (const FileError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("'f.xml', byte 13"), std::string::npos) << message;
    EXPECT_NE(message.find("</c> closes <b>"), std::string::npos) << message;
  }
}

TEST(Xml, RefusesUtf16WithAdvice) {
  for (const std::string& start : {std::string("\xFF\xFE<\0a\0", 6), std::string("\xFE\xFF\0<\0a", 6)}) {
    try {
      tokens(start);
      FAIL();
    } catch (const FileError& error) {
      EXPECT_NE(std::string(error.what()).find("save it as UTF-8"), std::string::npos) << error.what();
    }
  }
}

// Seconds when linear, minutes when every attribute is compared with all before it.
TEST(Xml, ManyAttributesAndDeepNestingTakeLinearTime) {
  std::string document = "<a";
  for (int k = 0; k < 200000; ++k) document += text(" b", k, "=''");
  const std::string wide_tag = document + "/>";
  XmlReader wide(wide_tag, "f.xml");
  EXPECT_EQ(wide.next().attributes.size(), 200000u);
  EXPECT_THROW(tokens(document + " b7=''/>"), FileError);
  std::string deep;
  for (int k = 0; k < 500000; ++k) deep += "<a>";
  EXPECT_THROW(tokens(deep), FileError);
}

TEST(Xml, CutAnywhereIsRefused) {
  const std::string document = "<?xml v='1'?><a b='c'>x<d/><![CDATA[y]]><!-- z --></a>";
  for (std::size_t size = 0; size < document.size(); ++size) {
    EXPECT_THROW(tokens(document.substr(0, size)), FileError) << document.substr(0, size);
  }
}

}  // namespace
}  // namespace geodome::internal
