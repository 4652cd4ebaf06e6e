// What a student sees instead of "Segmentation fault": which signal, in which coroutine, how deep, and the trace
// written out to its last event. The handler runs on a signal stack of its own, since the coroutine's may be used up.
#pragma once

#include <cstddef>

namespace fiberscope::kit {

/// Handles SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTERM and SIGINT from now on: reports (report.h), writes the
/// trace's end, and lets the signal take its usual course. Once a process; further calls do nothing.
void install_fault_handler();

/// Ends the program by SIGABRT; the report gives `reason` as the cause. Without the fault handler it goes to stderr.
[[noreturn]] void abort_because(const char* reason) noexcept;

/// The signal stack of the thread that makes it; every thread with coroutines has one.
class SignalStack {
  public:
    SignalStack();
    ~SignalStack();
    SignalStack(const SignalStack&) = delete;
    SignalStack& operator=(const SignalStack&) = delete;

  private:
    void* memory_;
    std::size_t size_;
};

}  // namespace fiberscope::kit
