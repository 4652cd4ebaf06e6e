// Completes the file when a signal ends the program.
#pragma once

namespace fiberscope::preload {

/// Installs handlers for the signals whose default action ends the process, unless the program has its own. A handler
/// completes the file, and then the default action takes place.
void handle_crashes();

/// Gives the calling thread a stack for signals, unless it has one: a coroutine's own may be full.
void provide_signal_stack();

/// Ends the recording with a fault of the running coroutine. Async-signal-safe.
void end_with_fault(const char* what) noexcept;

}  // namespace fiberscope::preload
