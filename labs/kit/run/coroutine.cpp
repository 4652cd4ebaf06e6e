#include "labs/kit/run/coroutine.h"

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

void require_resumable(const Core& coroutine, const CallerStack& callers) {
    if (coroutine.state() == State::dead) refuse(MisuseKind::resume_of_dead, coroutine);
    if (coroutine.state() == State::running || coroutine.state() == State::normal)
        refuse(MisuseKind::resume_of_running, coroutine);
    if (callers.full()) refuse(MisuseKind::nesting_too_deep, coroutine);
}

void Job::run() noexcept {
    try {
        body_();
    } catch (const Unwind&) {
        // The locals are gone, and that is all that was asked for.
    } catch (...) {
        failure_ = std::current_exception();
    }
}

}  // namespace fiberscope::kit
