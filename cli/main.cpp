/// geodome: a sparse representation of all geodesic distances of a shape.

#include "support/command.h"
#include "support/interrupt.h"
#include "support/program.h"

namespace cli = geodome::cli;

int main(int argc, char** argv) {
  cli::prepare_process(argv);
  const cli::Program program{
      .name = "geodome",
      .description = "Sparse representations of all geodesic distances of a shape.",
      .commands = {cli::add_shape_command, cli::add_info_command, cli::add_resample_command,
                   cli::add_distances_command, cli::add_path_command, cli::add_sample_command,
                   cli::add_interpolate_command, cli::add_build_command, cli::add_query_command,
                   cli::add_rows_command, cli::add_map_command, cli::add_partition_command,
                   cli::add_evaluate_command, cli::add_export_command, cli::add_embed_command,
                   cli::add_match_command, cli::add_compare_command, cli::add_view_command},
      .fail = [](cli::ExitCode code, const std::string& message) {
        code == cli::cancelled ? cli::say_cancelled() : cli::say_failure(message);
      }};
  return cli::run_program(program, argc, argv);
}
