// Aborts the program with a reason.
#pragma once

#include <string>

namespace fiberscope::kit {

/// Ends the program by SIGABRT; the report gives `reason`, a message, as the cause. Without a fault handler it is
/// printed to stderr.
[[noreturn]] void abort_because(const char* reason) noexcept;
[[noreturn]] inline void abort_because(const std::string& reason) noexcept { abort_because(reason.c_str()); }

/// Stores `reason` (at most 511 bytes) for the fault handler: why the program is about to abort.
void keep_abort_reason(const char* reason) noexcept;
/// The stored reason; empty if there is none. Async-signal-safe.
const char* abort_reason() noexcept;
/// Leaves printing the reason to a fault handler, instead of abort_because.
void fault_handler_tells_reasons() noexcept;

}  // namespace fiberscope::kit
