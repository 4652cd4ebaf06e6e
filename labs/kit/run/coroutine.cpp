#include "labs/kit/run/coroutine.h"

#include <cstddef>
#include <iterator>

#include "labs/kit/report/abort.h"
#include "labs/kit/run/errors.h"

namespace fiberscope::kit {

bool must_unwind(Core& coroutine) {
    switch (coroutine.state()) {
    case State::dead: return false;
    case State::new_: set_state(coroutine, State::dead, trace::Cause::cancel); return false;
    case State::suspended:
    case State::ready:
    case State::sleeping:
    case State::waiting: return true;
    default:
        abort_because(("coroutine " + std::to_string(coroutine.id()) + " '" + coroutine.name() +
                       "' is destroyed while it is " + std::string(word(coroutine.state())) +
                       "; one that runs, or waits for one that it resumed, may not be")
                          .c_str());
    }
}

namespace {
// By State, in its order.
constexpr bool kResumable[] = {true, true, false, false, true, true, true, false};
static_assert(std::size(kResumable) == static_cast<std::size_t>(State::dead) + 1);
}  // namespace

void require_enterable(const Core& coroutine) {
    const State now = coroutine.state();
    if (!kResumable[static_cast<std::size_t>(now)])
        refuse(now == State::dead ? MisuseKind::resume_of_dead : MisuseKind::resume_of_running, coroutine);
}

void require_resumable(const Core& coroutine, const CallerStack& callers) {
    require_enterable(coroutine);
    if (callers.full()) refuse(MisuseKind::nesting_too_deep, coroutine);
}

void Job::run() noexcept {
    try {
        body_();
    } catch (...) {
        keep_failure();
    }
}

// Apart: its frame would lie on the stack of each coroutine, and in the image of each that is parked.
void Job::keep_failure() noexcept {
    // Of one that is being destroyed no resumer asks.
    if (!unwinding_) failure_ = std::current_exception();
}

}  // namespace fiberscope::kit
