#include "support/ranks.h"

#include <string_view>

namespace geodome::cli {

using namespace internal;

namespace {

Ranks& ranks_of_program() {
  static Ranks instance;
  return instance;
}

}  // namespace

const Ranks& ranks() {
  return ranks_of_program();
}

void set_ranks(const Ranks& all) {
  ranks_of_program() = all;
}

bool is_first_rank() {
  return ranks().team == nullptr || ranks().team->rank() == 0;
}

void write_once(const std::function<void()>& write) {
  if (is_first_rank()) write();
  if (ranks().team != nullptr) static_cast<void>(ranks().team->gather({}));
}

std::string found_once(const std::function<std::string()>& find) {
  if (ranks().team == nullptr) return find();
  Bytes bytes;
  if (is_first_rank()) {
    const std::string found = find();
    const auto some = std::as_bytes(std::span(found.data(), found.size()));
    bytes.assign(some.begin(), some.end());
  }
  bytes = broadcast(*ranks().team, std::move(bytes), 0);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace geodome::cli
