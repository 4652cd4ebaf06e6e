#include "traces/words/words.h"

#include <algorithm>

#include "traces/read/printable.h"

namespace fiberscope::trace {
namespace {

std::uint64_t since(const Replay& replay, std::uint64_t t) { return replay.time() > t ? replay.time() - t : 0; }

std::string ago(const Replay& replay, std::uint64_t t) {
    return since(replay, t) == 0 ? "just now" : in_words(since(replay, t)) + " ago";
}

std::string left(const Replay& replay, std::int64_t until) {
    const auto limit = static_cast<std::uint64_t>(until < 0 ? 0 : until);
    if (limit <= replay.time()) return "its time has come";
    return in_words(limit - replay.time()) + " left";
}

/// What a text of the recording says, fit to be shown.
std::string shown(const Replay& replay, std::uint32_t text) { return printable(replay.trace().text(text)); }

/// ", number 3 of 5 in ready": where it stands in a set of role ready.
std::string place_in_words(const Replay& replay, const Places::Place* place) {
    if (place == nullptr) return {};
    const SetNow& set = replay.sets()[place->set];
    const std::string of = " of " + std::to_string(set.members.size()) + " in " + shown(replay, set.name);
    return set.structure == Structure::queue ? ", number " + std::to_string(place->number) + of : ", one" + of;
}

/// ", 2 of 5": its place in the ready queue.
std::string short_place(const Replay& replay, const Places::Place* place) {
    if (place == nullptr) return {};
    return ", " + std::to_string(place->number) + " of " + std::to_string(replay.sets()[place->set].members.size());
}

const Event* last_switch(const Replay& replay, const CoroutineNow& now) {
    return now.last_switch == kNone ? nullptr : &replay.trace()[now.last_switch];
}

std::string why_suspended(const Replay& replay, const CoroutineNow& now) {
    const Event* e = last_switch(replay, now);
    if (!e) return "has been suspended for " + in_words(since(replay, now.since));
    const std::string to = replay.trace().name(e->other);
    const std::string reason = shown(replay, now.reason);
    const std::string because = reason.empty() ? "" : " (" + reason + ")";
    switch (e->first<Why>()) {
    case Why::yield: return "yielded to " + to + " " + ago(replay, e->t) + because;
    case Why::jump:
        return "was left by a jump to " + to + " " + ago(replay, e->t) +
               "; a context saved earlier can still be entered";
    case Why::exit: return "gave way to " + to + " " + ago(replay, e->t) + because;
    default: return "switched to " + to + " " + ago(replay, e->t) + because;
    }
}

std::string why_sleeping(const Replay& replay, const CoroutineNow& now) {
    const std::string start = "has slept for " + in_words(since(replay, now.since));
    if (now.until == INT64_MAX) return start + " and would sleep forever";
    return now.until == kAbsent ? start : start + ", " + left(replay, now.until);
}

std::string why_waiting(const Replay& replay, const CoroutineNow& now) {
    const std::string reason = shown(replay, now.reason);
    std::string text = "has waited " + in_words(since(replay, now.since));
    if (!reason.empty()) text += " for " + awaited(reason);
    if (now.until != kAbsent) text += ", " + left(replay, now.until);
    return text;
}

/// What became of the memory of a dead coroutine: the one that uses it now, or the pool in which it waits.
std::string memory_of(const Replay& replay, const Places& places, std::uint32_t co, const CoroutineNow& now) {
    const auto events = replay.events_of(co);
    auto after = std::upper_bound(events.begin(), events.end(), now.last_event);
    for (; now.last_event != kNone && after != events.begin(); --after) {
        const Event& e = replay.trace()[*(after - 1)];
        if (e.t < now.since) break;
        if (e.kind == Kind::spawn && e.y == std::int64_t{co} && e.co != co)
            return replay.trace().name(e.co) + " reuses its memory; ";
    }
    if (const Places::Place* pool = places.pool(co))
        return "it waits in " + shown(replay, replay.sets()[pool->set].name) + " to be used again; ";
    return {};
}

std::string why_dead(const Replay& replay, const Places& places, std::uint32_t co, const CoroutineNow& now) {
    const auto events = replay.events_of(co);
    for (const std::uint32_t n : events) {
        const Event& e = replay.trace()[n];
        if (n >= replay.at()) break;
        const std::string_view error = replay.trace().text(e.text);
        if (e.kind == Kind::state && e.co == co && e.second<State>() == State::dead && !error.empty())
            return "ended with an exception " + ago(replay, now.since) + ": " + printable(error);
    }
    return "is dead: " + memory_of(replay, places, co, now) + "it ended " + ago(replay, now.since);
}

/// "has the memory of A; ": whose memory a new one has.
std::string memory_before(const Replay& replay, std::uint32_t co) {
    for (const std::uint32_t n : replay.events_of(co)) {
        const Event& e = replay.trace()[n];
        if (e.kind != Kind::spawn || e.co != co) continue;
        return e.y == kAbsent ? "" : "has the memory of " + replay.trace().name(static_cast<std::uint32_t>(e.y)) + "; ";
    }
    return {};
}

std::string why_normal(const Replay& replay, const CoroutineNow& now) {
    const Event* e = last_switch(replay, now);
    if (!e) return "waits for a coroutine that it resumed";
    return "resumed " + replay.trace().name(e->other) + " " + ago(replay, e->t) + " and waits for it";
}

}  // namespace

Places::Places(const Replay& replay) {
    for (std::size_t i = 0; i < replay.sets().size(); ++i) add(replay.sets()[i], i);
}

Places::Places(const Replay& replay, std::uint32_t co) {
    for (std::size_t i = 0; i < replay.sets().size(); ++i) add(replay.sets()[i], i, co);
}

void Places::add(const SetNow& set, std::size_t index, std::uint32_t only) {
    if (set.role != Role::ready && set.role != Role::pool) return;
    auto& places = set.role == Role::ready ? ready_ : pool_;
    for (std::size_t i = 0; i < set.members.size(); ++i)
        if (set.members[i].co != kNone && (only == kNone || set.members[i].co == only))
            places.try_emplace(set.members[i].co, Place{index, i + 1});
}

const Places::Place* Places::find(const Map& places, std::uint32_t co) {
    const auto found = places.find(co);
    return found == places.end() ? nullptr : &found->second;
}

std::string why_not_running(const Replay& replay, std::uint32_t co) {
    return why_not_running(replay, Places(replay, co), co);
}

std::string why_not_running(const Replay& replay, const Places& places, std::uint32_t co) {
    const CoroutineNow now = replay.coroutine(co);
    if (!now.exists && now.last_event == kNone) return "does not exist yet";
    switch (now.state) {
    case State::new_:
        return memory_before(replay, co) + "was created " + ago(replay, now.since) + " and has not been entered yet";
    case State::ready:
        return "has been ready for " + in_words(since(replay, now.since)) + " and waits for its turn" +
               place_in_words(replay, places.ready(co));
    case State::running: return "is running on machine " + std::to_string(now.machine);
    case State::normal: return why_normal(replay, now);
    case State::suspended: return why_suspended(replay, now);
    case State::sleeping: return why_sleeping(replay, now);
    case State::waiting: return why_waiting(replay, now);
    case State::dead: return why_dead(replay, places, co, now);
    }
    return {};
}

std::string why_idle(const Replay& replay, std::uint32_t m, const IdleSpan& span) {
    const std::string machine = "machine " + std::to_string(m), time = in_words(since(replay, span.from));
    switch (span.kind) {
    case Idle::polls: return "has waited " + time + " in the poller, on " + machine + ": no task can run there";
    case Idle::parked: return "has been parked for " + time + ", with " + machine + ", until another machine wakes it";
    case Idle::spins: return "has looked for work for " + time + ", on " + machine + ", and found no task to run";
    case Idle::none: break;
    }
    return "is running on " + machine;
}

std::string why_in_short(const Replay& replay, std::uint32_t co) {
    const CoroutineNow now = replay.coroutine(co);
    const std::string time = in_words(since(replay, now.since));
    const std::string rest = now.until == kAbsent ? "" : ", " + left(replay, now.until);
    switch (now.state) {
    case State::new_: return "not entered yet";
    case State::ready: return "for " + time + short_place(replay, Places(replay, co).ready(co));
    case State::running: return "on machine " + std::to_string(now.machine);
    case State::normal: {
        const Event* e = last_switch(replay, now);
        return e ? "resumed " + replay.trace().name(e->other) : "resumed another";
    }
    case State::suspended: {
        const Event* e = last_switch(replay, now);
        return e ? "left for " + replay.trace().name(e->other) + " " + ago(replay, e->t) : "for " + time;
    }
    case State::sleeping: return "for " + time + rest;
    case State::waiting: return (now.reason == kNone ? "for " : shown(replay, now.reason) + ", ") + time + rest;
    case State::dead: return "ended " + ago(replay, now.since);
    }
    return {};
}

std::string awaited(std::string_view reason) {
    constexpr std::string_view kAnd = " and ";
    const std::string_view first = reason.substr(0, reason.find(kAnd));
    const std::string rest(reason.substr(first.size()));
    for (const std::string_view end : {" readable", " writable", " ready"})
        if (first.ends_with(end))
            return std::string(first.substr(0, first.size() - end.size())) + " to be" + std::string(end) + rest;
    return std::string(reason);
}

std::string grouped(std::int64_t n) {
    std::string text = std::to_string(n);
    const std::size_t first = n < 0 ? 2 : 1;
    for (std::size_t i = text.size(); i > first + 2; i -= 3) text.insert(i - 3, 1, ',');
    return text;
}

std::string in_words(std::uint64_t ns) {
    if (ns < 1000) return std::to_string(ns) + " ns";
    static constexpr std::string_view kUnits[] = {" µs", " ms", " s"};
    std::uint64_t unit = 1000;
    std::size_t u = 0;
    // From 999.5 of a unit on, three digits round up to one of the next.
    while (u + 1 < std::size(kUnits) && ns >= unit * 1000 - unit / 2) {
        unit *= 1000;
        ++u;
    }
    const std::uint64_t shown = ns / unit;
    const std::uint64_t parts = shown >= 100 || ns >= 100 * unit - unit / 20 ? 1
                                : ns >= 10 * unit - unit / 200               ? 10
                                                                             : 100;
    const std::uint64_t step = unit / parts;
    const std::uint64_t rounded = ns / step + (ns % step >= step / 2 ? 1 : 0);
    std::string text = std::to_string(rounded / parts);
    if (rounded % parts != 0) {
        std::string fraction = std::to_string(parts + rounded % parts).substr(1);
        while (fraction.ends_with('0')) fraction.pop_back();
        text += "." + fraction;
    }
    return text + std::string(kUnits[u]);
}

}  // namespace fiberscope::trace
