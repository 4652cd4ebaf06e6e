// The replacement for "Segmentation fault": which signal, in which coroutine, how deep, and a trace written up to its
// last event. The handler runs on a separate signal stack, since the coroutine's may be exhausted.
#pragma once

namespace fiberscope::kit {

/// Installs handlers for SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM and SIGINT, which report (report.h), write
/// the trace's end, and let the signal take its default action. Idempotent.
void install_fault_handler();

/// Sets the function that is called when the program is ended from outside (a time limit) to report waiting tasks
/// (report_waiting). It runs inside the handler, so it must neither allocate nor block.
void set_waiting_teller(void (*tell)() noexcept) noexcept;

/// Restores the default actions, as in a child whose exit status is checked by its parent.
void remove_fault_handler() noexcept;

}  // namespace fiberscope::kit
