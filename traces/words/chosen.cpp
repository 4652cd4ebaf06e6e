#include "traces/words/chosen.h"

#include <algorithm>
#include <optional>

#include "languages/message.h"
#include "traces/read/printable.h"
#include "traces/words/names.h"
#include "traces/words/registers.h"
#include "traces/words/words.h"

namespace fiberscope::trace {
namespace {

const SetNow* set_of(const Replay& replay, std::uint32_t index) noexcept {
    for (const SetNow& set : replay.sets())
        if (set.index == index) return &set;
    return nullptr;
}

CoKind kind_of(const Replay& replay, std::uint32_t co) noexcept { return replay.coroutine(co).kind; }

/// The events of a coroutine between the switch that left it and the one that entered it again. A coroutine that hands
/// over has already entered its set when it is left.
struct Episode {
    std::optional<Event> left;   ///< the switch away from it
    std::optional<Event> taken;  ///< its last `remove`
    std::optional<Event> stood;  ///< the corresponding `insert`
    std::optional<Event> woken;  ///< its last change of state
    std::uint32_t taken_event = kNone, stood_event = kNone, left_event = kNone;
    std::uint32_t sleep_set = kNone;    ///< the set of role sleep from which it was removed
    std::uint32_t first_taken = kNone;  ///< its first `remove`: a coroutine that waits with a limit is in two sets
};

Episode episode_before(const Replay& replay, std::uint32_t co, std::size_t n) {
    const Trace& trace = replay.trace();
    const auto events = replay.events_of(co);
    Episode out;
    for (auto it = std::lower_bound(events.begin(), events.end(), n); it != events.begin();) {
        const std::uint32_t at = *--it;
        const Event e = trace[at];
        if (e.kind == Kind::switch_ && e.other == co) break;
        if (e.kind == Kind::switch_ && e.co == co) {
            out.left = e;
            out.left_event = at;
        }
        if (e.co != co) continue;
        if (e.kind == Kind::remove && !out.taken) {
            out.taken = e;
            out.taken_event = at;
        }
        if (e.kind == Kind::state && !out.woken) out.woken = e;
        if (e.kind == Kind::remove) {
            out.first_taken = at;
            if (const SetNow* set = set_of(replay, e.set); set != nullptr && set->role == Role::sleep)
                out.sleep_set = e.set;
        }
        if (e.kind != Kind::insert || !out.taken || e.set != out.taken->set || out.stood) continue;
        out.stood = e;
        out.stood_event = at;
    }
    return out;
}

/// The machine from whose queue `co` was stolen after event `from`; kNone if it was not.
std::uint32_t victim_of(const Replay& replay, std::uint32_t co, std::size_t n, const Episode& episode) {
    const Trace& trace = replay.trace();
    const auto events = replay.events_of(co);
    const std::optional<Event>& inserted = episode.stood;
    for (auto it = std::lower_bound(events.begin(), events.end(), n); it != events.begin();) {
        if (*--it == episode.left_event) break;
        const Event e = trace[*it];
        if (e.kind != Kind::insert || e.co != co) continue;
        const SetNow *now = set_of(replay, !inserted ? kNone : inserted->set), *then = set_of(replay, e.set);
        const bool ready = now != nullptr && then != nullptr && now->role == Role::ready && then->role == Role::ready;
        if (ready && now->owner != kAbsent && then->owner != kAbsent && now->owner != then->owner)
            return static_cast<std::uint32_t>(then->owner);
    }
    return kNone;
}

/// The event by which `co` entered `set` before event n; kNone if there is none.
std::uint32_t inserted_before(const Replay& replay, std::uint32_t co, std::uint32_t set, std::size_t n) {
    const auto events = replay.events_of(co);
    for (auto it = std::lower_bound(events.begin(), events.end(), n); it != events.begin();) {
        const Event& e = replay.trace()[*--it];
        if (e.kind == Kind::insert && e.set == set && e.co == co) return *it;
    }
    return kNone;
}

/// The members of a set when event n, shortly before the playhead, removed one: their number, and the member that had
/// been there longest. Computed by undoing the changes since n.
struct Others {
    std::int64_t count = 0;
    std::uint32_t oldest = kNone, since = kNone;  ///< a coroutine, and the event by which it entered
    void take(std::uint32_t co, std::uint32_t inserted) noexcept {
        if (co == kNone || inserted >= since) return;
        oldest = co;
        since = inserted;
    }
};
std::optional<Others> others_at(const Replay& replay, const SetNow& set, std::size_t n) {
    constexpr std::size_t kMostEvents = 10'000;
    if (replay.at() <= n || replay.at() - n > kMostEvents) return std::nullopt;
    Others out{static_cast<std::int64_t>(set.members.size()), kNone, kNone};
    for (const Member& member : set.members)
        if (member.inserted < n) out.take(member.co, member.inserted);
    for (std::size_t k = n + 1; k < replay.at(); ++k) {
        const Event& e = replay.trace()[k];
        if (e.set != set.index || (e.kind != Kind::insert && e.kind != Kind::remove)) continue;
        out.count += e.kind == Kind::insert ? -1 : 1;
        if (e.kind != Kind::remove || e.co == kNone) continue;
        const std::uint32_t inserted = inserted_before(replay, e.co, set.index, k);
        if (inserted < n) out.take(e.co, inserted);
    }
    return out;
}

void take_place(const Replay& replay, const Episode& episode, const SetNow& set, Choice& out) {
    out.since = episode.stood->t;
    out.why = Chosen::head;
    // As of its removal: until the switch another machine may have taken some.
    const std::optional<Others> others = others_at(replay, set, episode.taken_event);
    if (!others) return;
    out.behind = others->count;
    if (set.structure != Structure::queue || others->since >= episode.stood_event) return;
    out.why = Chosen::younger;
    out.older = others->oldest;
}

/// It came directly from a set of sleeping or waiting tasks. The loop finds due tasks in the set of sleepers, even if
/// they also wait for something else.
void take_wake(const Event& e, const Episode& episode, Choice& out) {
    out.taken = episode.first_taken;
    const bool limited = episode.left && episode.left->x != kAbsent && episode.left->x >= 0;
    const bool sleeps = episode.left && episode.left->second<State>() == State::sleeping;
    const bool due = limited && static_cast<std::uint64_t>(episode.left->x) <= e.t;
    if (limited) out.since = static_cast<std::uint64_t>(episode.left->x);
    if (due && episode.sleep_set != kNone) {
        out.why = Chosen::deadline;
        out.set = episode.sleep_set;
    } else if (sleeps) {
        out.why = Chosen::early;
    } else {
        out.why = Chosen::event;
    }
    if (episode.left) out.reason = episode.left->text;
}

/// "hog 1 was the head of ready, where it waited for 2.2 µs; 3 follow".
std::string place_in_words(const Replay& replay, const Choice& c, std::uint64_t now, Language language) {
    const std::string set = set_in(replay.trace().set_name(c.set), language),
                      co = name_in(replay.trace(), c.co, language);
    const std::string since = now > c.since ? say(language, ", where it waited for {0}", in_words(now - c.since)) : "";
    const std::string behind = c.behind == kAbsent ? ""
                               : c.behind == 0     ? say(language, "; none follows")
                                                   : say(language, "; {0} {0:follows|follow}", grouped(c.behind));
    if (c.why == Chosen::younger)
        return say(language, "{0} was taken from {1}{2}, although {3} waited there longer", co, set, since,
                   name_in(replay.trace(), c.older, language));
    if (c.why == Chosen::stolen)
        return say(language, "{0} was stolen from {1} and was the head of {2}{3}", co,
                   say(language, "machine {0}", c.victim), set, behind);
    return say(language, "{0} was the head of {1}{2}{3}", co, set, since, behind);
}

/// The sentence that applies to event n, a switch back from `by`. A coroutine that was entered by a hand-over or by a
/// symmetric switch was not resumed by the coroutine that it returns to.
Text why_back(const Replay& replay, std::uint32_t by, std::size_t n) {
    const Trace& trace = replay.trace();
    const auto events = replay.events_of(by);
    bool handed_over = false, as_equal = false;
    for (auto it = std::lower_bound(events.begin(), events.end(), n); it != events.begin();) {
        const std::uint32_t at = *--it;
        if (trace[at].kind != Kind::switch_ || trace[at].other != by) continue;
        const auto left = trace[at].second<State>();
        const bool chosen = is_decision(trace, at);
        handed_over = chosen && (left == State::ready || left == State::sleeping || left == State::waiting);
        as_equal = chosen && (left == State::suspended || left == State::dead);
        break;
    }
    const bool ended = trace[n].first<Why>() == Why::exit;
    if (ended && as_equal) return mark("{0} runs because {1} has ended, and the program had named {0} to follow");
    if (handed_over)
        return ended ? mark("{0} runs because {1} has ended; it had resumed a coroutine that handed over")
                     : mark("{0} runs because {1} yields to it; it had resumed a coroutine that handed over");
    return ended ? mark("{0} runs because it had resumed {1}, which has ended")
                 : mark("{0} runs because it had resumed {1}, which yields");
}

}  // namespace

bool is_decision(const Trace& trace, std::size_t n) noexcept {
    const Event& e = trace[n];
    return e.kind == Kind::switch_ && e.first<Why>() != Why::yield && e.first<Why>() != Why::exit;
}

Choice choice_at(const Replay& replay, std::size_t n) {
    const Event& e = replay.trace()[n];
    Choice out;
    out.event = n;
    out.by = e.co;
    out.co = e.other;
    if (!is_decision(replay.trace(), n)) {
        out.why = Chosen::back;
        return out;
    }
    if (sends_to_unwind(replay.trace(), n)) return out;  // whichever set it was in: it is being destroyed
    const Episode episode = episode_before(replay, e.other, n);
    const SetNow* set = !episode.taken ? nullptr : set_of(replay, episode.taken->set);
    if (set != nullptr) {
        out.set = set->index;
        out.taken = episode.taken_event;
    }
    if (set != nullptr && set->role == Role::ready && episode.stood) {
        take_place(replay, episode, *set, out);
        out.victim = victim_of(replay, e.other, n, episode);
        if (out.victim != kNone && out.why == Chosen::head) out.why = Chosen::stolen;
    } else if (set != nullptr && (set->role == Role::sleep || set->role == Role::wait)) {
        take_wake(e, episode, out);
    } else if (kind_of(replay, e.other) == CoKind::idle) {
        out.why = Chosen::idle;
    } else if (kind_of(replay, e.other) == CoKind::scheduler) {
        out.why = Chosen::loop;
    }
    return out;
}

namespace {

std::string rule_in_words(const Trace& trace, Language language) {
    return printable(formatted(trace.head.rule.bytes(), language));
}

}  // namespace

std::string why_chosen(const Replay& replay, std::size_t n, Language language) {
    const Trace& trace = replay.trace();
    if (n >= trace.size() || trace[n].kind != Kind::switch_) return {};
    const Choice c = choice_at(replay, n);
    const std::string co = name_in(trace, c.co, language), by = name_in(trace, c.by, language);
    const std::uint64_t now = trace[n].t;
    switch (c.why) {
    case Chosen::head:
    case Chosen::stolen: return place_in_words(replay, c, now, language);
    case Chosen::younger: {
        const std::string place = place_in_words(replay, c, now, language);
        return trace.head.rule.empty() ? place : say(language, "{0}: {1}", place, rule_in_words(trace, language));
    }
    case Chosen::deadline:
        return say(language, "{0}: its deadline passed {1}", co,
                   now > c.since ? say(language, "{0} ago", in_words(now - c.since)) : say(language, "just now"));
    case Chosen::early: return say(language, "{0} was woken before its time", co);
    case Chosen::event: {
        const std::string reason = reason_in_words(trace, c.reason, language);
        return say(language, "{0}: what it waited for has happened{1}", co,
                   reason.empty() ? "" : say(language, " ({0})", reason));
    }
    case Chosen::named:
        if (!trace.head.rule.empty() && !sends_to_unwind(trace, n))
            return say(language, "{0} runs because {1} chose it: {2}", co, by, rule_in_words(trace, language));
        return say(language, "{0} runs because {1} named it; no recorded scheduler chose it", co, by);
    case Chosen::idle:
        return say(language, "{0} runs because no task is ready on {1}", co, say(language, "machine {0}", trace[n].m));
    case Chosen::loop: return say(language, "{0} runs to choose the next one", co);
    case Chosen::back: return say(language, why_back(replay, c.by, n), co, by);
    }
    return {};
}

}  // namespace fiberscope::trace
