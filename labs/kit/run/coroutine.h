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

/// Throws Misuse of kind illegal_step if `to` cannot take the place of another: it has not been left.
void require_left(const Core& to);

/// The coroutine that runs here, which hands over to `to`. Throws Misuse outside a coroutine, and what require_left
/// throws.
inline Core& handing_over(const CallerStack& callers, const Core& to) {
    if (callers.depth() == 0) [[unlikely]]
        refuse_yield();
    if (to.state() != State::ready) [[unlikely]]
        require_left(to);
    return *callers.top();
}

}  // namespace fiberscope::kit
