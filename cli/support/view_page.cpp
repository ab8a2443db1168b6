#include "support/view_page.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "geodome/base/error.h"
#include "geodome/base/version.h"
#include "geodome/file/matrix_file.h"
#include "geodome/matrix/landmark_matrix.h"
#include "support/describe_matrix.h"
#include "support/page_form.h"
#include "support/page_matrix.h"
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

/// In 16 bits per column, from the least to the largest number of it: within 1/131070 of that range.
Json add_rounded(PageArrays& arrays, const RowMatrix<double>& values) {
  if (values.rows() == 0 || !values.allFinite()) return add_coordinates(arrays, values);
  constexpr double steps = 65535;
  const Eigen::RowVectorXd low = values.colwise().minCoeff();
  const Eigen::RowVectorXd step = (values.colwise().maxCoeff() - low) / steps;
  std::vector<std::uint16_t> rounded;
  rounded.reserve(static_cast<std::size_t>(values.size()));
  for (Eigen::Index row = 0; row < values.rows(); ++row)
    for (Eigen::Index k = 0; k < values.cols(); ++k) {
      const double at = step[k] > 0 ? (values(row, k) - low[k]) / step[k] : 0;
      rounded.push_back(static_cast<std::uint16_t>(std::clamp(std::round(at), 0.0, steps)));
    }
  Json facts = arrays.add(std::span<const std::uint16_t>(rounded), ArrayFilter::increments,
                          static_cast<std::size_t>(values.cols()));
  facts["low"] = std::vector<double>(low.data(), low.data() + low.size());
  facts["step"] = std::vector<double>(step.data(), step.data() + step.size());
  return facts;
}

Json add_numbers(PageArrays& arrays, const std::vector<Index>& numbers) {
  return arrays.add(std::span<const Index>(numbers), ArrayFilter::increments);
}

/// Every triangle with its lowest corner first, in the order of that corner: its step from the triangle
/// before, and how far the other two corners are above it.
Json add_triangles(PageArrays& arrays, const Triangles& triangles) {
  std::vector<std::array<Index, 3>> turned;
  for (Eigen::Index t = 0; t < triangles.rows(); ++t) {
    std::array<Index, 3> corners{triangles(t, 0), triangles(t, 1), triangles(t, 2)};
    std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    turned.push_back(corners);
  }
  std::sort(turned.begin(), turned.end());
  std::vector<Index> steps;
  Index before = 0;
  for (const auto& [a, b, c] : turned) {
    steps.insert(steps.end(), {a - before, b - a, c - a});
    before = a;
  }
  return arrays.add(std::span<const Index>(steps));
}

/// The points are left out where they are the positions of all vertices, which the page holds anyway.
Json add_drawing(PageArrays& arrays, const Drawing& drawing, const RowMatrix<double>& positions) {
  Json facts = Json::object();
  const bool same = drawing.origin.empty() && positions.cols() == 3 &&
                    drawing.points.rows() == positions.rows() && drawing.points == positions;
  if (drawing.points.rows() > 0)
    facts["points"] = same ? Json("positions") : add_rounded(arrays, drawing.points);
  if (drawing.triangles.rows() > 0) facts["triangles"] = add_triangles(arrays, drawing.triangles);
  if (!drawing.edges.empty())
    facts["edges"] =
        arrays.add(std::span<const Index>(drawing.edges.front().data(), 2 * drawing.edges.size()),
                   ArrayFilter::increments, 2);
  if (!drawing.origin.empty()) facts["origin"] = add_numbers(arrays, drawing.origin);
  return facts;
}

/// The numbers beside the picture.
Json shape_facts(const ViewShape& shape, const nlohmann::json& summary) {
  Json facts = to_json(shape.input);
  Json kept = {{"name", shape.name}};
  for (const char* key :
       {"of", "vertices", "faces", "components", "method", "landmarks", "nonzeros", "precision", "bytes",
        "file_bytes", "full_matrix_bytes", "measured_error", "certificate"})
    kept[key] = facts[key];
  kept["geodesic"] = shape.input.distances.geodesic();
  if (summary.is_object()) kept["seconds"] = summary["seconds"]["total"];
  return kept;
}

/// How much straight lines between rounded positions are off at most.
double largest_difference(const std::vector<double>& step) {
  double sum = 0;
  for (const double one : step) sum += one * one;
  return std::sqrt(sum);
}

/// The edges of a graph, which bound distances from below.
Json add_graph(PageArrays& arrays, const Graph& graph) {
  std::vector<std::int32_t> ends;
  std::vector<double> lengths;
  for (const Edge& edge : graph.edges) {
    ends.insert(ends.end(), {edge.a, edge.b});
    lengths.push_back(edge.length);
  }
  return {{"ends", arrays.add(std::span<const std::int32_t>(ends), ArrayFilter::increments, 2)},
          {"lengths", arrays.add(std::span<const double>(lengths))}};
}

/// The shape itself: what bounds distances from below, positions or the edges of a graph, and what is drawn.
void add_shape(PageArrays& arrays, const ViewShape& shape, bool rounded, Json& facts) {
  const Distances& distances = shape.input.distances;
  RowMatrix<double> positions;
  if (distances.measured() && distances.has_shape()) {
    if (const auto* graph = std::get_if<Graph>(distances.shape().get())) {
      facts["graph"] = add_graph(arrays, *graph);
    } else {
      positions = positions_of(*distances.shape());
      facts["positions"] = rounded ? add_rounded(arrays, positions) : add_coordinates(arrays, positions);
      if (facts["positions"].contains("step"))
        facts["rounding"] = largest_difference(facts["positions"]["step"]);
      facts["dimension"] = positions.cols();
    }
  }
  facts["drawing"] = add_drawing(arrays, shape.drawing, positions);
}

/// The coordinates of the landmarks where those are enough, else of all vertices.
Json add_form(PageArrays& arrays, const LandmarkMatrix& matrix, const RowMatrix<double>& form) {
  constexpr double tolerance = 5e-6;
  const double diagonal = (form.colwise().maxCoeff() - form.colwise().minCoeff()).norm();
  const auto landmarks = landmark_form(matrix, form, tolerance * diagonal);
  if (!landmarks) return add_rounded(arrays, form);
  return {{"landmarks", arrays.add(std::span<const float>(landmarks->data(),
                                                          static_cast<std::size_t>(landmarks->size())))}};
}

Json shape_json(PageArrays& arrays, const ViewShape& shape, const nlohmann::json& summary,
                const Execution& execution) {
  const LandmarkMatrix& matrix = require_factors(shape.input, "'view'");
  Json facts;
  facts["facts"] = shape_facts(shape, summary);
  facts["matrix"] = add_matrix(arrays, matrix, execution);
  add_shape(arrays, shape, is_coded(matrix), facts);
  facts["form"] = add_form(arrays, matrix, shape.form);
  facts["turn"] = std::vector<double>(shape.turn.data(), shape.turn.data() + 9);  // by columns
  facts["corresponds"] = shape.corresponds;
  facts["alike"] = shape.alike;
  if (const auto numbers = shape.input.distances.labels(); !numbers.empty()) {
    const std::vector<double> labels(numbers.begin(), numbers.end());
    facts["labels"] = arrays.add(std::span<const double>(labels));
  }
  if (shape.error.size() > 0) {
    facts["error"] = add_rounded(arrays, shape.error);
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
                             4 * shape.drawing.points.size() + 4 * shape.drawing.triangles.size() +
                             coded_page_bytes(require_factors(shape.input, "'view'"));
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
