// What a student sees instead of "Segmentation fault": which signal, in which coroutine, how deep, and the trace
// written out to its last event. The handler runs on a signal stack of its own, since the coroutine's may be used up.
#pragma once

namespace fiberscope::kit {

/// Handles SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM and SIGINT from now on: reports (report.h), writes the
/// trace's end, and lets the signal take its usual course. Once a process; further calls do nothing.
void install_fault_handler();

/// Called when the program is ended from outside (a time limit): reports what waits, and for what (report_waiting).
/// Called inside the handler, so it may neither allocate nor wait.
void set_waiting_teller(void (*tell)() noexcept) noexcept;

/// Lets the signals take their usual course at once, as in a child whose end only its parent looks at.
void remove_fault_handler() noexcept;

}  // namespace fiberscope::kit
