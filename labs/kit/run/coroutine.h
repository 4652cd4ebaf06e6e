// What the coroutines of all labs have in common, whatever switches them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <utility>

#include "labs/kit/memory/stack.h"
#include "labs/kit/run/core.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/run/thread_state.h"

namespace fiberscope::kit {

using Body = std::function<void()>;

struct Attributes {
    std::string name;                            ///< empty: "coroutine ID"
    std::size_t stack_size = kDefaultStackSize;  ///< bytes, rounded up to whole pages
    bool keeps_float_environment = false;        ///< lab 01, step 1.6: switches by `_switch_float`
    std::uint32_t reuses = trace::kNone;         ///< the number of the dead one whose memory this one lives in
    trace::CoKind kind = trace::CoKind::task;    ///< what a trace calls it: a scheduler's own coroutine is no task
};

/// Thrown out of yield in a coroutine that is being destroyed. No std::exception: only `catch (...)` sees it.
struct Unwind {};

/// What a destructor does first: one that is new is dead from now on, and a dead one needs nothing. Returns true for
/// one that has been left (suspended; in a scheduler also ready, sleeping or waiting): its stack must be unwound. A
/// running coroutine, or one that resumed another and waits for it, must not be destroyed: the program ends with a
/// sentence that says so. One that is ready and was never resumed has no frames to unwind; its scheduler calls it dead
/// before.
bool must_unwind(Core& coroutine);

/// Throws Misuse if `coroutine` cannot be resumed now: it is dead, it is on a stack of callers already, or
/// kMostNested are nested. Lab 01 lets the student write this; the later labs are given it.
void require_resumable(const Core& coroutine, const CallerStack& callers);
/// The same without a look at the callers: for one that takes the place of another.
void require_enterable(const Core& coroutine);

/// The coroutine that runs here, which hands over to `to`. Throws Misuse outside a coroutine, and if `to` is dead or on
/// a stack of callers.
inline Core& handing_over(const CallerStack& callers, const Core& to) {
    if (callers.depth() == 0) [[unlikely]]
        refuse_yield();
    if (to.state() != State::ready) [[unlikely]]
        require_enterable(to);
    return *callers.top();
}
/// The usual case of that, in which it refuses nothing.
inline bool hands_over_plainly(const CallerStack& callers, const Core& to) noexcept {
    return callers.depth() != 0 && to.state() == State::ready;
}

/// The function of a coroutine, and how it ended. Lab 01 lets the student write what this does (step 1.5); the later
/// labs are given it.
class Job {
  public:
    explicit Job(Body body) : body_(std::move(body)) {}

    /// Calls the function, on the coroutine's own stack; keeps what it lets escape.
    void run() noexcept;
    /// Throws again what the function let escape, if anything; on the resumer's stack, after the end. Once.
    void rethrow_failure() {
        if (failure_) [[unlikely]]
            std::rethrow_exception(std::exchange(failure_, nullptr));
    }
    /// From now on every yield throws Unwind when control comes back to it.
    void begin_unwinding() noexcept { unwinding_ = true; }
    /// What comes after the switch in a yield.
    void stop_if_unwinding() const {
        if (unwinding_) [[unlikely]]
            throw Unwind{};
    }

  private:
    [[gnu::noinline, gnu::cold]] void keep_failure() noexcept;

    Body body_;
    std::exception_ptr failure_;
    bool unwinding_ = false;
};

}  // namespace fiberscope::kit
