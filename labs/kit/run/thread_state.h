// Per-thread state: the running context and the caller stack. A coroutine may continue on another thread after any
// switch, so never keep the address of this across one: call this_thread() again.
#pragma once

#include <cstdint>

#include "labs/kit/run/core.h"
#include "labs/kit/run/switch_recorder.h"
#include "labs/kit/time/thread_variable.h"

namespace fiberscope::kit {

/// Maximum number of nested coroutines (the size of libco's pCallStack); the thread does not count.
inline constexpr std::uint32_t kMostNested = 128;

/// The caller stack: the running coroutine on top, the thread's original context at the bottom. libco keeps it in the
/// array pCallStack; here each coroutine links to its caller.
class CallerStack {
  public:
    std::uint32_t depth() const noexcept { return depth_; }  ///< nested coroutines, not counting the thread
    /// At the limit: no further coroutine may be resumed.
    bool full() const noexcept { return depth_ >= kMostNested; }
    Core* top() const noexcept { return top_; }
    /// Whether `core` runs here, or waits here for a coroutine that it resumed. Compares only its address.
    bool contains(const Core& core) const noexcept {
        const Core* at = top_;
        while (at != nullptr && at != &core) at = at->caller_;
        return at != nullptr;
    }
    void push(Core& core) noexcept {
        core.caller_ = top_;
        top_ = &core;
        ++depth_;
    }
    /// Requires depth() > 0; otherwise ends the program with a message.
    void pop() noexcept {
        if (depth_ == 0) [[unlikely]]
            abort_empty();
        top_ = top_->caller_;
        --depth_;
    }
    /// Replaces the coroutine on top by `core`, which gets the same caller. Requires depth() > 0.
    void replace_top(Core& core) noexcept {
        core.caller_ = top_->caller_;
        top_ = &core;
    }

  private:
    friend ThreadState& attach_thread();
    [[noreturn, gnu::cold, gnu::noinline]] static void abort_empty() noexcept;

    Core* top_ = nullptr;
    std::uint32_t depth_ = 0;
};

struct ThreadState {
    Core* own = nullptr;      ///< the thread's original context; null until attach_thread()
    Core* current = nullptr;  ///< the running context
    ExceptionState* exceptions = nullptr;
    int* error = nullptr;  ///< errno of this thread; null until attach_thread()
    CallerStack callers;
    SwitchRecorder leaving;              ///< the switch that is being recorded
    void* scheduler = nullptr;           ///< lab 04: runs tasks on this thread; set and cleared by the scheduler itself
    class Machines* machines = nullptr;  ///< the group of machines that this thread belongs to, if any
    unsigned machine = 0;                ///< its index among them
};

extern "C" {
// __thread, not thread_local: avoids an initialization wrapper in every switch.
extern __thread ThreadState fiberscope_thread_state;
}

/// The address of this thread's state; re-read after every switch. Zero-initialized until the thread is attached, which
/// this_thread() does; every entry point calls that first.
KIT_THREAD_VARIABLE(ThreadState, thread_state, fiberscope_thread_state)

/// First use on a thread: creates its own Core (a coroutine of kind `thread`), machine and signal stack.
ThreadState& attach_thread();

/// Makes this thread a machine of the open trace and records its original context as spawned.
void declare_thread();

/// The state of the calling thread, attached. Valid until the next switch.
inline ThreadState& this_thread() {
    ThreadState& state = thread_state();
    return state.own != nullptr ? state : attach_thread();
}

}  // namespace fiberscope::kit
