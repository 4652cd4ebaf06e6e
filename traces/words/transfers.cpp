#include "traces/words/transfers.h"

#include <algorithm>

#include "traces/words/names.h"

namespace fiberscope::trace {
namespace {

/// Maximum number of other events between the events of one transfer or of one advance of a hand, and maximum distance
/// to the hand's previous advance.
constexpr std::size_t kFarTransfer = 256, kFarSteal = 64, kFarTurn = 8192;
constexpr std::size_t kNamed = 3;

struct Item {
    std::uint32_t co, timer;
    explicit Item(const Event& e) noexcept : co(e.co), timer(e.co == kNone ? e.other : kNone) {}
    bool is(const Event& e) const noexcept { return co != kNone ? e.co == co : e.co == kNone && e.other == timer; }
};

/// The members of a channel's buffer are values, named by their sender, which itself moves independently.
bool is_member_step(const Trace& trace, std::size_t n) noexcept {
    const bool steps = trace.kind(n) == Kind::insert || trace.kind(n) == Kind::remove;
    return steps && !is_value(trace, trace[n]);
}

/// Whether it ran, was spawned, or ended: its later set events belong to another transfer.
bool ends_story(const Event& e, const Item& item) noexcept {
    if (e.kind == Kind::switch_) return item.co != kNone && (e.co == item.co || e.other == item.co);
    if (e.kind == Kind::spawn) return item.co != kNone && e.co == item.co;
    return e.kind == Kind::timer && item.co == kNone && e.other == item.timer && e.first<TimerOp>() != TimerOp::refresh;
}

/// An event of a member between its sets.
bool wakes(const Event& e, const Item& item) noexcept {
    return e.kind == Kind::state && item.co != kNone && e.co == item.co && e.second<State>() == State::ready;
}
bool refreshes(const Event& e, const Item& item) noexcept {
    return e.kind == Kind::timer && item.co == kNone && e.other == item.timer;
}

std::optional<Transfer> transfer_into(const Trace& trace, std::size_t n) {
    const Event own = trace[n];
    const Item item(own);
    Transfer out;
    out.enters = n;
    bool woken = false, refreshed = false;
    for (std::size_t i = n; i-- > 0 && n - i <= kFarTransfer;) {
        const Event e = trace[i];
        if (ends_story(e, item)) break;
        woken = woken || wakes(e, item);
        refreshed = refreshed || refreshes(e, item);
        if (!is_member_step(trace, i) || !item.is(e)) continue;
        if (e.kind == Kind::insert || e.m != own.m) break;
        out.leaves.insert(out.leaves.begin(), i);
    }
    if (out.leaves.empty()) return std::nullopt;
    const bool same = trace[out.leaves.back()].set == own.set;
    if (same && !refreshed) return std::nullopt;
    out.why = woken                             ? Transfer::Why::wake
              : refreshed                       ? Transfer::Why::refresh
              : steal_around(trace, n) != kNone ? Transfer::Why::steal
              : item.co == kNone                ? Transfer::Why::cascade
                                                : Transfer::Why::other;
    return out;
}

std::optional<Transfer> transfer_from(const Trace& trace, std::size_t n) {
    const Item item(trace[n]);
    for (std::size_t i = n + 1; i < trace.size() && i - n <= kFarTransfer; ++i) {
        const Event e = trace[i];
        if (ends_story(e, item)) break;
        if (e.kind == Kind::insert && is_member_step(trace, i) && item.is(e)) return transfer_at(trace, i);
    }
    return std::nullopt;
}

/// "timer 2, timer 6 and 2 more"
std::string items_in_words(const Trace& trace, const std::vector<std::size_t>& events, Language language) {
    std::string words;
    const std::size_t named = events.size() > kNamed + 1 ? kNamed : events.size();  // "and 1 more" saves no space
    for (std::size_t i = 0; i < named; ++i) {
        const Event e = trace[events[i]];
        const std::string item = e.co != kNone ? name_in(trace, e.co, language) : say(language, "timer {0}", e.other);
        const bool last = i > 0 && i + 1 == events.size();
        words += i == 0 ? item : last ? say(language, " and {0}", item) : say(language, ", {0}", item);
    }
    if (named < events.size()) words += say(language, " and {0} more", events.size() - named);
    return words;
}

/// Whether the member that left its set by event n was due: its timer fires next, or it is woken for its deadline.
bool is_due(const Trace& trace, std::size_t n) {
    const Item item(trace[n]);
    for (std::size_t i = n + 1; i < trace.size() && i - n <= kFarSteal; ++i) {
        const Event e = trace[i];
        if (e.kind == Kind::timer && refreshes(e, item)) return e.first<TimerOp>() == TimerOp::fire;
        if (e.kind == Kind::state && item.co != kNone && e.co == item.co) return e.third<Cause>() == Cause::deadline;
        if (ends_story(e, item)) return false;
        // A due timer may enter a queue of due timers before it is woken, as in libco.
        if (item.co == kNone && is_member_step(trace, i) && item.is(e)) return false;
    }
    return false;
}

std::optional<std::int64_t> hand_before(const Trace& trace, std::size_t n) {
    const std::uint32_t set = trace[n].set;
    for (std::size_t i = n; i-- > 0;) {
        if (n - i > kFarTurn) return std::nullopt;
        if (trace.kind(i) == Kind::hand && trace[i].set == set) return trace[i].x;
    }
    return 0;
}

}  // namespace

std::optional<Transfer> transfer_at(const Trace& trace, std::size_t n) {
    if (n >= trace.size() || !is_member_step(trace, n)) return std::nullopt;
    return trace.kind(n) == Kind::insert ? transfer_into(trace, n) : transfer_from(trace, n);
}

std::optional<Transfer> transfer_around(const Trace& trace, std::size_t n) {
    if (n >= trace.size()) return std::nullopt;
    if (is_member_step(trace, n)) return transfer_at(trace, n);
    // Between the events of a wake no links are written except those of its second set.
    for (std::size_t i = n; i-- > 0 && n - i <= kFarSteal;) {
        if (trace.kind(i) == Kind::insert) return std::nullopt;
        if (trace.kind(i) != Kind::remove) continue;
        const auto found = transfer_at(trace, i);
        return found && found->enters > n ? found : std::nullopt;
    }
    return std::nullopt;
}

std::string name_of(const Transfer& transfer, Language language) {
    switch (transfer.why) {
    case Transfer::Why::wake: return say(language, mark("wake", "transfer"));
    case Transfer::Why::steal: return say(language, mark("steal", "transfer"));
    case Transfer::Why::cascade: return say(language, mark("cascade", "transfer"));
    case Transfer::Why::refresh: return say(language, mark("refresh", "transfer"));
    case Transfer::Why::other: break;
    }
    return say(language, mark("move", "transfer"));
}

std::uint32_t steal_around(const Trace& trace, std::size_t n) {
    if (n >= trace.size()) return kNone;
    const std::uint16_t machine = trace[n].m;
    const auto is_steal = [&](std::size_t i) {
        return trace.kind(i) == Kind::machine && trace[i].first<MachineOp>() == MachineOp::steal;
    };
    if (is_steal(n)) return static_cast<std::uint32_t>(n);
    if (!is_member_step(trace, n)) return kNone;
    for (std::size_t i = n + 1; i < std::min(trace.size(), n + 1 + kFarSteal); ++i) {
        if (trace[i].m != machine) continue;
        if (is_steal(i)) return static_cast<std::uint32_t>(i);
        if (!is_member_step(trace, i)) break;
    }
    for (std::size_t i = n; i-- > 0 && n - i < kFarSteal;) {
        if (trace[i].m != machine) continue;
        if (is_steal(i)) return static_cast<std::uint32_t>(i);
        if (!is_member_step(trace, i)) break;
    }
    return kNone;
}

HandTurn hand_turn(const Trace& trace, std::size_t n) {
    const Event own = trace[n];
    HandTurn out{hand_before(trace, n), own.x, {}, {}};
    for (std::size_t i = n + 1; i < trace.size() && i - n <= kFarTransfer; ++i) {
        const Event e = trace[i];
        if (e.m == own.m && e.kind == Kind::switch_) break;
        if (e.set != own.set) continue;
        if (e.kind == Kind::hand) break;
        if (e.kind != Kind::remove) continue;
        if (is_due(trace, i))
            out.due.push_back(i);
        else if (const auto transfer = transfer_at(trace, i); transfer && transfer->why == Transfer::Why::cascade)
            out.down.push_back(i);
    }
    return out;
}

std::string hand_turn_in_words(const Trace& trace, const HandTurn& turn, Language language) {
    if (!turn.due.empty()) {
        const bool timers = trace[turn.due[0]].co == kNone;
        return say(language, timers ? mark("{0} {1:fires|fire}") : mark("{0} {1:is|are} due"),
                   items_in_words(trace, turn.due, language), turn.due.size());
    }
    if (turn.down.empty()) return {};
    return say(language, "{0} {1:goes|go} down to a lower wheel", items_in_words(trace, turn.down, language),
               turn.down.size());
}

}  // namespace fiberscope::trace
