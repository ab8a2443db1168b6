#pragma once
/// The page of `geodome view`: one HTML text that holds shapes, matrices and forms, and needs nothing else.

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "support/view_shape.h"

namespace geodome::cli {

struct ViewPage {
  std::vector<ViewShape> shapes;
  std::vector<nlohmann::json> summaries;  ///< as `build --json` prints them; null where none was given
  std::string unit;                       ///< of distances; may be empty
};

/// JSON in a form that can stand in a <script> element: no markup, whatever the strings hold.
std::string script_json(const nlohmann::ordered_json& object);

/// About as many bytes as the page will have, at most.
std::int64_t page_bytes_bound(const ViewPage& page);

/// Hands the page to `write`, piece by piece. Throws InputError in a program without a template.
void write_page(const ViewPage& page, const std::function<void(std::string_view)>& write,
                const Execution& execution);

}  // namespace geodome::cli
