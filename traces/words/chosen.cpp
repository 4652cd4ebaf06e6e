#include "traces/words/chosen.h"

#include <algorithm>

#include "traces/read/printable.h"
#include "traces/words/words.h"

namespace fiberscope::trace {
namespace {

const SetNow* set_of(const Replay& replay, std::uint32_t index) noexcept {
    for (const SetNow& set : replay.sets())
        if (set.index == index) return &set;
    return nullptr;
}

CoKind kind_of(const Replay& replay, std::uint32_t co) noexcept { return replay.coroutine(co).kind; }

/// What happened to a coroutine between the switch that left it and the one that entered it again.
struct Episode {
    const Event* left = nullptr;   ///< the switch away from it
    const Event* taken = nullptr;  ///< its last `remove`
    const Event* stood = nullptr;  ///< the `insert` that belongs to that
    const Event* woken = nullptr;  ///< its last change of state
    std::uint32_t stood_event = kNone;
    std::uint32_t first_machine = kNone;  ///< the machine that put it into a ready queue first
    bool limit = false;                   ///< it was taken out of a set of role sleep
};

Episode episode_before(const Replay& replay, std::uint32_t co, std::size_t n) {
    const Trace& trace = replay.trace();
    const auto events = replay.events_of(co);
    Episode out;
    for (auto it = std::lower_bound(events.begin(), events.end(), n); it != events.begin();) {
        const std::uint32_t at = *--it;
        const Event& e = trace[at];
        if (e.kind == Kind::switch_ && e.co == co) {
            out.left = &e;
            break;
        }
        if (e.co != co) continue;
        if (e.kind == Kind::remove && out.taken == nullptr) out.taken = &e;
        if (e.kind == Kind::state && out.woken == nullptr) out.woken = &e;
        if (e.kind == Kind::remove)
            if (const SetNow* set = set_of(replay, e.set)) out.limit = out.limit || set->role == Role::sleep;
        if (e.kind != Kind::insert || out.taken == nullptr || e.set != out.taken->set || out.stood != nullptr) continue;
        out.stood = &e;
        out.stood_event = at;
    }
    return out;
}

/// The machine from whose queue `co` was stolen after event `from`; kNone if it was not.
std::uint32_t victim_of(const Replay& replay, std::uint32_t co, std::size_t n, const Episode& episode) {
    const Trace& trace = replay.trace();
    const auto events = replay.events_of(co);
    const Event* inserted = episode.stood;
    for (auto it = std::lower_bound(events.begin(), events.end(), n); it != events.begin();) {
        const Event& e = trace[*--it];
        if (&e == episode.left) break;
        if (e.kind != Kind::insert || e.co != co) continue;
        const SetNow *now = set_of(replay, inserted == nullptr ? kNone : inserted->set), *then = set_of(replay, e.set);
        const bool ready = now != nullptr && then != nullptr && now->role == Role::ready && then->role == Role::ready;
        if (ready && now->owner != kAbsent && then->owner != kAbsent && now->owner != then->owner)
            return static_cast<std::uint32_t>(then->owner);
    }
    return kNone;
}

void take_place(const Replay& replay, std::size_t n, const Episode& episode, const SetNow& set, Choice& out) {
    out.since = episode.stood->t;
    out.why = Chosen::head;
    if (replay.at() != n + 1) return;
    out.behind = static_cast<std::int64_t>(set.members.size());
    for (const Member& member : set.members)
        if (member.co != kNone && member.inserted < episode.stood_event && set.structure == Structure::queue) {
            out.why = Chosen::younger;
            out.older = member.co;
            return;
        }
}

/// It came straight out of the set of those who sleep or wait.
void take_wake(const Event& e, const Episode& episode, Choice& out) {
    const bool limited = episode.left != nullptr && episode.left->x != kAbsent && episode.left->x >= 0;
    const bool sleeps = episode.left != nullptr && episode.left->second<State>() == State::sleeping;
    const bool due = limited && static_cast<std::uint64_t>(episode.left->x) <= e.t;
    if (limited) out.since = static_cast<std::uint64_t>(episode.left->x);
    if (due && episode.limit)
        out.why = Chosen::deadline;
    else if (sleeps)
        out.why = Chosen::early;
    else
        out.why = Chosen::event;
    if (episode.left != nullptr) out.reason = episode.left->text;
}

std::string shown(const Replay& replay, std::uint32_t text) { return printable(replay.trace().text(text)); }

std::string place_in_words(const Replay& replay, const Choice& c, std::uint64_t now) {
    const std::string set = printable(replay.trace().set_name(c.set));
    const std::string since = now > c.since ? ", where it stood for " + in_words(now - c.since) : "";
    const std::string behind = c.behind == kAbsent ? ""
                               : c.behind == 0     ? "; no other stands there"
                               : c.behind == 1     ? "; 1 stands behind it"
                                                   : "; " + grouped(c.behind) + " stand behind it";
    if (c.why == Chosen::younger)
        return " was taken from " + set + since + ", although " + replay.trace().name(c.older) + " stood there longer";
    if (c.why == Chosen::stolen)
        return " was stolen from machine " + std::to_string(c.victim) + " and was the head of " + set + behind;
    return " was the head of " + set + since + behind;
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
    const Episode episode = episode_before(replay, e.other, n);
    const SetNow* set = episode.taken == nullptr ? nullptr : set_of(replay, episode.taken->set);
    if (set != nullptr) out.set = set->index;
    if (set != nullptr && set->role == Role::ready && episode.stood != nullptr) {
        take_place(replay, n, episode, *set, out);
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

std::string why_chosen(const Replay& replay, std::size_t n) {
    const Trace& trace = replay.trace();
    if (n >= trace.size() || trace[n].kind != Kind::switch_) return {};
    const Choice c = choice_at(replay, n);
    const std::string co = trace.name(c.co), by = trace.name(c.by);
    const std::uint64_t now = trace[n].t;
    switch (c.why) {
    case Chosen::head:
    case Chosen::younger:
    case Chosen::stolen: return co + place_in_words(replay, c, now);
    case Chosen::deadline:
        return co + ": its deadline passed " + (now > c.since ? in_words(now - c.since) + " ago" : "just now");
    case Chosen::early: return co + " was woken before its time";
    case Chosen::event: {
        const std::string reason = shown(replay, c.reason);
        return co + ": what it waited for has happened" + (reason.empty() ? "" : " (" + reason + ")");
    }
    case Chosen::named: return co + " runs because " + by + " named it: the program chose, no scheduler";
    case Chosen::idle: return co + " runs because no task is ready on machine " + std::to_string(trace[n].m);
    case Chosen::loop: return co + " runs to choose the next one";
    case Chosen::back:
        return co + " runs because it had resumed " + by + ", which " +
               (trace[n].first<Why>() == Why::exit ? "has ended" : "yields");
    }
    return {};
}

std::string chosen_in_short(const Choice& choice) {
    switch (choice.why) {
    case Chosen::head: return "the head of the ready queue";
    case Chosen::younger: return "though another stood in the queue longer";
    case Chosen::stolen: return "stolen from machine " + std::to_string(choice.victim);
    case Chosen::deadline: return "whose deadline has passed";
    case Chosen::early: return "woken before its time";
    case Chosen::event: return "whose event came";
    case Chosen::named: return "by its name";
    case Chosen::idle: return "because no task is ready";
    case Chosen::loop: return "to choose the next one";
    case Chosen::back: return "its resumer";
    }
    return {};
}

}  // namespace fiberscope::trace
