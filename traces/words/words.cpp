#include "traces/words/words.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <optional>

#include "languages/message.h"
#include "traces/read/printable.h"
#include "traces/words/names.h"

namespace fiberscope::trace {
namespace {

std::uint64_t since(const Replay& replay, std::uint64_t t) { return replay.time() > t ? replay.time() - t : 0; }

std::string ago(const Replay& replay, std::uint64_t t, Language language) {
    return since(replay, t) == 0 ? say(language, "just now") : say(language, "{0} ago", in_words(since(replay, t)));
}

std::string left(const Replay& replay, std::int64_t until, Language language) {
    const auto limit = static_cast<std::uint64_t>(until < 0 ? 0 : until);
    if (limit <= replay.time()) return say(language, "its deadline has passed");
    return say(language, "{0} left", in_words(limit - replay.time()));
}

/// ", 3 ms left", if there is a limit.
std::string and_left(const Replay& replay, std::int64_t until, Language language) {
    return until == kAbsent ? "" : say(language, ", {0}", left(replay, until, language));
}

/// ", number 3 of 5 in ready": its position in a set of role ready.
std::string place_in_words(const Replay& replay, const Places::Place* place, Language language) {
    if (place == nullptr) return {};
    const SetNow& set = replay.sets()[place->set];
    const std::string name = set_in(replay.trace().text(set.name), language);
    if (set.structure == Structure::queue)
        return say(language, ", number {0} of {1} in {2}", place->number, set.members.size(), name);
    return say(language, ", one of {0} in {1}", set.members.size(), name);
}

/// ", 2 of 5": its place in the ready queue.
std::string short_place(const Replay& replay, const Places::Place* place, Language language) {
    if (place == nullptr) return {};
    return say(language, ", {0} of {1}", place->number, replay.sets()[place->set].members.size());
}

std::optional<Event> last_switch(const Replay& replay, const CoroutineNow& now) {
    return now.last_switch == kNone ? std::nullopt : std::optional(replay.trace()[now.last_switch]);
}

std::string why_suspended(const Replay& replay, const CoroutineNow& now, Language language) {
    const auto e = last_switch(replay, now);
    if (!e) return say(language, "has been suspended for {0}", in_words(since(replay, now.since)));
    const std::string reason = reason_in_words(replay.trace(), now.reason, language),
                      when = ago(replay, e->t, language);
    const std::string because = reason.empty() ? "" : say(language, " ({0})", reason);
    const Text key = e->first<Why>() == Why::yield  ? mark("yielded to {0} {1}{2}")
                     : e->first<Why>() == Why::exit ? mark("gave way to {0} {1}{2}")
                                                    : mark("switched to {0} {1}{2}");
    if (e->first<Why>() == Why::jump)
        return say(language, "was left by a jump to {0} {1}; a context saved earlier can still be entered",
                   name_in(replay.trace(), e->other, language), when);
    return say(language, key, name_in(replay.trace(), e->other, language), when, because);
}

std::string why_sleeping(const Replay& replay, const CoroutineNow& now, Language language) {
    return say(
        language, "has slept for {0}{1}", in_words(since(replay, now.since)),
        now.until == INT64_MAX ? say(language, " and would sleep forever") : and_left(replay, now.until, language));
}

std::string why_waiting(const Replay& replay, const CoroutineNow& now, Language language) {
    const std::string reason = reason_in_words(replay.trace(), now.reason, language);
    return say(language, "has waited {0}{1}{2}", in_words(since(replay, now.since)),
               reason.empty() ? "" : say(language, mark(" for {0}", "past"), reason),
               and_left(replay, now.until, language));
}

/// The fate of a dead coroutine's memory: its current user, or the pool that holds it.
std::string memory_of(const Replay& replay, const Places& places, std::uint32_t co, const CoroutineNow& now,
                      Language language) {
    const auto events = replay.events_of(co);
    auto after = std::upper_bound(events.begin(), events.end(), now.last_event);
    for (; now.last_event != kNone && after != events.begin(); --after) {
        const Event& e = replay.trace()[*(after - 1)];
        if (e.t < now.since) break;
        if (e.kind == Kind::spawn && e.y == std::int64_t{co} && e.co != co)
            return say(language, "{0} reuses its memory; ", name_in(replay.trace(), e.co, language));
    }
    if (const Places::Place* pool = places.pool(co))
        return say(language, "it waits in {0} to be used again; ",
                   set_in(replay.trace().text(replay.sets()[pool->set].name), language));
    return {};
}

std::string why_dead(const Replay& replay, const Places& places, std::uint32_t co, const CoroutineNow& now,
                     Language language) {
    const auto events = replay.events_of(co);
    const std::string when = ago(replay, now.since, language);
    for (const std::uint32_t n : events) {
        const Event& e = replay.trace()[n];
        if (n >= replay.at()) break;
        const Foreign error = replay.trace().text(e.text);
        if (e.kind == Kind::state && e.co == co && e.second<State>() == State::dead && !error.empty())
            return say(language, "ended with an exception {0}: {1}", when, printable(error));
    }
    return say(language, "is dead: ") +
           say(language, "{0}it ended {1}", memory_of(replay, places, co, now, language), when);
}

/// "has the memory of A; ": the previous owner of a new coroutine's memory.
std::string memory_before(const Replay& replay, std::uint32_t co, Language language) {
    for (const std::uint32_t n : replay.events_of(co)) {
        const Event& e = replay.trace()[n];
        if (e.kind != Kind::spawn || e.co != co) continue;
        if (e.y == kAbsent) return {};
        return say(language, "has the memory of {0}; ",
                   name_in(replay.trace(), static_cast<std::uint32_t>(e.y), language));
    }
    return {};
}

std::string why_normal(const Replay& replay, const CoroutineNow& now, Language language) {
    const auto e = last_switch(replay, now);
    if (!e) return say(language, "waits for a coroutine that it resumed");
    return say(language, "resumed {0} {1} and waits for it", name_in(replay.trace(), e->other, language),
               ago(replay, e->t, language));
}

std::string why_in_its_state(const Replay& replay, const Places& places, std::uint32_t co, const CoroutineNow& now,
                             Language language) {
    if (!now.exists && now.last_event == kNone) return say(language, "does not exist yet");
    switch (now.state) {
    case State::new_:
        return say(language, "{0}was created {1} and has not been entered yet", memory_before(replay, co, language),
                   ago(replay, now.since, language));
    case State::ready:
        return say(language, "has been {0} for {1} and waits for its turn{2}",
                   state_called(replay.trace(), now.state, language), in_words(since(replay, now.since)),
                   place_in_words(replay, places.ready(co), language));
    case State::running:
        return say(language, "is running ") + say(language, "on {0}", say(language, "machine {0}", now.machine));
    case State::normal: return why_normal(replay, now, language);
    case State::suspended: return why_suspended(replay, now, language);
    case State::sleeping: return why_sleeping(replay, now, language);
    case State::waiting: return why_waiting(replay, now, language);
    case State::dead: return why_dead(replay, places, co, now, language);
    }
    return {};
}

}  // namespace

std::string reason_in_words(const Trace& trace, std::uint32_t reason, Language language) {
    return printable(formatted(trace.text(reason).bytes(), language));
}

std::string printable_text(const Replay& replay, std::uint32_t text) { return printable(replay.trace().text(text)); }

Places::Places(const Replay& replay) : Places(replay, 0, replay.coroutines()) {}

Places::Places(const Replay& replay, std::uint32_t co) : Places(replay, co, 1) {}

Places::Places(const Replay& replay, std::uint32_t first, std::size_t count)
    : first_(first), ready_(count, Place{0, 0}), pool_(count, Place{0, 0}) {
    const auto sets = replay.sets();
    for (std::size_t i = 0; i < sets.size(); ++i) add(sets[i], i);
}

void Places::add(const SetNow& set, std::size_t index) {
    if (set.role != Role::ready && set.role != Role::pool) return;
    auto& places = set.role == Role::ready ? ready_ : pool_;
    for (std::size_t i = 0; i < set.members.size(); ++i) {
        const std::size_t at = std::size_t{set.members[i].co} - first_;  // for a timer, or another coroutine: too large
        if (at < places.size() && places[at].number == 0) places[at] = {index, i + 1};
    }
}

const Places::Place* Places::find(const std::vector<Place>& places, std::uint32_t co) const noexcept {
    const std::size_t at = std::size_t{co} - first_;
    return at < places.size() && places[at].number != 0 ? &places[at] : nullptr;
}

std::string why_not_running(const Replay& replay, std::uint32_t co, Language language) {
    return why_not_running(replay, Places(replay, co), co, language);
}

std::string why_not_running(const Replay& replay, const Places& places, std::uint32_t co, Language language) {
    const CoroutineNow now = replay.coroutine(co);
    const std::string why = why_in_its_state(replay, places, co, now, language);
    if (now.frames == kNone || now.state == State::dead) return why;
    return say(language, "{0}; its frames: {1}", why, printable_text(replay, now.frames));
}

std::string why_idle(const Replay& replay, std::uint32_t m, const IdleSpan& span, Language language) {
    const std::string machine = say(language, "machine {0}", m), time = in_words(since(replay, span.from));
    switch (span.kind) {
    case Idle::polls:
        return say(language, "has waited {0} in the poller, on {1}: no task can run there", time, machine);
    case Idle::parked:
        if (const std::uint32_t reason = replay.trace()[span.begin].text; reason != kNone)
            return say(language, "has been parked for {0}, with {1}, and waits for {2}", time, machine,
                       printable_text(replay, reason));
        return say(language, "has been parked for {0}, with {1}, until another machine wakes it", time, machine);
    case Idle::spins:
        return say(language, "has looked for work for {0}, on {1}, and found no task to run", time, machine);
    case Idle::blocked:
        return say(language, "has been in a call for {0}, which blocks {1}: no other task can run there", time,
                   machine);
    case Idle::locked:
        return say(language, "has waited for a lock for {0}, with {1}: another machine holds it", time, machine);
    case Idle::none: break;
    }
    return say(language, "is running ") + say(language, "on {0}", machine);
}

std::string why_in_short(const Replay& replay, const Places& places, std::uint32_t co, Language language) {
    const CoroutineNow now = replay.coroutine(co);
    const std::string time = in_words(since(replay, now.since)), rest = and_left(replay, now.until, language);
    const auto e = last_switch(replay, now);
    const auto other = [&] { return name_in(replay.trace(), e->other, language); };
    switch (now.state) {
    case State::new_: return say(language, "not entered yet");
    case State::ready: return say(language, "for {0}", time) + short_place(replay, places.ready(co), language);
    case State::running: return say(language, mark("on {0}", "brief"), say(language, "machine {0}", now.machine));
    case State::normal: return e ? say(language, "resumed {0}", other()) : say(language, "resumed another");
    case State::suspended:
        return e ? say(language, "left for {0} {1}", other(), ago(replay, e->t, language))
                 : say(language, "for {0}", time);
    case State::sleeping: return say(language, "for {0}", time) + rest;
    case State::waiting:
        if (now.reason == kNone) return say(language, "for {0}", time) + rest;
        return reason_in_words(replay.trace(), now.reason, language) + say(language, ", {0}", time) + rest;
    case State::dead: return say(language, "ended {0}", ago(replay, now.since, language));
    }
    return {};
}

std::string state_word(State state, Language language) {
    static constexpr Text kStates[] = {mark("new", "state"),     mark("ready", "state"),     mark("running", "state"),
                                       mark("normal", "state"),  mark("suspended", "state"), mark("sleeping", "state"),
                                       mark("waiting", "state"), mark("dead", "state")};
    static_assert(std::size(kStates) == static_cast<std::size_t>(State::dead) + 1);
    return std::string(text_of(kStates[static_cast<std::size_t>(state)], language));
}

std::string state_called(const Trace& trace, State state, Language language) {
    const std::string own = trace.lab_word(state);
    return own.empty() ? state_word(state, language) : own;
}

std::string state_name(const Trace& trace, State state, Language language) {
    const std::string own = trace.lab_word(state), ours = state_word(state, language);
    const auto same_letter = [](char a, char b) { return (a | 0x20) == (b | 0x20); };
    if (own.empty()) return ours;
    const bool same = std::equal(own.begin(), own.end(), ours.begin(), ours.end(), same_letter);
    return same ? own : say(language, "{0} ({1})", own, ours);
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
    // From 999.5 of a unit on, rounding to three digits gives one of the next unit.
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

std::string exactly(std::uint64_t ns) {
    static constexpr std::string_view kUnits[] = {" ns", " µs", " ms", " s"};
    std::uint64_t unit = 1;
    std::size_t u = 0;
    for (; u + 1 < std::size(kUnits) && ns >= unit * 1000; ++u) unit *= 1000;
    std::string text = std::to_string(ns / unit);
    if (ns % unit != 0) {
        std::string fraction = std::to_string(unit + ns % unit).substr(1);
        while (fraction.ends_with('0')) fraction.pop_back();
        text += "." + fraction;
    }
    return text + std::string(kUnits[u]);
}

bool is_value(const Trace& trace, const Event& event) noexcept {
    return event.co != kNone && event.text != kNone && trace.text(event.text).bytes().starts_with("value ");
}

std::string member_in_words(const Trace& trace, const Event& event, Language language) {
    if (event.co == kNone) return say(language, "timer {0}", event.other);
    const std::string co = name_in(trace, event.co, language);
    if (!is_value(trace, event)) return co;
    const std::string number(trace.text(event.text).bytes().substr(std::string_view("value ").size()));
    return say(language, "value {0} of {1}", number, co);
}

std::string key_in_words(Foreign text) {
    const std::string_view key = text.bytes();
    std::uint64_t ns = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), ns);
    const std::string_view unit = key.substr(static_cast<std::size_t>(end - key.data()));
    if (error != std::errc() || unit != " ns" || ns > std::uint64_t{INT64_MAX}) return printable(text);
    return exactly(ns);
}

}  // namespace fiberscope::trace
