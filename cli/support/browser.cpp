#include "support/browser.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

extern char** environ;

namespace geodome::cli {

namespace {

#ifdef __APPLE__
constexpr const char* opener = "open";
constexpr bool needs_display = false;
#else
constexpr const char* opener = "xdg-open";
constexpr bool needs_display = true;
#endif

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

bool has_browser() {
  return isatty(STDOUT_FILENO) != 0 && (!needs_display || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY"));
}

bool open_browser(const std::string& url) {
  // What the browser prints is of no interest here.
  posix_spawn_file_actions_t silent;
  posix_spawn_file_actions_init(&silent);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&silent, stream, "/dev/null", O_RDWR, 0);
  std::string program = opener, address = url;
  const std::array<char*, 3> arguments{program.data(), address.data(), nullptr};
  pid_t child = 0;
  const bool started = posix_spawnp(&child, opener, &silent, nullptr, arguments.data(), environ) == 0;
  posix_spawn_file_actions_destroy(&silent);
  return started;
}

}  // namespace geodome::cli
