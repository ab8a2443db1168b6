/// Times every reader: bench_readers [FILE …] [--vertices N] [--repeat R] [--json]

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/parse/input_file.h"
#include "geodome/shape/io/read.h"
#include "reader_files.h"

namespace {

using namespace geodome;
using namespace geodome::internal;
namespace fs = std::filesystem;

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

struct Row {
  std::string file;
  std::string format;
  double megabytes = 0;
  Index vertices = 0;
  double seconds = infinity;  // of the fastest run

  double megabytes_per_second() const { return megabytes / seconds; }
  double vertices_per_second() const { return vertices / seconds; }
};

/// Reads the file several times, from the system's cache. Bytes are counted before unpacking.
Row measure(const std::string& path, int repeat) {
  Row row;
  row.file = fs::path(path).filename().string();
  row.format = find_format(load_file(path)).name;
  row.megabytes = static_cast<double>(fs::file_size(path)) / 1e6;
  for (int run = 0; run < repeat; ++run) {
    const double begin = cpu_seconds();
    const Shape shape = read_shape(path);
    row.seconds = std::min(row.seconds, cpu_seconds() - begin);
    row.vertices = vertex_count(shape);
  }
  row.seconds = std::max(row.seconds, 1.0 / CLOCKS_PER_SEC);  // the clock's step
  return row;
}

void print_table(const std::vector<Row>& rows) {
  std::printf("%-28s %-20s %9s %10s %9s %9s %14s\n", "file", "format", "MB", "vertices", "ms", "MB/s",
              "M vertices/s");
  for (const Row& row : rows)
    std::printf("%-28s %-20s %9.2f %10d %9.2f %9.0f %14.2f\n", row.file.c_str(), row.format.c_str(),
                row.megabytes, static_cast<int>(row.vertices), 1e3 * row.seconds, row.megabytes_per_second(),
                row.vertices_per_second() / 1e6);
}

void print_json(const std::vector<Row>& rows) {
  nlohmann::json results = nlohmann::json::array();
  for (const Row& row : rows)
    results.push_back({{"file", row.file},
                       {"format", row.format},
                       {"megabytes", row.megabytes},
                       {"vertices", row.vertices},
                       {"seconds", row.seconds},
                       {"megabytes_per_second", row.megabytes_per_second()},
                       {"vertices_per_second", row.vertices_per_second()}});
  std::printf("%s\n", nlohmann::json{{"results", results}}.dump(2).c_str());
}

/// A temporary folder, removed with its contents.
struct Folder {
  fs::path path = fs::temp_directory_path() / text("geodome-bench-readers-", ::getpid());
  Folder() { fs::create_directory(path); }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times the reader of every format: CPU seconds, the fastest of several runs.");
  std::vector<std::string> paths;
  int vertices = 100000;
  int repeat = 5;
  bool json = false;
  app.add_option("files", paths, "Files to read; default: a sphere in every format");
  app.add_option("--vertices", vertices, "Vertices of the sphere")
      ->check(CLI::Range(100, 5000000))
      ->capture_default_str();
  app.add_option("--repeat", repeat, "Number of runs per file")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_flag("--json", json, "Print one JSON object");
  CLI11_PARSE(app, argc, argv);
  try {
    const Folder folder;
    if (paths.empty()) {
      const TriangleMesh sphere = make_sphere(static_cast<Index>(std::lround(std::sqrt(vertices / 10.0))));
      paths = bench::make_reader_files(sphere, folder.path.string());
    }
    std::vector<Row> rows;
    for (const std::string& path : paths) rows.push_back(measure(path, repeat));
    json ? print_json(rows) : print_table(rows);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_readers: %s\n", error.what());
    return 2;
  }
}
