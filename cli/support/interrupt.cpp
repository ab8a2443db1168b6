#include "support/interrupt.h"

#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <ctime>

#include "geodome/base/atomic_file.h"
#include "support/command.h"

namespace geodome::cli {

using namespace internal;

namespace {

/// The work stops by itself at its next report, mostly within milliseconds. Together with the time that takes
/// to end the process this stays below a second.
constexpr long patience_nanoseconds = 600'000'000;
constexpr std::size_t watcher_stack_bytes = std::size_t{1} << 20;  // thread-local storage included

std::atomic<int> requests = 0;
std::atomic<bool> said = false;
std::atomic<bool> watched = false;
sem_t request_came;
static_assert(std::atomic<int>::is_always_lock_free, "signal handlers need lock-free atomics");

void on_signal(int) {
  const int error = errno;
  if (++requests > 1 && !watched) _exit(cancelled_exit_code);
  sem_post(&request_came);
  errno = error;
}

/// Waits for the second request, at most as long as patience lasts.
void wait_for_another() {
  timespec end{};
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_nsec += patience_nanoseconds;
  end.tv_sec += end.tv_nsec / 1'000'000'000;
  end.tv_nsec %= 1'000'000'000;
  while (sem_timedwait(&request_came, &end) != 0 && errno == EINTR) {
  }
}

/// The body of the watching thread. It allocates no memory, so that it works where none is left.
void* watch(void*) {
  while (sem_wait(&request_came) != 0) {
  }
  wait_for_another();
  const auto held = remove_temporary_files();
  say_cancelled();
  _exit(cancelled_exit_code);
}

void start_watching() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, watcher_stack_bytes);
  pthread_t thread{};
  watched = pthread_create(&thread, &attributes, watch, nullptr) == 0;
  pthread_attr_destroy(&attributes);
}

}  // namespace

void watch_for_interrupts() {
  sem_init(&request_came, 0, 0);
  start_watching();
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  struct sigaction before {};
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, nullptr);
}

bool interrupted() {
  return requests > 0;
}

void say_cancelled() {
  if (said.exchange(true)) return;
  // On a terminal the progress bar may stand in the line.
  constexpr char message[] = "\r\033[Kgeodome: cancelled\n";
  const std::size_t skipped = isatty(STDERR_FILENO) != 0 ? 0 : 4;
  static_cast<void>(!write(STDERR_FILENO, message + skipped, sizeof message - 1 - skipped));
}

}  // namespace geodome::cli
