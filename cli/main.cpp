/// geodome: a sparse representation of all geodesic distances of a shape.

#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <new>

#include "geodome/base/atomic_file.h"
#include "geodome/base/error.h"
#include "geodome/base/version.h"
#include "support/command.h"
#include "support/help_format.h"
#include "support/interrupt.h"
#include "support/memory_limit.h"

namespace {

enum ExitCode { done = 0, failure = 1, bad_input = 2, cancelled = geodome::cli::cancelled_exit_code };

int run(int argc, char** argv) {
  CLI::App app("Sparse representations of all geodesic distances of a shape.", "geodome");
  app.formatter(std::make_shared<geodome::cli::HelpFormatter>());  // before the commands, which inherit it
  app.set_version_flag("--version", geodome::version);
  app.require_subcommand(1);
  app.footer("Run 'geodome COMMAND --help' for the options and examples of a command.");
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return geodome::internal::text("geodome: ", error.what(), " (see --help)\n");
  });
  geodome::cli::add_shape_command(app);
  geodome::cli::add_info_command(app);
  geodome::cli::add_resample_command(app);
  geodome::cli::add_distances_command(app);
  geodome::cli::add_path_command(app);
  geodome::cli::add_sample_command(app);
  geodome::cli::add_interpolate_command(app);
  geodome::cli::add_build_command(app);
  geodome::cli::add_query_command(app);
  geodome::cli::add_rows_command(app);
  geodome::cli::add_map_command(app);
  geodome::cli::add_partition_command(app);
  geodome::cli::add_evaluate_command(app);
  geodome::cli::add_export_command(app);
  geodome::cli::add_embed_command(app);
  geodome::cli::add_match_command(app);
  geodome::cli::add_compare_command(app);
  geodome::cli::add_view_command(app);
  try {
    app.parse(argc, argv);
    return done;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? done : bad_input;
  } catch (const geodome::Cancelled&) {
    geodome::cli::say_cancelled();
    return cancelled;
  } catch (const geodome::internal::WriteError& error) {
    std::cerr << "geodome: " << error.what() << '\n';
    return failure;
  } catch (const geodome::InputError& error) {
    std::cerr << "geodome: " << error.what() << '\n';
    return bad_input;
  } catch (const geodome::FileError& error) {
    std::cerr << "geodome: " << error.what() << '\n';
    return bad_input;
  } catch (const std::bad_alloc&) {
    std::cerr << "geodome: " << geodome::cli::out_of_memory_message() << '\n';
    return failure;
  } catch (const std::exception& error) {
    std::cerr << "geodome: " << error.what() << '\n';
    return failure;
  }
}

/// What was printed may not have arrived: the disk is full, for instance.
int after_printing(int code) {
  if (std::cout.flush() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  std::cerr << "geodome: cannot write to standard output\n";
  return code == done ? failure : code;
}

}  // namespace

int main(int argc, char** argv) {
  geodome::cli::restart_under_memory_limit(argv);
  std::signal(SIGXFSZ, SIG_IGN);  // so that writing beyond a limit on file sizes is an error like any other
  geodome::cli::watch_for_interrupts();
  return after_printing(run(argc, argv));
}
