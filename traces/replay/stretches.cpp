#include "traces/replay/stretches.h"

namespace fiberscope::trace {

Stretch Stretches::operator[](std::size_t n) const noexcept {
    const std::uint32_t event = events_[n];
    const Event e = (*trace_)[event];
    Stretch out{from(n), to(n), event, kNone, State::new_};
    switch (e.kind) {
    case Kind::spawn:
        if (e.first<CoKind>() == CoKind::thread) out.state = State::running;
        break;
    case Kind::switch_: {
        // If a coroutine enters itself, the first stretch is the one that it leaves.
        const bool leaves = e.co == co_ && (e.other != co_ || (n + 1 < size() && events_[n + 1] == event));
        out.state = leaves ? e.second<State>() : State::running;
        if (leaves) return out;
        break;
    }
    default: out.state = e.second<State>(); break;
    }
    if (out.state == State::running) out.machine = e.m;
    return out;
}

}  // namespace fiberscope::trace
