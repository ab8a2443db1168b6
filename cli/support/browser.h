#pragma once
/// Opens an address in the browser of the user.

#include <string>

namespace geodome::cli {

/// Whether somebody sits in front of this process who can be shown a browser: standard output is a terminal,
/// and there is a display.
bool has_browser();

/// Starts the browser and does not wait for it. Returns whether the system's program for this (xdg-open, or
/// open on macOS) could be started.
bool open_browser(const std::string& url);

}  // namespace geodome::cli
