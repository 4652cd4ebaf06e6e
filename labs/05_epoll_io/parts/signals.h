// Signals as code that blocks expects them: where the kernel would end a call by EINTR, the hook does.
#pragma once

#include <cstdint>

#include "labs/05_epoll_io/epoller.h"

namespace fiberscope::lab05 {

/// What stands in Task::io: the address of the innermost HookScope, which leaves its lowest bits free for these.
namespace mark {
inline constexpr std::uintptr_t kOff = 1;        ///< the scope switches the hook off
inline constexpr std::uintptr_t kWaits = 2;      ///< the task is in a call that a signal ends
inline constexpr std::uintptr_t kRestarts = 4;   ///< but not one whose handler has SA_RESTART
inline constexpr std::uintptr_t kSignalled = 8;  ///< a signal has ended it
inline constexpr std::uintptr_t kAll = 15;
}  // namespace mark

/// On the stack of a hooked call that may wait. As long as it lives, a handler that runs on a thread of this task's
/// scheduler wakes the task. Within another one it changes nothing: the outer one is the call. Outside of hooked tasks
/// it does nothing.
class SignalWait {
  public:
    /// `restarts`: a handler with SA_RESTART lets the call go on, as signal(7) has it.
    explicit SignalWait(bool restarts) noexcept;
    ~SignalWait();
    SignalWait(const SignalWait&) = delete;
    SignalWait& operator=(const SignalWait&) = delete;

    /// The call is to return EINTR.
    bool came() const noexcept;

  private:
    lab04::Task* task_ = nullptr;
    bool outermost_ = false;
};

/// From a signal handler, at its end: the hooked calls of this thread end by EINTR; with `restarts` only those that
/// the kernel never restarts.
void note_signal(bool restarts) noexcept;

}  // namespace fiberscope::lab05
