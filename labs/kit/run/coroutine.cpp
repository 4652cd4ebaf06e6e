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
        abort_because(message(
            "{0} is destroyed while it is {1}; a coroutine that runs, or waits for one that it resumed, must not be "
            "destroyed",
            quoted(coroutine), Text(word(coroutine.state()), "state")));
    }
}

void require_left(const Core& to) {
    switch (to.state()) {
    case State::running:
    case State::normal:
    case State::dead:
        refuse(MisuseKind::illegal_step, to,
               message("it is {0}, and only a coroutine that has yielded can be handed over to",
                       Text(word(to.state()), "state")));
    default: return;
    }
}

}  // namespace fiberscope::kit
