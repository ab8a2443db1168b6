#include "geodome/trials/trial.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>

#include "geodome/base/error.h"
#include "geodome/base/read_number.h"

namespace geodome::internal {
namespace {

std::string digits(double value) {
  if (std::isnan(value)) return {};
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

template <typename Number>
bool parse(const std::string& field, Number& value) {
  const char* end = field.data() + field.size();
  const auto result = read_number(field.data(), end, value);
  return result.ec == std::errc() && result.ptr == end;
}

/// A column of the table: how it is written and read.
struct Column {
  const char* name;
  std::function<std::string(const Trial&)> write;
  std::function<bool(Trial&, const std::string&)> read;
};

Column column(const char* name, std::string Trial::*member) {
  return {name, [=](const Trial& trial) { return trial.*member; },
          [=](Trial& trial, const std::string& field) {
            trial.*member = field;
            return true;
          }};
}

Column column(const char* name, double Trial::*member) {
  return {name, [=](const Trial& trial) { return digits(trial.*member); },
          [=](Trial& trial, const std::string& field) {
            trial.*member = unmeasured;
            return field.empty() || parse(field, trial.*member);
          }};
}

template <typename Integer>
Column column(const char* name, Integer Trial::*member) {
  return {name, [=](const Trial& trial) { return std::to_string(trial.*member); },
          [=](Trial& trial, const std::string& field) { return parse(field, trial.*member); }};
}

/// "landmark 0.5; geodesic 2.25"
std::string write_stages(const Trial& trial) {
  std::string field;
  for (const auto& [name, seconds] : trial.stages)
    field += text(field.empty() ? "" : "; ", name, " ") + digits(seconds);
  return field;
}

bool read_stages(Trial& trial, const std::string& field) {
  for (std::size_t begin = 0; begin < field.size();) {
    const std::size_t end = std::min(field.find("; ", begin), field.size());
    const std::string part = field.substr(begin, end - begin);
    const std::size_t space = part.rfind(' ');
    double seconds = 0;
    if (space == std::string::npos || !parse(part.substr(space + 1), seconds)) return false;
    trial.stages.emplace_back(part.substr(0, space), seconds);
    begin = end + 2;
  }
  return true;
}

const std::vector<Column>& columns() {
  static const std::vector<Column> all = {column("shape", &Trial::shape),
                                          column("vertices", &Trial::vertices),
                                          column("method", &Trial::method),
                                          column("landmarks", &Trial::landmarks),
                                          column("nonzeros", &Trial::nonzeros),
                                          column("repeat", &Trial::repeat),
                                          column("relative_error", &Trial::relative_error),
                                          column("mean_relative_error", &Trial::mean_relative_error),
                                          column("p99_relative_error", &Trial::p99_relative_error),
                                          column("stress", &Trial::stress),
                                          column("normalised_stress", &Trial::normalised_stress),
                                          column("large_weights", &Trial::large_weights),
                                          column("bytes", &Trial::bytes),
                                          column("reference_bytes", &Trial::reference_bytes),
                                          column("workspace_bytes", &Trial::workspace_bytes),
                                          column("peak_bytes", &Trial::peak_bytes),
                                          column("seconds", &Trial::seconds),
                                          column("cpu_seconds", &Trial::cpu_seconds),
                                          {"stages", write_stages, read_stages},
                                          column("reason", &Trial::reason),
                                          column("key", &Trial::key)};
  return all;
}

/// A field, quoted where it has to be.
std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"\n\r") == std::string::npos) return field;
  std::string result = "\"";
  for (const char c : field) result += c == '"' ? "\"\"" : std::string(1, c);
  return result + "\"";
}

/// The fields of the line that begins at `at`, which is moved behind it.
std::vector<std::string> next_line(const std::string& csv, std::size_t& at) {
  std::vector<std::string> fields(1);
  bool inside = false;
  for (; at < csv.size(); ++at) {
    const char c = csv[at];
    if (c == '"' && inside && at + 1 < csv.size() && csv[at + 1] == '"') {
      fields.back() += '"';
      ++at;
    } else if (c == '"') {
      inside = !inside;
    } else if (inside) {
      fields.back() += c;
    } else if (c == '\n') {
      ++at;
      return fields;
    } else if (c == ',') {
      fields.emplace_back();
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

}  // namespace

std::string trials_to_csv(const std::vector<Trial>& trials) {
  std::string csv;
  for (const Column& one : columns()) csv += text(csv.empty() ? "" : ",", one.name);
  csv += '\n';
  for (const Trial& trial : trials) {
    std::string line;
    for (const Column& one : columns())
      line.append(&one == &columns().front() ? "" : ",").append(quoted(one.write(trial)));
    csv += line + '\n';
  }
  return csv;
}

std::vector<Trial> trials_from_csv(const std::string& csv, const std::string& name) {
  std::vector<Trial> trials;
  std::size_t at = 0, line = 0;
  while (at < csv.size()) {
    const std::vector<std::string> fields = next_line(csv, at);
    ++line;
    if (fields.size() != columns().size())
      throw FileError(
          text(name, ", line ", line, ": ", fields.size(), " fields, expected ", columns().size()));
    Trial trial;
    for (std::size_t k = 0; k < fields.size(); ++k) {
      const Column& one = columns()[k];
      if (line == 1 ? fields[k] != one.name : !one.read(trial, fields[k]))
        throw FileError(text(name, ", line ", line, ": '", fields[k], "' is not a valid ", one.name));
    }
    if (line > 1) trials.push_back(std::move(trial));
  }
  return trials;
}

Spread spread_of(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return {};
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  const double median = values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  return {median, values.front(), values.back()};
}

Spread TrialGroup::spread(double Trial::*figure) const {
  std::vector<double> values;
  for (const Trial& trial : repeats) values.push_back(trial.*figure);
  return spread_of(std::move(values));
}

Spread TrialGroup::spread(std::int64_t Trial::*figure) const {
  std::vector<double> values;
  for (const Trial& trial : repeats) values.push_back(static_cast<double>(trial.*figure));
  return spread_of(std::move(values));
}

std::vector<TrialGroup> group_trials(const std::vector<Trial>& trials) {
  std::vector<TrialGroup> groups;
  for (const Trial& trial : trials) {
    if (!trial.done()) continue;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const TrialGroup& other) {
      return other.shape == trial.shape && other.vertices == trial.vertices && other.method == trial.method &&
             other.landmarks == trial.landmarks && other.nonzeros == trial.nonzeros;
    });
    if (group == groups.end())
      group = groups.insert(groups.end(),
                            {trial.shape, trial.vertices, trial.method, trial.landmarks, trial.nonzeros, {}});
    group->repeats.push_back(trial);
  }
  return groups;
}

}  // namespace geodome::internal
