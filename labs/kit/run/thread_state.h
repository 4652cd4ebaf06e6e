// What a thread keeps: what runs on it, and the stack of callers. A coroutine may go on on another thread after
// any switch, so the address of this must never be kept across one: ask again with this_thread().
#pragma once

#include <cstdint>

#include "labs/kit/run/core.h"
#include "labs/kit/run/switch_recorder.h"
#include "labs/kit/time/thread_variable.h"

namespace fiberscope::kit {

/// How many coroutines may be resumed one inside the other (as in libco's pCallStack); the thread does not count.
inline constexpr std::uint32_t kMostNested = 128;

/// Which coroutine resumed which on this thread: the one that runs on top, the thread's own context at the bottom. What
/// libco keeps in the array pCallStack is linked here, from each to its caller.
class CallerStack {
  public:
    std::uint32_t depth() const noexcept { return depth_; }  ///< nested coroutines; the thread does not count
    /// At the limit: no other may be resumed.
    bool full() const noexcept { return depth_ >= kMostNested; }
    Core* top() const noexcept { return top_; }
    /// Whether `core` runs here, or waits here for one that it resumed. Only its address is looked at.
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
    /// Only if depth() > 0; else the program ends with a sentence that says so.
    void pop() noexcept {
        if (depth_ == 0) [[unlikely]]
            abort_empty();
        top_ = top_->caller_;
        --depth_;
    }
    /// `core` takes the place of the one on top, and goes back to the same caller. Only if depth() > 0.
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
    Core* own = nullptr;      ///< the context that the thread was born with; null until attach_thread()
    Core* current = nullptr;  ///< what runs now
    ExceptionState* exceptions = nullptr;
    int* error = nullptr;  ///< errno of this thread; null until attach_thread()
    CallerStack callers;
    SwitchRecorder leaving;     ///< the switch that is being recorded
    void* scheduler = nullptr;  ///< lab 04: what runs tasks on this thread, which keeps it here and takes it away again
    class Machines* machines = nullptr;  ///< those that this thread is one of, if any
    unsigned machine = 0;                ///< which of them
};

extern "C" {
// __thread, not thread_local: no initialisation wrapper stands between a switch and its thread.
extern __thread ThreadState fiberscope_thread_state;
}

/// The address of this thread's state; asked for anew after every switch. All zero until the thread has been attached;
/// this_thread() does that, and every way in calls it first.
KIT_THREAD_VARIABLE(ThreadState, thread_state, fiberscope_thread_state)

/// The first use on a thread: makes its own Core (a coroutine of kind `thread`), machine and signal stack.
ThreadState& attach_thread();

/// Makes this thread a machine of the open trace and records its own context as spawned.
void declare_thread();

/// The state of the thread that runs this, attached. Valid until the next switch.
inline ThreadState& this_thread() {
    ThreadState& state = thread_state();
    return state.own != nullptr ? state : attach_thread();
}

}  // namespace fiberscope::kit
