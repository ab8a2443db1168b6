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
  return broadcast(*ranks().team, is_first_rank() ? find() : std::string(), 0);
}

}  // namespace geodome::cli
