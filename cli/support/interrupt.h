#pragma once
/// Ctrl-C and other requests to end.

namespace geodome::cli {

/// From now on SIGINT, SIGTERM and SIGHUP (unless that is ignored, as by nohup) ask the work to stop. Where
/// it has not stopped 0.6 seconds later, because it is inside a factorisation or waits for a pipe, or where
/// the signal comes again, temporary files are removed and the process ends with exit code 130.
void watch_for_interrupts();

/// Whether one of these signals has been received.
bool interrupted();

/// Says on stderr that the work was cancelled, unless that was said before.
void say_cancelled();

/// From now on it is said only where this gives true: of several processes that end together one says it. It
/// must not allocate memory.
void say_cancelled_if(bool (*says)());

}  // namespace geodome::cli
