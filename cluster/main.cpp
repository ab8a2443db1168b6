/// geodome-mpi: one shape on several processes, which may run on several machines (docs/howto/cluster.md).

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>

#include "cluster/machine.h"
#include "cluster/mpi_team.h"
#ifdef GEODOME_WITH_SLEPC
#include "cluster/slepc_eigensolver.h"
#endif
#include "geodome/base/atomic_file.h"
#include "support/command.h"
#include "support/interrupt.h"
#include "support/program.h"
#include "support/ranks.h"

namespace {

namespace cli = geodome::cli;
using geodome::cluster::Machine;

/// Where a rank other than the first prints what ends the run; its other output goes nowhere.
int errors = STDERR_FILENO;

/// For the thread that ends a rank which waits for others.
std::atomic<const Machine*> machine_of_rank = nullptr;

void silence() {
  errors = dup(STDERR_FILENO);
  fcntl(errors, F_SETFD, FD_CLOEXEC);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  close(nowhere);
}

/// A rank has failed, so all have to end. What is wrong for all of them is said once: by the first one of a
/// machine that comes here, other machines after the one of rank 0.
void end_all(const Machine& machine, cli::ExitCode code, const std::string& message) {
  const auto held = geodome::internal::remove_temporary_files();
  std::fflush(stdout);
  if (!machine.is_first_to_fail()) std::this_thread::sleep_for(std::chrono::seconds(20));
  if (!machine.has_rank_0()) std::this_thread::sleep_for(std::chrono::seconds(1));
  const std::string said = "geodome: " + (code == cli::cancelled ? "cancelled" : message) + "\n";
  static_cast<void>(!write(errors, said.data(), said.size()));
  MPI_Abort(MPI_COMM_WORLD, code);
}

/// Cores that the ranks of this machine have each, where they are not bound to some.
int threads_of_rank(int on_machine) {
  const int mine = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const auto cores = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  return mine < cores ? mine : std::max(1, mine / on_machine);
}

}  // namespace

int main(int argc, char** argv) {
  cli::prepare_process(argv);
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int code = 0;
  {
    geodome::cluster::MpiTeam team(MPI_COMM_WORLD);
    if (team.rank() > 0) silence();
#ifdef GEODOME_WITH_SLEPC
    const geodome::cluster::SlepcEigensolver eigensolver(MPI_COMM_WORLD);
    team.use(eigensolver);
#endif
    const Machine machine(MPI_COMM_WORLD);
    machine_of_rank = &machine;
    // Nobody hears the other ranks.
    if (team.rank() == 0) cli::say_cancelled_if([] { return machine_of_rank.load()->is_first_to_fail(); });
    cli::set_ranks({&team, machine.ranks(), threads_of_rank(machine.ranks())});
    const cli::Program program{
        .name = "geodome-mpi",
        .description =
            "One shape on several processes: mpirun -n RANKS geodome-mpi COMMAND …\n"
            "The options and results are those of geodome; --threads is for each rank.",
        .commands = {cli::add_build_command, cli::add_embed_command, cli::add_evaluate_command},
        .fail = [&](cli::ExitCode failed, const std::string& message) { end_all(machine, failed, message); }};
    code = cli::run_program(program, argc, argv);
    cli::say_cancelled_if(nullptr);
  }
  MPI_Finalize();
  return code;
}
