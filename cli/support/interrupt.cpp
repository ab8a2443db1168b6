#include "support/interrupt.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>

#include "geodome/base/atomic_file.h"
#include "support/command.h"

namespace geodome::cli {

using namespace internal;

namespace {

/// The work stops by itself at its next report, mostly within milliseconds. Together with the time that takes
/// to end the process this stays below a second.
constexpr int patience_milliseconds = 600;
constexpr std::size_t watcher_stack_bytes = std::size_t{1} << 20;  // thread-local storage included

std::atomic<int> requests = 0;
std::atomic<bool> said = false;
std::atomic<bool> watched = false;
std::atomic<bool (*)()> says = nullptr;

/// A byte for every request: what is first read from waits for them. Unlike semaphores with a time limit,
/// pipes are the same on all systems.
int requests_to_read = -1, requests_to_write = -1;
static_assert(std::atomic<int>::is_always_lock_free, "signal handlers need lock-free atomics");

void on_signal(int) {
  const int error = errno;
  if (++requests > 1 && !watched) _exit(cancelled_exit_code);
  static_cast<void>(!write(requests_to_write, "!", 1));
  errno = error;
}

/// Waits for the second request, at most as long as patience lasts.
void wait_for_another() {
  pollfd waiting{requests_to_read, POLLIN, 0};
  while (poll(&waiting, 1, patience_milliseconds) < 0 && errno == EINTR) {
  }
}

/// The body of the watching thread. It allocates no memory, so that it works where none is left.
void* watch(void*) {
  char request = 0;
  while (read(requests_to_read, &request, 1) != 1) {
  }
  wait_for_another();
  const auto held = remove_temporary_files();
  say_cancelled();
  _exit(cancelled_exit_code);
}

/// The end that is written to never waits: a handler must return. Without a pipe nobody watches.
bool open_pipe() {
  int ends[2];
  if (pipe(ends) != 0) return false;
  for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFL, O_NONBLOCK);
  requests_to_read = ends[0];
  requests_to_write = ends[1];
  return true;
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
  if (open_pipe()) start_watching();
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
  if (const auto decides = says.load(); decides != nullptr && !decides()) return;
  // On a terminal the progress bar may stand in the line.
  constexpr char message[] = "\r\033[Kgeodome: cancelled\n";
  const std::size_t skipped = isatty(STDERR_FILENO) != 0 ? 0 : 4;
  static_cast<void>(!write(STDERR_FILENO, message + skipped, sizeof message - 1 - skipped));
}

void say_cancelled_if(bool (*decides)()) {
  says = decides;
}

}  // namespace geodome::cli
