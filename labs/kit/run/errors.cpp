#include "labs/kit/run/errors.h"

#include "labs/kit/run/core.h"
#include "labs/kit/run/thread_state.h"

namespace fiberscope::kit {

namespace {

std::string quoted(const Core& core) {
    const std::string number = "coroutine " + std::to_string(core.id());
    return core.given_name().empty() ? number : number + " '" + core.name() + "'";
}

bool is_resumed(const Core& core) noexcept {
    return core.state() == trace::State::running || core.state() == trace::State::normal;
}

std::string sentence(MisuseKind kind, const Core& core) {
    switch (kind) {
    case MisuseKind::resume_of_dead: return "cannot resume " + quoted(core) + ": it has ended and is dead";
    case MisuseKind::resume_of_running:
        return "cannot resume " + quoted(core) + ": it is " + std::string(word(core.state())) +
               (is_resumed(core)
                    ? ", so it has been resumed already"
                    : ", but refused as one that has been resumed already: was it pushed before the check?");
    case MisuseKind::yield_outside:
        return "cannot yield: this is the thread's own context '" + core.name() + "', and no coroutine resumed it";
    case MisuseKind::nesting_too_deep:
        return "cannot resume " + quoted(core) + ": " + std::to_string(kMostNested) +
               " coroutines are already resumed one inside the other";
    case MisuseKind::bound_to_thread:
        return quoted(core) + " belongs to another thread: it may be used only on the one that made it";
    case MisuseKind::stack_too_deep: return quoted(core) + " is too deep for its stack";
    case MisuseKind::child_resumes:
        return "cannot resume " + quoted(core) +
               " from here: a fiber may not resume another; only the thread's own context or its scheduler may";
    case MisuseKind::not_a_task:
        return quoted(core) +
               " is no task of a scheduler: only what was begun by go() may give way, sleep, wait or join";
    case MisuseKind::holds_already:
        return quoted(core) + " cannot take the lock: it has it already, and would wait for itself";
    case MisuseKind::not_the_holder: return quoted(core) + " cannot release the lock: it does not have it";
    case MisuseKind::switch_to_itself: return quoted(core) + " cannot switch to itself";
    case MisuseKind::native_below:
        return quoted(core) + " cannot yield across a native function: that one's frame lies on the thread's stack";
    case MisuseKind::illegal_step: break;
    }
    return "illegal step of " + quoted(core);
}

}  // namespace

Misuse::Misuse(MisuseKind kind, const Core& core, const std::string& detail)
    : std::logic_error(sentence(kind, core) + (detail.empty() ? "" : ": " + detail)),
      kind_(kind),
      id_(core.id()),
      name_(core.name()),
      state_(core.state()) {}

Misuse::Misuse(const Core& core, trace::State wanted)
    : std::logic_error(quoted(core) + " cannot go from " + std::string(word(core.state())) + " to " +
                       std::string(word(wanted))),
      kind_(MisuseKind::illegal_step),
      id_(core.id()),
      name_(core.name()),
      state_(core.state()) {}

void refuse(MisuseKind kind, const Core& coroutine) { throw Misuse(kind, coroutine); }
void refuse(MisuseKind kind, const Core& coroutine, const std::string& detail) {
    throw Misuse(kind, coroutine, detail);
}
void refuse_yield() { throw Misuse(MisuseKind::yield_outside, *this_thread().own); }

}  // namespace fiberscope::kit
