// Common declarations for the coroutines of all labs, independent of the backend.
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
    bool keeps_float_environment = false;        ///< lab 01, step 1.6: switched by `_switch_float`
    std::uint32_t reuses = trace::kNone;         ///< the number of the dead coroutine whose memory it reuses
    trace::CoKind kind = trace::CoKind::task;    ///< its type in a trace: a scheduler's own coroutine is not a task
};

/// Thrown by yield in a coroutine that is being destroyed. Not a std::exception: only `catch (...)` catches it.
struct Unwind {};

/// First step of a destructor: a new coroutine becomes dead; no-op for a dead one. Returns true for a coroutine that
/// has yielded (suspended; in a scheduler also ready, sleeping or waiting), whose stack must be unwound. A coroutine
/// that runs, or waits for a coroutine that it resumed, must not be destroyed: ends the program with a message. A ready
/// coroutine that was never resumed has no frames to unwind; its scheduler marks it dead beforehand.
bool must_unwind(Core& coroutine);

/// Throws Misuse of kind illegal_step if `to` has not yielded and so cannot be entered by a symmetric transfer.
void require_left(const Core& to);

/// The running coroutine, which transfers to `to`. Throws Misuse outside a coroutine, and as require_left does.
inline Core& handing_over(const CallerStack& callers, const Core& to) {
    if (callers.depth() == 0) [[unlikely]]
        refuse_yield();
    if (to.state() != State::ready) [[unlikely]]
        require_left(to);
    return *callers.top();
}

}  // namespace fiberscope::kit
