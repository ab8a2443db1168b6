#pragma once
/// What every subcommand shares: the common options, progress on the terminal, and JSON on stdout.

#include <CLI/CLI.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "geodome/base/execution.h"

namespace geodome::cli {

/// Of a run that was cancelled.
inline constexpr int cancelled_exit_code = 130;

struct CommonOptions {
  bool json = false;
  bool quiet = false;
  int threads = 0;
  std::uint64_t seed = 0;
};

/// Adds --json, --quiet, --threads and --seed to a subcommand.
void add_common_options(CLI::App& command, CommonOptions& options);

/// The requested threads, a progress bar with time left on stderr if that is a terminal (after two seconds,
/// never with --quiet), and Ctrl-C turned into a Cancelled at the next report (interrupt.h).
Execution make_execution(const CommonOptions& options);

/// Prints one JSON object and nothing else. Bytes of file names that are no UTF-8 become U+FFFD.
void print_json(const nlohmann::ordered_json& object);

/// JSON has no infinity and no NaN: null.
nlohmann::ordered_json finite_or_null(double value);

/// One function per subcommand, each in its own file.
void add_shape_command(CLI::App& app);
void add_info_command(CLI::App& app);
void add_resample_command(CLI::App& app);
void add_distances_command(CLI::App& app);
void add_path_command(CLI::App& app);
void add_sample_command(CLI::App& app);
void add_interpolate_command(CLI::App& app);
void add_build_command(CLI::App& app);
void add_query_command(CLI::App& app);
void add_rows_command(CLI::App& app);
void add_map_command(CLI::App& app);
void add_partition_command(CLI::App& app);
void add_evaluate_command(CLI::App& app);
void add_export_command(CLI::App& app);
void add_embed_command(CLI::App& app);
void add_match_command(CLI::App& app);
void add_compare_command(CLI::App& app);
void add_view_command(CLI::App& app);

}  // namespace geodome::cli
