#include "viewer/model/break.h"

#include "traces/check/checker.h"
#include "traces/read/printable.h"
#include "traces/words/translated.h"

namespace fiberscope::viewer {
namespace {

using trace::Event;
using trace::Kind;

/// Members of `set` at the playhead.
std::size_t length_now(const trace::Replay& replay, std::uint32_t set) {
    for (const trace::SetNow& now : replay.sets())
        if (now.index == set) return now.members.size();
    return 0;
}

}  // namespace

Until until_broken(const trace::Trace& trace) {
    Until until;
    until.what = Break::invariant;
    if (const auto broken = trace::check(trace)) {
        until.broken = broken->event;
        until.why = broken->why;
    }
    return until;
}

std::size_t break_before(const trace::Replay& replay, const Until& until, std::size_t from, std::size_t to) {
    if (until.what == Break::none) return to;
    const trace::Trace& trace = replay.trace();
    std::size_t length = until.what == Break::longer ? length_now(replay, until.set) : 0;
    for (std::size_t n = from; n < to; ++n) {
        const Event& e = trace[n];
        if (e.kind == Kind::fault) return n + 1;
        switch (until.what) {
        case Break::coroutine:
            if (e.kind == Kind::switch_ && (e.co == until.co || e.other == until.co)) return n + 1;
            break;
        case Break::kind:
            if (e.kind == until.kind) return n + 1;
            break;
        case Break::longer:
            if (e.set != until.set) break;
            if (e.kind == Kind::remove && length > 0) --length;
            if (e.kind == Kind::insert && ++length == until.length + std::size_t{1}) return n + 1;
            break;
        case Break::invariant:
            if (n == until.broken) return n + 1;
            break;
        case Break::fault:
        case Break::none: break;
        }
    }
    return to;
}

std::string until_in_words(const trace::Trace& trace, const Until& until, Language language) {
    switch (until.what) {
    case Break::none: return say(language, "to the end");
    case Break::coroutine: return say(language, "until {0} is entered or left", trace.name(until.co));
    case Break::kind: return say(language, "until an event of the kind '{0}'", trace::word(until.kind));
    case Break::longer:
        return say(language, "until '{0}' has more than {1} members",
                   trace::set_in(trace::printable(trace.set_name(until.set)), language), until.length);
    case Break::invariant:
        return until.broken == SIZE_MAX ? say(language, "to the end: no event breaks an invariant")
                                        : say(language, "until event {0}, which is wrong: {1}", until.broken + 1,
                                              trace::translated(until.why, language));
    case Break::fault: return say(language, "until a fault");
    }
    return {};
}

}  // namespace fiberscope::viewer
