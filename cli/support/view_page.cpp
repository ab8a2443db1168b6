#include "support/view_page.h"

#include <limits>

#include "geodome/base/error.h"
#include "geodome/base/version.h"
#include "geodome/file/matrix_file.h"
#include "geodome/matrix/landmark_matrix.h"
#include "support/describe_matrix.h"
#include "support/page_arrays.h"
#include "support/view_template.h"

namespace geodome::cli {

using namespace internal;

namespace {

using Json = nlohmann::ordered_json;

/// In 32 bits where those hold every number exactly, else in 64.
Json add_coordinates(PageArrays& arrays, const RowMatrix<double>& values) {
  const RowMatrix<float> narrow = values.cast<float>();
  if ((narrow.cast<double>().array() == values.array()).all())
    return arrays.add(std::span<const float>(narrow.data(), static_cast<std::size_t>(narrow.size())));
  return arrays.add(std::span<const double>(values.data(), static_cast<std::size_t>(values.size())));
}

/// What is only looked at.
Json add_picture(PageArrays& arrays, const RowMatrix<double>& values) {
  const RowMatrix<float> narrow = values.cast<float>();
  return arrays.add(std::span<const float>(narrow.data(), static_cast<std::size_t>(narrow.size())));
}

Json add_numbers(PageArrays& arrays, const std::vector<Index>& numbers) {
  return arrays.add(std::span<const Index>(numbers), ArrayFilter::increments);
}

/// P by rows: where they begin, the landmark and the weight of every entry.
Json add_weights(PageArrays& arrays, const LandmarkMatrix& matrix, const Execution& execution) {
  std::vector<std::uint32_t> begin{0}, column;
  std::vector<float> weight;
  Weights row;
  for (Index v = 0; v < matrix.size(); ++v) {
    if (v % 4096 == 0) execution.report("page", static_cast<double>(v) / matrix.size());
    matrix.read_weights(v, row);
    const Index first = matrix.component(v) >= 0 ? matrix.first_landmark(matrix.component(v)) : 0;
    for (std::size_t k = 0; k < row.size(); ++k) {
      column.push_back(static_cast<std::uint32_t>(first + row.column[k]));
      weight.push_back(static_cast<float>(row.value[k]));
    }
    if (column.size() > std::numeric_limits<std::uint32_t>::max())
      throw InputError(text("P has more than ", std::numeric_limits<std::uint32_t>::max(),
                            " entries, the most a page supports: use fewer landmarks or nonzeros"));
    begin.push_back(static_cast<std::uint32_t>(column.size()));
  }
  Json P;
  P["begin"] = arrays.add(std::span<const std::uint32_t>(begin), ArrayFilter::increments);
  if (matrix.landmarks().size() <= 65536) {
    const std::vector<std::uint16_t> narrow(column.begin(), column.end());
    P["column"] = arrays.add(std::span<const std::uint16_t>(narrow), ArrayFilter::increments);
  } else {
    P["column"] = arrays.add(std::span<const std::uint32_t>(column), ArrayFilter::increments);
  }
  P["weight"] = arrays.add(std::span<const float>(weight));
  return P;
}

Json add_matrix(PageArrays& arrays, const MatrixInput& input, const Execution& execution) {
  const LandmarkMatrix& matrix = require_factors(input, "'view'");
  const LandmarkArrays& landmarks = matrix.landmark_arrays();
  Json facts;
  facts["P"] = add_weights(arrays, matrix, execution);
  facts["W"] = std::visit(
      [&](const auto& values) {
        verify(landmarks.check, values);
        return arrays.add(values);
      },
      landmarks.W);
  facts["step"] = std::vector<double>(landmarks.step.begin(), landmarks.step.end());
  facts["spacing"] = std::vector<double>(landmarks.spacing.begin(), landmarks.spacing.end());
  facts["component_first"] =
      std::vector<Index>(landmarks.component_first.begin(), landmarks.component_first.end());
  facts["landmark"] = arrays.add(landmarks.landmark, ArrayFilter::increments);
  if (!landmarks.component.empty())
    facts["component"] = arrays.add(landmarks.component, ArrayFilter::increments);
  return facts;
}

Json add_drawing(PageArrays& arrays, const Drawing& drawing) {
  Json facts = Json::object();
  if (drawing.points.rows() > 0) facts["points"] = add_picture(arrays, drawing.points);
  if (drawing.triangles.rows() > 0)
    facts["triangles"] = arrays.add(
        std::span<const Index>(drawing.triangles.data(), static_cast<std::size_t>(drawing.triangles.size())),
        ArrayFilter::increments);
  if (!drawing.edges.empty())
    facts["edges"] =
        arrays.add(std::span<const Index>(drawing.edges.front().data(), 2 * drawing.edges.size()),
                   ArrayFilter::increments);
  if (!drawing.origin.empty()) facts["origin"] = add_numbers(arrays, drawing.origin);
  return facts;
}

/// The numbers beside the picture.
Json shape_facts(const ViewShape& shape, const nlohmann::json& summary) {
  Json facts = to_json(shape.input);
  Json kept = {{"name", shape.name}};
  for (const char* key : {"of", "vertices", "faces", "components", "method", "landmarks", "nonzeros",
                          "precision", "bytes", "file_bytes", "full_matrix_bytes", "measured_error"})
    kept[key] = facts[key];
  kept["geodesic"] = shape.input.distances.geodesic();
  if (summary.is_object()) kept["seconds"] = summary["seconds"]["total"];
  return kept;
}

/// What bounds distances from below: positions, or the edges of a graph.
void add_bound(PageArrays& arrays, const Shape& shape, Json& facts) {
  if (const auto* graph = std::get_if<Graph>(&shape)) {
    std::vector<std::int32_t> ends;
    std::vector<double> lengths;
    for (const Edge& edge : graph->edges) {
      ends.insert(ends.end(), {edge.a, edge.b});
      lengths.push_back(edge.length);
    }
    facts["graph"] = {{"ends", arrays.add(std::span<const std::int32_t>(ends))},
                      {"lengths", arrays.add(std::span<const double>(lengths))}};
    return;
  }
  const RowMatrix<double> positions = positions_of(shape);
  facts["positions"] = add_coordinates(arrays, positions);
  facts["dimension"] = positions.cols();
}

Json shape_json(PageArrays& arrays, const ViewShape& shape, const nlohmann::json& summary,
                const Execution& execution) {
  Json facts;
  facts["facts"] = shape_facts(shape, summary);
  facts["matrix"] = add_matrix(arrays, shape.input, execution);
  facts["drawing"] = add_drawing(arrays, shape.drawing);
  facts["form"] = add_picture(arrays, shape.form);
  facts["turn"] = std::vector<double>(shape.turn.data(), shape.turn.data() + 9);  // by columns
  facts["corresponds"] = shape.corresponds;
  facts["alike"] = shape.alike;
  const Distances& distances = shape.input.distances;
  if (distances.measured() && distances.has_shape()) add_bound(arrays, *distances.shape(), facts);
  if (const auto numbers = distances.labels(); !numbers.empty()) {
    const std::vector<double> labels(numbers.begin(), numbers.end());
    facts["labels"] = arrays.add(std::span<const double>(labels));
  }
  if (shape.error.size() > 0) {
    facts["error"] = add_picture(arrays, shape.error);
    facts["error_rows"] = shape.error_rows;
  }
  return facts;
}

}  // namespace

std::string script_json(const Json& object) {
  const std::string plain = object.dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(plain.size());
  for (const char c : plain) {
    // Only strings can hold these, and in strings this is how they may be written. All else is ASCII already.
    if (c == '<')
      safe += "\\u003c";
    else if (c == '>')
      safe += "\\u003e";
    else if (c == '&')
      safe += "\\u0026";
    else
      safe += c;
  }
  return safe;
}

std::int64_t page_bytes_bound(const ViewPage& page) {
  std::int64_t bytes = static_cast<std::int64_t>(view_template().size());
  for (const ViewShape& shape : page.shapes) {
    const std::int64_t all = static_cast<std::int64_t>(shape.input.distances.file()->file_bytes()) +
                             4 * shape.form.size() + 4 * shape.error.size() +
                             4 * shape.drawing.points.size() + 4 * shape.drawing.triangles.size();
    bytes += all / 3 * 4;
  }
  return bytes;
}

void write_page(const ViewPage& page, const std::function<void(std::string_view)>& write,
                const Execution& execution) {
  const std::string_view whole = view_template();
  const std::size_t at = whole.find(view_data_mark);
  if (at == std::string_view::npos)
    throw InputError(
        "this program was built without the viewer page: run scripts/setup viewer, then configure and build "
        "again");
  PageArrays arrays;
  Json facts = {{"version", geodome::version}, {"unit", page.unit}, {"shapes", Json::array()}};
  for (std::size_t k = 0; k < page.shapes.size(); ++k)
    facts["shapes"].push_back(shape_json(arrays, page.shapes[k], page.summaries[k], execution));
  write(whole.substr(0, at));
  write("<script type=\"application/json\" id=\"geodome-facts\">");
  write(script_json(facts));
  write("</script>\n");
  for (const std::string& element : arrays.elements()) write(element);
  write(whole.substr(at + view_data_mark.size()));
}

}  // namespace geodome::cli
