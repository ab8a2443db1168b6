#include "geodome/comparison/table.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>

#include "geodome/base/error.h"
#include "geodome/base/mapped_file.h"
#include "geodome/embedding/embedding.h"
#include "geodome/matrix/full_matrix.h"

namespace geodome::internal {
namespace {

std::string without_endings(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  return name.substr(0, std::max<std::size_t>(1, std::min(name.find('.', 1), name.size())));
}

bool numbers_only(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == ' ';
}

/// The fields of a line, up to two.
struct LabelLine {
  std::string name;
  std::string label;
};

LabelLine split(const std::string& line) {
  const auto separates = [](char c) { return c == ',' || std::isspace(static_cast<unsigned char>(c)); };
  const auto name_end = std::find_if(line.begin(), line.end(), separates);
  const auto label_begin = std::find_if_not(name_end, line.end(), separates);
  const auto label_end = std::find_if(label_begin, line.end(), separates);
  return {std::string(line.begin(), name_end), std::string(label_begin, label_end)};
}

std::map<std::string, std::string> label_lines(const std::string& path) {
  const MappedFile file(path);
  std::map<std::string, std::string> labels;
  const std::string_view all = file.as_text();
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find('\n', begin), all.size());
    const std::string line(all.substr(begin, end - begin));
    begin = end + 1;
    ++number;
    if (line.empty() || line[0] == '#' || line.find_first_not_of(" \t\r,") == std::string::npos) continue;
    const LabelLine fields = split(line);
    if (fields.label.empty())
      throw FileError(text(path, ", line ", number, ": expected the name of a shape and a label, got only '",
                           fields.name, "'"));
    labels[std::filesystem::path(fields.name).filename().string()] = fields.label;
    labels.emplace(without_endings(fields.name), fields.label);
  }
  return labels;
}

}  // namespace

std::vector<Index> nearest_shapes(const RowMatrix<double>& distances) {
  std::vector<Index> nearest(static_cast<std::size_t>(distances.rows()), -1);
  for (Index i = 0; i < distances.rows(); ++i)
    for (Index j = 0; j < distances.cols(); ++j)
      if (i != j && (nearest[i] < 0 || distances(i, j) < distances(i, nearest[i]))) nearest[i] = j;
  return nearest;
}

CategoryAccuracy category_accuracy(const RowMatrix<double>& distances,
                                   const std::vector<std::string>& labels) {
  if (static_cast<std::size_t>(distances.rows()) != labels.size())
    throw InputError(text(labels.size(), " labels for ", distances.rows(), " shapes"));
  const std::vector<Index> nearest = nearest_shapes(distances);
  CategoryAccuracy accuracy;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (std::count(labels.begin(), labels.end(), labels[i]) < 2) continue;
    ++accuracy.of;
    accuracy.right += labels[nearest[i]] == labels[i];
  }
  return accuracy;
}

std::string label_of(const std::string& path) {
  std::string name = without_endings(path);
  std::string label = name;
  while (!label.empty() && numbers_only(label.back())) label.pop_back();
  return label.empty() ? name : label;
}

std::vector<std::string> read_labels(const std::string& path, const std::vector<std::string>& shapes) {
  const std::map<std::string, std::string> known = label_lines(path);
  std::vector<std::string> labels;
  for (const std::string& shape : shapes) {
    auto found = known.find(std::filesystem::path(shape).filename().string());
    if (found == known.end()) found = known.find(without_endings(shape));
    if (found == known.end()) throw FileError(text(path, " has no label for ", shape));
    labels.push_back(found->second);
  }
  return labels;
}

RowMatrix<double> shape_map(const RowMatrix<double>& distances) {
  if (distances.rows() < 2) return RowMatrix<double>::Zero(distances.rows(), 2);
  EmbeddingOptions options;
  options.dimensions = 2;
  options.method = ScalingMethod::dense;
  return embed(FullMatrix(distances.cwiseAbs2(), DistanceKind::squared), options).Z;
}

}  // namespace geodome::internal
