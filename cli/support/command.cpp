#include "support/command.h"

#include <unistd.h>
#include <cmath>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>

#include "geodome/base/threads.h"
#include "support/bounds.h"
#include "support/interrupt.h"
#include "support/ranks.h"

namespace geodome::cli {

using namespace internal;

namespace {

using Clock = std::chrono::steady_clock;

/// One line on stderr, redrawn in place: the stage, the share done and the time left.
class ProgressBar {
 public:
  void show(std::string_view stage, double fraction) {
    const auto now = Clock::now();
    if (stage != stage_) {
      stage_ = stage;
      begin_ = now;
    }
    const double elapsed = std::chrono::duration<double>(now - begin_).count();
    const bool worth_showing = std::chrono::duration<double>(now - start_).count() > 2;
    if (!worth_showing || std::chrono::duration<double>(now - drawn_).count() < 0.1) return;
    drawn_ = now;
    visible_ = true;
    const int filled = static_cast<int>(fraction * 30);
    std::fprintf(stderr, "\r\033[K%-22.*s [%.*s%*s] %3.0f %%", static_cast<int>(stage.size()), stage.data(),
                 filled, "##############################", 30 - filled, "", 100 * fraction);
    if (fraction > 0.01 && elapsed > 1)
      std::fprintf(stderr, "  %.0f s left", elapsed * (1 - fraction) / fraction);
    std::fflush(stderr);
  }
  ~ProgressBar() {
    if (visible_) std::fprintf(stderr, "\r\033[K");
  }

 private:
  std::string stage_;
  Clock::time_point start_ = Clock::now(), begin_ = start_, drawn_ = start_;
  bool visible_ = false;
};

}  // namespace

void add_common_options(CLI::App& command, CommonOptions& options) {
  command.add_flag("--json", options.json, "Print one JSON object to stdout and nothing else");
  command.add_flag("-q,--quiet", options.quiet, "Print no progress and no summary");
  command.add_option("--threads", options.threads, "Number of threads; 0: all cores")
      ->capture_default_str()
      ->check(whole_number(0, most_threads));
  command.add_option("--seed", options.seed, "Seed of the random number generators")
      ->capture_default_str()
      ->check(seed_number());
}

Execution make_execution(const CommonOptions& options) {
  Execution execution;
  execution.threads = options.threads > 0 ? options.threads : ranks().threads;
  execution.team = ranks().team;
  std::shared_ptr<ProgressBar> bar;
  if (!options.quiet && is_first_rank() && isatty(STDERR_FILENO)) bar = std::make_shared<ProgressBar>();
  execution.progress = [bar](std::string_view stage, double fraction) {
    if (bar) bar->show(stage, fraction);
    return !interrupted();
  };
  return execution;
}

nlohmann::ordered_json finite_or_null(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
}

void print_json(const nlohmann::ordered_json& object) {
  std::cout << object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

}  // namespace geodome::cli
