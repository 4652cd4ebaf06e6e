// The one way by which control goes from one coroutine to another, whatever the backend: checks both steps, records,
// swaps the exception state, tells the sanitizers, and then lets the backend jump.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "labs/kit/run/core.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/run/switch_recorder.h"
#include "labs/kit/run/thread_state.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::kit {

namespace detail {
/// Whole words, not bytes: above bytes a register keeps what lay in it before, which differs from run to run, and a
/// recording shows registers.
class Leaving {
  public:
    Leaving(trace::Why why, State left) noexcept
        : why_(static_cast<std::uint32_t>(why)), left_(static_cast<std::uint32_t>(left)) {}
    trace::Why why() const noexcept { return static_cast<trace::Why>(why_); }
    State left() const noexcept { return static_cast<State>(left_); }

  private:
    std::uint32_t why_, left_;
};

/// Throws Misuse about the step that is not legal. Of a switch from a coroutine to itself it says which mistake it is.
[[noreturn, gnu::cold]] void refuse(const Core& from, const Core& to, Leaving leaving);
}  // namespace detail

struct Transfer {
    // The usual case, which needs no more than the jump: neither has an exception in its hands or floating-point
    // registers of its own, both steps are legal, and nothing observes. The first comparison that fails leads to the
    // slow way; in the usual case no jump is taken.
    static bool plain(const ThreadState& thread, const Core& from, const Core& to, Step step) noexcept {
        return trace::legal_step(State::running, step.left) && may_be_entered(to, step) && leaves_plainly(thread, from);
    }
    // One comparison where the state of the one that is entered is nearly always the same, and no flags. A compiler
    // knows `step`.
    static bool may_be_entered(const Core& to, Step step) noexcept {
        if (step.why == trace::Why::yield) return to.is_plainly(State::normal);
        return to.status_ <= Core::kStateBits && trace::legal_step(to.state(), State::running);
    }
    static bool leaves_plainly(const ThreadState& thread, const Core& from) noexcept {
        return !kUnderSanitizer && from.is_plainly(State::running) && !thread.exceptions->any() &&
               !detail::observed.load(std::memory_order_relaxed);
    }

    static void change_plainly(ThreadState& thread, Core& from, Core& to, State left) noexcept {
        from.status_ = static_cast<std::uint32_t>(left);
        to.status_ = static_cast<std::uint32_t>(State::running);
        thread.current = &to;
        // `plain` has checked it already; the compiler has forgotten it at the store to `thread`.
        if (from.keeps_float() || to.keeps_float()) __builtin_unreachable();
    }

    static void check(const Core& from, const Core& to, detail::Leaving leaving) {
        if (!trace::legal_step(from.state(), leaving.left()) || !trace::legal_step(to.state(), State::running))
            detail::refuse(from, to, leaving);
    }

    static void change(ThreadState& thread, Core& from, Core& to, State left) noexcept {
        from.put_state(left);
        to.put_state(State::running);
        thread.current = &to;
    }

    // The one that runs keeps none in its Core. Out of line, so that the slow way needs little of the stack.
    [[gnu::noinline]] static void swap_exceptions(ExceptionState& now, Core& from, Core& to) noexcept;

    // The first entry is a start. The one that leaves cannot always know: a new one that was put into a ready queue is
    // ready, like one that has run before.
    static trace::Why why_entered(Core& to, trace::Why why) noexcept {
        const bool before = std::exchange(to.started_, true);
        const bool enters = why == trace::Why::resume || why == trace::Why::swap;
        return enters && !before ? trace::Why::start : why;
    }
    static void before_switch(Core& from, Core& to, State left) noexcept {
        from.sanitizer_.before_switch(to.sanitizer_, to.stack().bottom, to.stack().size, left == State::dead);
    }
    static void before_return_to_library(Core& from, Core& to) noexcept {
        from.sanitizer_.before_return_to_library(to.stack().bottom, to.stack().size);
    }
    static void arrive(Core& core) noexcept { core.sanitizer_.after_switch(); }
    static trace::CausalStamp& touch(Core& core) noexcept { return core.cold_state().touch; }
};

