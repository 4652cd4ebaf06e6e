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

void require_left(const Core& to) {
    switch (to.state()) {
    case State::running:
    case State::normal:
    case State::dead:
        refuse(MisuseKind::illegal_step, to,
               "it is " + std::string(word(to.state())) + ", and only one that has been left can be handed over to");
    default: return;
    }
}

}  // namespace fiberscope::kit
