// What a thread keeps: who runs on it, the stack of callers, its clock. A coroutine may go on on another thread after
// any switch, so the address of this must never be kept across one: ask again with this_thread().
#pragma once

#include <cstdint>

#include "labs/kit/core.h"
#include "labs/kit/switch_recorder.h"

namespace fiberscope::kit {

/// How many coroutines may be resumed one inside the other (as in libco's pCallStack); the thread does not count.
inline constexpr std::uint32_t kMostNested = 128;

/// Who resumed whom on this thread: the one that runs on top, the thread's own context at the bottom. What libco keeps
/// in the array pCallStack is linked here, from each to its caller.
class CallerStack {
  public:
    std::uint32_t depth() const noexcept { return depth_; }  ///< nested coroutines; the thread does not count
    /// As many are nested as may be.
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

  private:
    friend ThreadState& attach_thread();
    [[noreturn]] static void abort_empty() noexcept;

    Core* top_ = nullptr;
    std::uint32_t depth_ = 0;
};

struct ThreadState {
    Core* own = nullptr;      ///< the context that the thread was born with; null until attach_thread()
    Core* current = nullptr;  ///< who runs now
    ExceptionState* exceptions = nullptr;
    int* error = nullptr;           ///< errno of this thread; null until attach_thread()
    std::uint64_t virtual_now = 0;  ///< ns; meaningful under the virtual clock
    CallerStack callers;
    SwitchRecorder leaving;     ///< the switch that is being recorded
    void* scheduler = nullptr;  ///< lab 04: what runs tasks on this thread, which keeps it here and takes it away again
    class Machines* machines = nullptr;  ///< those that this thread is one of, if any
    unsigned machine = 0;                ///< which of them
};

extern "C" {
// __thread, not thread_local: no initialisation wrapper stands between a switch and its thread.
extern __thread ThreadState fiberscope_thread_state;
// Read by nobody. It stands for memory that any call may change, a switch above all.
extern float fiberscope_changed_by_calls;
}

/// The address of this thread's state. A compiler takes the address of a thread-local for constant within a function,
/// and would keep it across a switch that returns on another thread; so it is asked for in assembly, and again after
/// every call of a function that is not inline: the assembly says that it reads what such a call may change. All zero
/// until the thread has been attached; this_thread() does that, and every way in calls it first.
inline ThreadState& thread_state() noexcept {
    ThreadState* state;
#if defined(__x86_64__)
    asm("movq %%fs:0, %0\n\t"
        "leaq fiberscope_thread_state@tpoff(%0), %0"
        : "=r"(state)
        : "m"(fiberscope_changed_by_calls));
#elif defined(__aarch64__)
    std::uintptr_t offset;
    asm volatile(
        "mrs %0, tpidr_el0\n\t"
        "adrp %1, :gottprel:fiberscope_thread_state\n\t"
        "ldr %1, [%1, :gottprel_lo12:fiberscope_thread_state]\n\t"
        "add %0, %0, %1"
        : "=&r"(state), "=&r"(offset));
#endif
    return *state;
}

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
