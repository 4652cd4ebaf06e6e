#include "traces/words/words.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

#include "traces/read/printable.h"
#include "traces/words/translated.h"

namespace fiberscope::trace {
namespace {

std::uint64_t since(const Replay& replay, std::uint64_t t) { return replay.time() > t ? replay.time() - t : 0; }

std::string ago(const Replay& replay, std::uint64_t t, Language language) {
    return since(replay, t) == 0 ? say(language, ToldText::just_now)
                                 : say(language, ToldText::ago, in_words(since(replay, t)));
}

std::string left(const Replay& replay, std::int64_t until, Language language) {
    const auto limit = static_cast<std::uint64_t>(until < 0 ? 0 : until);
    if (limit <= replay.time()) return say(language, ToldText::time_has_come);
    return say(language, ToldText::time_left, in_words(limit - replay.time()));
}

/// ", 3 ms left", if there is a limit.
std::string and_left(const Replay& replay, std::int64_t until, Language language) {
    return until == kAbsent ? "" : say(language, ToldText::comma, left(replay, until, language));
}

/// ", number 3 of 5 in ready": where it stands in a set of role ready.
std::string place_in_words(const Replay& replay, const Places::Place* place, Language language) {
    if (place == nullptr) return {};
    const SetNow& set = replay.sets()[place->set];
    const std::string name = set_in(printable_text(replay, set.name), language);
    if (set.structure == Structure::queue)
        return say(language, ToldText::place_in_queue, place->number, set.members.size(), name);
    return say(language, ToldText::place_in_set, set.members.size(), name);
}

/// ", 2 of 5": its place in the ready queue.
std::string short_place(const Replay& replay, const Places::Place* place, Language language) {
    if (place == nullptr) return {};
    return say(language, ToldText::place_in_short, place->number, replay.sets()[place->set].members.size());
}

std::optional<Event> last_switch(const Replay& replay, const CoroutineNow& now) {
    return now.last_switch == kNone ? std::nullopt : std::optional(replay.trace()[now.last_switch]);
}

std::string why_suspended(const Replay& replay, const CoroutineNow& now, Language language) {
    const auto e = last_switch(replay, now);
    if (!e) return say(language, ToldText::suspended_for, in_words(since(replay, now.since)));
    const std::string reason = printable_text(replay, now.reason), when = ago(replay, e->t, language);
    const std::string because = reason.empty() ? "" : say(language, ToldText::brackets, reason);
    const ToldText key = e->first<Why>() == Why::yield  ? ToldText::yielded_to
                         : e->first<Why>() == Why::exit ? ToldText::gave_way_to
                                                        : ToldText::switched_to;
    if (e->first<Why>() == Why::jump)
        return say(language, ToldText::left_by_jump, name_in(replay.trace(), e->other, language), when);
    return say(language, key, name_in(replay.trace(), e->other, language), when, because);
}

std::string why_sleeping(const Replay& replay, const CoroutineNow& now, Language language) {
    return say(
        language, ToldText::slept_for, in_words(since(replay, now.since)),
        now.until == INT64_MAX ? say(language, ToldText::sleeps_forever) : and_left(replay, now.until, language));
}

std::string why_waiting(const Replay& replay, const CoroutineNow& now, Language language) {
    const std::string reason = printable_text(replay, now.reason);
    return say(language, ToldText::waited_for_time, in_words(since(replay, now.since)),
               reason.empty() ? "" : say(language, ToldText::waited_for_what, awaited(reason, language)),
               and_left(replay, now.until, language));
}

/// What became of the memory of a dead coroutine: the one that uses it now, or the pool in which it waits.
std::string memory_of(const Replay& replay, const Places& places, std::uint32_t co, const CoroutineNow& now,
                      Language language) {
    const auto events = replay.events_of(co);
    auto after = std::upper_bound(events.begin(), events.end(), now.last_event);
    for (; now.last_event != kNone && after != events.begin(); --after) {
        const Event& e = replay.trace()[*(after - 1)];
        if (e.t < now.since) break;
        if (e.kind == Kind::spawn && e.y == std::int64_t{co} && e.co != co)
            return say(language, ToldText::reuses_memory, name_in(replay.trace(), e.co, language));
    }
    if (const Places::Place* pool = places.pool(co))
        return say(language, ToldText::waits_in_pool,
                   set_in(printable_text(replay, replay.sets()[pool->set].name), language));
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
            return say(language, ToldText::ended_by_exception, when, printable(error));
    }
    return say(language, ToldText::is_dead) +
           say(language, ToldText::dead_since, memory_of(replay, places, co, now, language), when);
}

/// "has the memory of A; ": whose memory a new one has.
std::string memory_before(const Replay& replay, std::uint32_t co, Language language) {
    for (const std::uint32_t n : replay.events_of(co)) {
        const Event& e = replay.trace()[n];
        if (e.kind != Kind::spawn || e.co != co) continue;
        if (e.y == kAbsent) return {};
        return say(language, ToldText::has_memory_of,
                   name_in(replay.trace(), static_cast<std::uint32_t>(e.y), language));
    }
    return {};
}

std::string why_normal(const Replay& replay, const CoroutineNow& now, Language language) {
    const auto e = last_switch(replay, now);
    if (!e) return say(language, ToldText::waits_for_resumed);
    return say(language, ToldText::resumed_waits, name_in(replay.trace(), e->other, language),
               ago(replay, e->t, language));
}

}  // namespace

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
        const std::size_t at = std::size_t{set.members[i].co} - first_;  // of a timer, or of another: too large
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
    if (!now.exists && now.last_event == kNone) return say(language, ToldText::not_there);
    switch (now.state) {
    case State::new_:
        return say(language, ToldText::not_entered_since, memory_before(replay, co, language),
                   ago(replay, now.since, language));
    case State::ready:
        return say(language, ToldText::ready_for, in_words(since(replay, now.since)),
                   place_in_words(replay, places.ready(co), language));
    case State::running:
        return say(language, ToldText::is_running) +
               say(language, ToldText::running_on, say(language, ToldText::machine_n, now.machine));
    case State::normal: return why_normal(replay, now, language);
    case State::suspended: return why_suspended(replay, now, language);
    case State::sleeping: return why_sleeping(replay, now, language);
    case State::waiting: return why_waiting(replay, now, language);
    case State::dead: return why_dead(replay, places, co, now, language);
    }
    return {};
}

