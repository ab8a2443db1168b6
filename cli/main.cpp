/// geodome: all geodesic distances of a shape, in a sparse, queryable form.

#include <exception>
#include <iostream>
#include <new>

#include "command.h"
#include "geodome/base/error.h"
#include "geodome/base/version.h"

namespace {

enum ExitCode { done = 0, failure = 1, bad_input = 2, cancelled = 130 };

int run(int argc, char** argv) {
  CLI::App app("All geodesic distances of a shape, in a sparse, queryable form.", "geodome");
  app.set_version_flag("--version", geodome::version);
  app.require_subcommand(1);
  app.footer("'geodome COMMAND --help' explains a command.");
  geodome::cli::add_shape_command(app);
  geodome::cli::add_info_command(app);
  geodome::cli::add_resample_command(app);
  geodome::cli::add_distances_command(app);
  geodome::cli::add_build_command(app);
  geodome::cli::add_query_command(app);
  geodome::cli::add_rows_command(app);
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
    std::cerr << "geodome: cancelled\n";
    return cancelled;
  } catch (const geodome::InputError& error) {
    std::cerr << "geodome: " << error.what() << '\n';
    return bad_input;
  } catch (const geodome::FileError& error) {
    std::cerr << "geodome: " << error.what() << '\n';
    return bad_input;
  } catch (const std::bad_alloc&) {
    std::cerr << "geodome: out of memory\n";
    return failure;
  } catch (const std::exception& error) {
    std::cerr << "geodome: " << error.what() << '\n';
    return failure;
  }
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv);
}
