// The single path by which control passes between coroutines, for all backends: checks both state changes, records,
// swaps the exception state, notifies the sanitizers, and then lets the backend jump.
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
/// Words instead of bytes: a byte load leaves the rest of a register as it was, which varies between runs, and
/// recordings show registers.
class Leaving {
  public:
    Leaving(trace::Why why, State left) noexcept
        : why_(static_cast<std::uint32_t>(why)), left_(static_cast<std::uint32_t>(left)) {}
    trace::Why why() const noexcept { return static_cast<trace::Why>(why_); }
    State left() const noexcept { return static_cast<State>(left_); }

  private:
    std::uint32_t why_, left_;
};

/// Throws Misuse about the illegal transition. For a switch from a coroutine to itself it identifies the mistake.
[[noreturn, gnu::cold]] void refuse(const Core& from, const Core& to, Leaving leaving);
}  // namespace detail

struct Transfer {
    // The usual case, which needs only the jump: neither coroutine has a pending exception or floating-point registers
    // of its own, both transitions are legal, and nothing observes. The first comparison that fails branches to the
    // slow path; the usual case takes no branch.
    static bool plain(const ThreadState& thread, const Core& from, const Core& to, Step step) noexcept {
        return trace::legal_step(State::running, step.left) && may_be_entered(to, step) && leaves_plainly(thread, from);
    }
    // A single comparison, for a nearly constant state of the entered coroutine and no flags. `step` is a compile-time
    // constant.
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
        // `plain` has already checked it, but the store to `thread` hides that from the compiler.
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

    // The running context keeps none in its Core. Out of line, so that the slow path needs little stack.
    [[gnu::noinline]] static void swap_exceptions(ExceptionState& now, Core& from, Core& to) noexcept;

    // The first entry is a start. The caller cannot always know: a new coroutine in a ready queue is ready, like one
    // that has already run.
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
// Every other case. Out of line, so that the jump is the last action of the usual case; the parameters fit into
// registers, so that the usual case needs no memory for them. Flattened: no instrumented function may run between
// notifying ThreadSanitizer of the switch and the switch itself.
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

/// Switches from `from`, which runs on this thread, to `to`. Returns when something transfers back to `from`, perhaps
/// on another thread. `make_jump(from, to)` returns the backend's jump: calling jump() switches;
/// jump.recorded(recorder) calls recorder with the registers that are about to be saved and loaded, and then switches.
/// Throws Misuse, with nothing changed, if either transition is illegal. As the last action of a function it allows the
/// compiler to make the backend's jump a tail call, so that no return is mispredicted.
template <class MakeJump>
[[gnu::always_inline]] inline void transfer(Core& from, Core& to, Step step, MakeJump make_jump) {
    ThreadState& thread = thread_state();
    if (!Transfer::plain(thread, from, to, step)) [[unlikely]]
        return detail::transfer_slow(from, to, {step.why, step.left}, step.until, step.reason, make_jump);
    Transfer::change_plainly(thread, from, to, step.left);
    make_jump(from, to)();
}

/// The part of transfer before its jump, without recording: for a jump that the C library makes itself shortly
/// afterwards, when a function returns to its uc_link. The caller returns at once and is never entered again.
inline void prepare_library_switch(Core& from, Core& to, const Step& step) {
    Transfer::check(from, to, {step.why, step.left});
    ThreadState& thread = thread_state();
    Transfer::change(thread, from, to, step.left);
    Transfer::swap_exceptions(*thread.exceptions, from, to);
    Transfer::before_return_to_library(from, to);
    if (clock_kind() == ClockKind::virtual_) virtual_now() += kVirtualSwitchCost;
}

/// Switches from `from` to `to` without a jump: one of them has no native stack (an interpreter's or C++20's) and runs
/// on the thread's stack, with the thread's exceptions. Checked and recorded as by transfer; returns at once.
inline void transfer_in_place(Core& from, Core& to, const Step& step) {
    Transfer::check(from, to, {step.why, step.left});
    const trace::Why why = Transfer::why_entered(to, step.why);
    Transfer::change(thread_state(), from, to, step.left);
    if (clock_kind() == ClockKind::virtual_) virtual_now() += kVirtualSwitchCost;
    if (trace::recording()) SwitchRecorder(from, to, {why, step.left, step.until, step.reason})({}, {});
}

/// To be called first where control arrives without returning from transfer: in an entry function, on its new stack.
inline void arrive(Core& core) noexcept { Transfer::arrive(core); }

}  // namespace fiberscope::kit