namespace detail {
// Every other case. Apart, so that in the usual one the jump is the last thing that is done; the parameters fit into
// registers, so that the usual one needs no memory for them. Flat: between telling ThreadSanitizer of the switch and
// the switch there must be no function of which it is told.
template <class MakeJump>
[[gnu::noinline, gnu::cold, gnu::flatten]] void transfer_slow(Core& from, Core& to, Leaving leaving, std::int64_t until,
                                                              const char* reason, MakeJump make_jump) {
    Transfer::check(from, to, leaving);
    const trace::Why why = Transfer::why_entered(to, leaving.why());
    ThreadState& thread = thread_state();
    Transfer::change(thread, from, to, leaving.left());
    Transfer::swap_exceptions(*thread.exceptions, from, to);
    Transfer::before_switch(from, to, leaving.left());
    if (clock_kind == ClockKind::virtual_) virtual_now() += kVirtualSwitchCost;
    const auto jump = make_jump(from, to);
    if (trace::recording()) {
        thread.leaving = SwitchRecorder(from, to, {why, leaving.left(), until, reason});
        jump.recorded(thread.leaving);
    } else {
        jump();
    }
    Transfer::arrive(from);
}
}  // namespace detail

/// Leaves `from`, which runs on this thread, for `to`. Returns when something transfers back to `from`, perhaps on
/// another thread. `make_jump(from, to)` gives the backend's jump: called as jump() it switches;
/// jump.recorded(recorder) calls recorder with the registers that are about to be saved and loaded, and then switches.
/// Throws Misuse, with nothing changed, if the step is not legal for either. Where it is the last act of a function,
/// the compiler can make the backend's jump a tail call, and no return is mispredicted.
template <class MakeJump>
[[gnu::always_inline]] inline void transfer(Core& from, Core& to, Step step, MakeJump make_jump) {
    ThreadState& thread = thread_state();
    if (!Transfer::plain(thread, from, to, step)) [[unlikely]]
        return detail::transfer_slow(from, to, {step.why, step.left}, step.until, step.reason, make_jump);
    Transfer::change_plainly(thread, from, to, step.left);
    make_jump(from, to)();
}

/// What transfer does before its jump, apart from recording it: for a jump that the C library makes by itself a moment
/// later, when a function returns to its uc_link. The caller returns at once and never comes back.
inline void prepare_library_switch(Core& from, Core& to, const Step& step) {
    Transfer::check(from, to, {step.why, step.left});
    ThreadState& thread = thread_state();
    Transfer::change(thread, from, to, step.left);
    Transfer::swap_exceptions(*thread.exceptions, from, to);
    Transfer::before_return_to_library(from, to);
    if (clock_kind() == ClockKind::virtual_) virtual_now() += kVirtualSwitchCost;
}

/// Leaves `from` for `to` without a jump: one of them has no native stack (an interpreter's or C++20's) and runs on
/// that of the thread, with the thread's exceptions. Checked and recorded as by transfer; returns at once.
inline void transfer_in_place(Core& from, Core& to, const Step& step) {
    Transfer::check(from, to, {step.why, step.left});
    const trace::Why why = Transfer::why_entered(to, step.why);
    Transfer::change(thread_state(), from, to, step.left);
    if (clock_kind() == ClockKind::virtual_) virtual_now() += kVirtualSwitchCost;
    if (trace::recording()) SwitchRecorder(from, to, {why, step.left, step.until, step.reason})({}, {});
}

/// What runs first where control arrives without returning from transfer: in an entry function, on its new stack.
inline void arrive(Core& core) noexcept { Transfer::arrive(core); }

}  // namespace fiberscope::kit
