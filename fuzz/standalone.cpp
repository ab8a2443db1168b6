/// Runs a fuzz target without libFuzzer, as a test: a fixed number of inputs, made from seeds by simple
/// mutation with fixed random numbers. The command line is that of libFuzzer as far as it goes:
///
///   fuzz_read_obj -runs=10000 -seed=1 SEEDS...     folders of seeds; each seed is run as it is first
///   fuzz_read_obj FILE...                          runs these inputs
///
/// With -artifact=PATH the input being run is kept there, so that it survives any crash; the file is removed
/// at the end.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t longest_input = std::size_t{1} << 16;

struct Arguments {
  std::size_t runs = 0;
  std::uint64_t seed = 1;
  std::string artifact;
  std::vector<std::string> paths;
};

[[noreturn]] void fail(const std::string& message) {
  std::cerr << "fuzz: " << message << '\n';
  std::exit(2);
}

Arguments parse(int count, char** values) {
  Arguments arguments;
  for (int i = 1; i < count; ++i) {
    const std::string value = values[i];
    if (value.starts_with("-runs="))
      arguments.runs = std::stoull(value.substr(6));
    else if (value.starts_with("-seed="))
      arguments.seed = std::stoull(value.substr(6));
    else if (value.starts_with("-artifact="))
      arguments.artifact = value.substr(10);
    else if (!value.starts_with("-"))
      arguments.paths.push_back(value);
    else
      fail("unknown option '" + value + "': -runs=N, -seed=N, -artifact=PATH");
  }
  return arguments;
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) fail("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// In the order of their names, so that every run is the same.
std::vector<std::string> read_inputs(const std::vector<std::string>& paths) {
  std::vector<std::filesystem::path> files;
  for (const std::string& path : paths) {
    if (std::filesystem::is_directory(path))
      for (const auto& entry : std::filesystem::directory_iterator(path)) files.push_back(entry.path());
    else
      files.emplace_back(path);
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> inputs;
  for (const std::filesystem::path& file : files) inputs.push_back(contents(file));
  return inputs;
}

/// Changes an input a few times: bytes, numbers in text, pieces removed, repeated or taken from another seed.
class Mutator {
 public:
  Mutator(const std::vector<std::string>& seeds, std::uint64_t seed) : seeds_(seeds), random_(seed) {}

  std::string next() {
    std::string bytes = seeds_.empty() ? std::string() : any_seed();
    for (std::size_t changes = 1 + below(1 + below(8)); changes > 0; --changes) change(bytes);
    bytes.resize(std::min(bytes.size(), longest_input));
    return bytes;
  }

 private:
  // Not a distribution of the standard library, whose numbers differ between implementations.
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }
  const std::string& any_seed() { return seeds_[below(seeds_.size())]; }
  std::string_view piece(std::string_view of) {
    if (of.empty()) return of;
    return of.substr(below(of.size()), 1 + below(1 + below(64)));
  }

  void change(std::string& bytes) {
    static constexpr std::string_view telling = "0123456789-+.eE#% \n\r\t\\,;\"'<>/()\0\xff\x7f\x80";
    static constexpr std::string_view words[] = {"nan",    "inf",        "-1",   "0",     "1e308",
                                                 "1e-320", "4294967296", "-inf", "1e400", "2147483648",
                                                 "99999",  "\n",         " ",    "0x10"};
    const std::size_t at = below(bytes.size() + 1);
    const bool inside = at < bytes.size();
    switch (below(10)) {
      case 0:
      case 1:
        if (inside) bytes[at] = static_cast<char>(bytes[at] ^ (1 << below(8)));
        return;
      case 2:
        if (inside) bytes[at] = telling[below(telling.size())];
        return;
      case 3:
        if (inside) bytes[at] = static_cast<char>(random_());
        return;
      case 4:
        if (inside) bytes[at] = static_cast<char>(bytes[at] + static_cast<char>(below(33)) - 16);
        return;
      case 5:
        bytes.erase(at, 1 + below(1 + below(64)));
        return;
      case 6:
        bytes.insert(at, words[below(std::size(words))]);
        return;
      case 7:
        bytes.insert(at, std::string(piece(bytes)));
        return;
      case 8:
        if (!seeds_.empty()) bytes.replace(at, below(64), piece(any_seed()));
        return;
      default:
        if (below(8) == 0) bytes.resize(at);
        for (std::size_t k = at; k < std::min(bytes.size(), at + 8); ++k)
          bytes[k] = static_cast<char>(random_());
    }
  }

  const std::vector<std::string>& seeds_;
  std::mt19937_64 random_;
};

/// Holds the current input. What is written stays with the system, however the process ends.
class Artifact {
 public:
  explicit Artifact(std::string path) : path_(std::move(path)) {
    if (path_.empty()) return;
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (descriptor_ < 0) fail("cannot write " + path_);
  }
  void keep(const std::string& input) const {
    if (descriptor_ < 0) return;
    const bool kept =
        ::ftruncate(descriptor_, static_cast<off_t>(input.size())) == 0 &&
        ::pwrite(descriptor_, input.data(), input.size(), 0) == static_cast<ssize_t>(input.size());
    if (!kept) fail("cannot write " + path_);
  }
  void remove() const {
    if (descriptor_ >= 0) ::unlink(path_.c_str());
  }

 private:
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace

int main(int count, char** values) {
  const Arguments arguments = parse(count, values);
  const std::vector<std::string> inputs = read_inputs(arguments.paths);
  const Artifact artifact(arguments.artifact);
  const auto run = [&](const std::string& input) {
    artifact.keep(input);
    // A copy of exactly this length, so that a sanitizer sees the first byte behind it.
    const std::vector<std::uint8_t> bytes(input.begin(), input.end());
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  };
  for (const std::string& input : inputs) run(input);
  Mutator mutator(inputs, arguments.seed);
  for (std::size_t done = inputs.size(); done < arguments.runs; ++done) run(mutator.next());
  artifact.remove();
  std::cout << std::max(arguments.runs, inputs.size()) << " executions\n";
  return 0;
}
