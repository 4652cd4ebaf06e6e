#include "labs/kit/errors.h"

#include "labs/kit/core.h"
#include "labs/kit/thread_state.h"

namespace fiberscope::kit {

namespace {

std::string quoted(const Core& core) { return "coroutine " + std::to_string(core.id()) + " '" + core.name() + "'"; }

std::string sentence(MisuseKind kind, const Core& core) {
    switch (kind) {
    case MisuseKind::resume_of_dead: return "cannot resume " + quoted(core) + ": it has ended and is dead";
    case MisuseKind::resume_of_running:
        return "cannot resume " + quoted(core) + ": it is " + std::string(word(core.state())) +
               ", so it is already on the stack of callers";
    case MisuseKind::yield_outside:
        return "cannot yield: this is the thread's own context '" + core.name() + "', and nobody resumed it";
    case MisuseKind::nesting_too_deep:
        return "cannot resume " + quoted(core) + ": " + std::to_string(kMostNested) +
               " coroutines are already resumed one inside the other";
    case MisuseKind::illegal_step: break;
    }
    return "illegal step of " + quoted(core);
}

}  // namespace

Misuse::Misuse(MisuseKind kind, const Core& core)
    : std::logic_error(sentence(kind, core)), kind_(kind), id_(core.id()), name_(core.name()), state_(core.state()) {}

Misuse::Misuse(const Core& core, trace::State wanted)
    : std::logic_error(quoted(core) + " cannot go from " + std::string(word(core.state())) + " to " +
                       std::string(word(wanted))),
      kind_(MisuseKind::illegal_step),
      id_(core.id()),
      name_(core.name()),
      state_(core.state()) {}

void refuse(MisuseKind kind, const Core& coroutine) { throw Misuse(kind, coroutine); }
void refuse_yield() { throw Misuse(MisuseKind::yield_outside, *this_thread().own); }

}  // namespace fiberscope::kit
