#include "support/program.h"

#include <csignal>
#include <cstdio>
#include <exception>
#include <iostream>
#include <memory>
#include <new>

#include "geodome/base/atomic_file.h"
#include "geodome/base/error.h"
#include "geodome/base/version.h"
#include "support/help_format.h"
#include "support/interrupt.h"
#include "support/memory_limit.h"
#include "support/suggestion.h"

namespace geodome::cli {

using namespace internal;

namespace {

int run_command(const Program& program, int argc, char** argv) {
  CLI::App app(program.description, program.name);
  app.formatter(std::make_shared<HelpFormatter>());  // before the commands, which inherit it
  app.set_version_flag("--version", version);
  app.require_subcommand(1);
  app.footer("Run '" + program.name + " COMMAND --help' for the options and examples of a command.");
  app.failure_message([](const CLI::App*, const CLI::Error& error) {
    return text("geodome: ", error.what(), " (see --help)\n");
  });
  for (const auto add : program.commands) add(app);
  const auto is_named = [&](const CLI::App* command) { return command->get_name() == argv[1]; };
  if (argc > 1 && argv[1][0] != '-' && app.get_subcommands(is_named).empty()) {
    program.fail(bad_input, unknown_command(app, argv[1]) + " (see --help)");
    return bad_input;
  }
  const auto failed = [&](ExitCode code, const std::string& message) {
    program.fail(code, message);
    return code;
  };
  try {
    app.parse(argc, argv);
    return done;
  } catch (const CLI::ExtrasError&) {
    const auto commands = app.get_subcommands();
    return failed(bad_input,
                  unexpected_argument(commands.empty() ? app : *commands.front()) + " (see --help)");
  } catch (const CLI::ArgumentMismatch& error) {
    return failed(bad_input, missing_value(error) + " (see --help)");
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? done : bad_input;
  } catch (const Cancelled&) {
    return failed(cancelled, {});
  } catch (const WriteError& error) {
    return failed(failure, error.what());
  } catch (const InputError& error) {
    return failed(bad_input, error.what());
  } catch (const FileError& error) {
    return failed(bad_input, error.what());
  } catch (const std::bad_alloc&) {
    return failed(failure, out_of_memory_message());
  } catch (const std::exception& error) {
    return failed(failure, error.what());
  }
}

/// What was printed may not have arrived: the disk is full, for instance.
int after_printing(int code) {
  if (std::cout.flush() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  say_failure("cannot write to standard output");
  return code == done ? failure : code;
}

}  // namespace

void prepare_process(char** arguments) {
  restart_under_memory_limit(arguments);
  std::signal(SIGXFSZ, SIG_IGN);  // so that writing beyond a limit on file sizes is an error like any other
  watch_for_interrupts();
}

int run_program(const Program& program, int argc, char** argv) {
  return after_printing(run_command(program, argc, argv));
}

void say_failure(const std::string& message) {
  std::cerr << "geodome: " << message << '\n';
}

}  // namespace geodome::cli
