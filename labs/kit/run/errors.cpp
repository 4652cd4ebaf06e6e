#include "labs/kit/run/errors.h"

#include "labs/kit/run/core.h"
#include "labs/kit/run/thread_state.h"

namespace fiberscope::kit {

namespace {

bool is_resumed(const Core& core) noexcept {
    return core.state() == trace::State::running || core.state() == trace::State::normal;
}

Value state_of(const Core& core) { return Text(word(core.state()), "state"); }

std::string sentence(MisuseKind kind, const Core& core) {
    switch (kind) {
    case MisuseKind::resume_of_dead: return message("cannot resume {0}: it has ended and is dead", quoted(core));
    case MisuseKind::resume_of_running:
        return message(
            is_resumed(core)
                ? mark("cannot resume {0}: it is {1}, so it has been resumed already")
                : mark("cannot resume {0}: it is {1}, but refused as already resumed: was it pushed before the check?"),
            quoted(core), state_of(core));
    case MisuseKind::yield_outside:
        return message("cannot yield: this is the thread's own context '{0}', and no coroutine resumed it",
                       core.name());
    case MisuseKind::nesting_too_deep:
        return message("cannot resume {0}: {1} coroutines are already nested", quoted(core), kMostNested);
    case MisuseKind::bound_to_thread:
        return message("{0} belongs to another thread: it may be used only on the thread that created it",
                       quoted(core));
    case MisuseKind::stack_too_deep: return message("{0} is too deep for its stack", quoted(core));
    case MisuseKind::child_resumes:
        return message(
            "cannot resume {0} from here: a fiber may not resume another; only the thread's own context or its "
            "scheduler may",
            quoted(core));
    case MisuseKind::not_a_task:
        return message("{0} is not a task of a scheduler: only a task started by go() may yield, sleep, wait or join",
                       quoted(core));
    case MisuseKind::holds_already:
        return message("{0} cannot acquire the lock: it already holds it, and would deadlock", quoted(core));
    case MisuseKind::not_the_holder: return message("{0} cannot release the lock: it does not hold it", quoted(core));
    case MisuseKind::switch_to_itself: return message("{0} cannot switch to itself", quoted(core));
    case MisuseKind::native_below:
        return message("{0} cannot yield across a native function: that one's frame lies on the thread's stack",
                       quoted(core));
    case MisuseKind::illegal_step: break;
    }
    return message("illegal step of {0}", quoted(core));
}

std::string with(const std::string& sentence, const std::string& detail) {
    return detail.empty() ? sentence : message("{0}: {1}", Value::of(sentence), Value::of(detail));
}

}  // namespace

Value quoted(const Core& core) {
    if (core.given_name().empty()) return name_value(core);
    return Value::of(message("coroutine {0} '{1}'", core.id(), core.given_name()));
}

Value name_value(const Core& core) {
    return core.given_name().empty() ? Value::of(message("coroutine {0}", core.id())) : Value(core.given_name());
}

Misuse::Misuse(MisuseKind kind, const Core& core, const std::string& detail)
    : Spoken(with(sentence(kind, core), detail)),
      kind_(kind),
      id_(core.id()),
      name_(core.name()),
      state_(core.state()) {}

Misuse::Misuse(const Core& core, trace::State wanted)
    : Spoken("{0} cannot go from {1} to {2}", quoted(core), state_of(core), Text(word(wanted), "state")),
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
