// Ending the program for a reason that is told.
#pragma once

#include <string>

namespace fiberscope::kit {

/// Ends the program by SIGABRT; the report gives `reason`, a message, as the cause. Without the fault handler it goes
/// to stderr.
[[noreturn]] void abort_because(const char* reason) noexcept;
[[noreturn]] inline void abort_because(const std::string& reason) noexcept { abort_because(reason.c_str()); }

/// Keeps `reason` (the first 511 bytes) for the fault handler: why the program is about to abort.
void keep_abort_reason(const char* reason) noexcept;
/// What was kept; empty if nothing was. Async-signal-safe.
const char* abort_reason() noexcept;
/// From now on a fault handler tells the reason, so that abort_because does not.
void fault_handler_tells_reasons() noexcept;

}  // namespace fiberscope::kit