std::string why_idle(const Replay& replay, std::uint32_t m, const IdleSpan& span, Language language) {
    const std::string machine = say(language, ToldText::machine_n, m), time = in_words(since(replay, span.from));
    switch (span.kind) {
    case Idle::polls: return say(language, ToldText::idle_polls, time, machine);
    case Idle::parked: return say(language, ToldText::idle_parked, time, machine);
    case Idle::spins: return say(language, ToldText::idle_spins, time, machine);
    case Idle::none: break;
    }
    return say(language, ToldText::is_running) + say(language, ToldText::running_on, machine);
}

std::string why_in_short(const Replay& replay, std::uint32_t co, Language language) {
    return why_in_short(replay, Places(replay, co), co, language);
}

std::string why_in_short(const Replay& replay, const Places& places, std::uint32_t co, Language language) {
    const CoroutineNow now = replay.coroutine(co);
    const std::string time = in_words(since(replay, now.since)), rest = and_left(replay, now.until, language);
    const auto e = last_switch(replay, now);
    const auto other = [&] { return name_in(replay.trace(), e->other, language); };
    switch (now.state) {
    case State::new_: return say(language, ToldText::brief_not_entered);
    case State::ready:
        return say(language, ToldText::brief_for, time) + short_place(replay, places.ready(co), language);
    case State::running: return say(language, ToldText::brief_running, say(language, ToldText::machine_n, now.machine));
    case State::normal:
        return e ? say(language, ToldText::brief_resumed, other()) : say(language, ToldText::brief_resumed_another);
    case State::suspended:
        return e ? say(language, ToldText::brief_left_for, other(), ago(replay, e->t, language))
                 : say(language, ToldText::brief_for, time);
    case State::sleeping: return say(language, ToldText::brief_for, time) + rest;
    case State::waiting:
        if (now.reason == kNone) return say(language, ToldText::brief_for, time) + rest;
        return reason_in_words(printable_text(replay, now.reason), language) + say(language, ToldText::comma, time) +
               rest;
    case State::dead: return say(language, ToldText::brief_ended, ago(replay, now.since, language));
    }
    return {};
}

static_assert(static_cast<std::size_t>(ToldText::state_dead) - static_cast<std::size_t>(ToldText::state_new) ==
              static_cast<std::size_t>(State::dead));

std::string state_word(State state, Language language) {
    return say(language,
               static_cast<ToldText>(static_cast<std::size_t>(ToldText::state_new) + static_cast<std::size_t>(state)));
}

std::string state_name(const Trace& trace, State state, Language language) {
    if (language == Language::english) return trace.state_name(state);
    const std::string own = trace.lab_word(state), ours = state_word(state, language);
    return own.empty() ? ours : say(language, ToldText::state_of_the_lab, own, ours);
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

std::string key_in_words(Foreign text) {
    const std::string_view key = text.bytes();
    std::uint64_t ns = 0;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), ns);
    const std::string_view unit = key.substr(static_cast<std::size_t>(end - key.data()));
    if (error != std::errc() || unit != " ns" || ns > std::uint64_t{INT64_MAX}) return printable(text);
    return exactly(ns);
}

}  // namespace fiberscope::trace
