#include "viewer/layout/stacks/registers.h"

#include "traces/read/printable.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdio>

namespace fiberscope::viewer {
namespace {

using trace::kNone;
using Values = std::vector<trace::RegisterValue>;

constexpr std::uint64_t kLeastShown = 256;

/// The last switch before event `n` that saved registers of `co`; kNone if there is none.
std::uint32_t save_before(const trace::Replay& replay, std::uint32_t co, std::uint32_t n) {
    const auto events = replay.events_of(co);
    auto it = std::lower_bound(events.begin(), events.end(), n);
    while (it != events.begin()) {
        --it;
        const trace::Event& event = replay.trace()[*it];
        if (event.kind == trace::Kind::switch_ && event.co == co) return *it;
    }
    return kNone;
}

std::vector<RegisterRow> rows_of(const trace::Trace& trace, const Values& values, const Values& before) {
    std::vector<RegisterRow> rows;
    for (const trace::RegisterValue& value : values) {
        RegisterRow row{
            trace::printable(trace.text(value.name)), trace::printable(trace.text(value.value)), {}, false, {}};
        row.shown = short_value(row.value);
        for (const trace::RegisterValue& old : before) {
            if (old.name != value.name || old.value == value.value) continue;  // equal values count as one
            row.changed = true;
            row.before = trace::printable(trace.text(old.value));
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

bool is_stack_register(std::string_view name) noexcept {
    constexpr std::array kNames{"rsp", "sp", "rbp", "fp"};
    return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

std::optional<StackPicture> picture(const std::vector<RegisterRow>& rows, std::int64_t stack_bytes) {
    StackPicture out;
    std::uint64_t deepest = 0;
    for (const RegisterRow& row : rows) {
        const auto below = bytes_below_top(row.value);
        if (!below || !is_stack_register(row.name)) continue;
        deepest = std::max(deepest, *below);
        out.marks.push_back({row.name, *below, 0});
    }
    if (out.marks.empty()) return std::nullopt;
    out.size = stack_bytes == trace::kAbsent ? 0 : static_cast<std::uint64_t>(std::max<std::int64_t>(0, stack_bytes));
    out.shown = std::max(kLeastShown, std::bit_ceil(deepest + deepest / 4));
    if (out.size != 0) out.shown = std::min(out.shown, std::max(out.size, deepest));
    for (StackMark& mark : out.marks) mark.y = static_cast<float>(mark.below_top) / static_cast<float>(out.shown);
    return out;
}

RegisterSide side(const trace::Replay& replay, const TraceIndex& index, std::uint32_t co, const Values& values,
                  std::uint32_t n) {
    const trace::Trace& trace = replay.trace();
    const std::uint32_t earlier = save_before(replay, co, n);
    RegisterSide out;
    out.co = co;
    out.compared = earlier != kNone;
    out.rows = rows_of(trace, values, out.compared ? trace.saved(earlier) : Values{});
    const std::uint32_t spawn = co < index.coroutines() ? index.spawn(co) : kNone;
    out.stack = picture(out.rows, spawn == kNone ? trace::kAbsent : trace[spawn].x);
    return out;
}

bool has_frames(const trace::Replay& replay, std::uint32_t co) {
    return co < replay.coroutines() && replay.coroutine(co).frames != kNone;
}

/// Converts "visit+3 n=2; main+7 i=0" to rows.
RegisterSide frames_of(const trace::Replay& replay, std::uint32_t co, Language language) {
    RegisterSide out;
    out.co = co;
    out.name = replay.trace().name(co);
    out.title = say(language, "frames of {0}", out.name);
    const std::string all = trace::printable(replay.trace().text(replay.coroutine(co).frames));
    for (std::size_t from = 0; from < all.size();) {
        const std::size_t end = std::min(all.find("; ", from), all.size());
        const std::string frame = all.substr(from, end - from);
        const std::size_t space = std::min(frame.find(' '), frame.size());
        const std::string locals = frame.substr(std::min(space + 1, frame.size()));
        out.rows.push_back({frame.substr(0, space), locals, locals, false, {}});
        from = end + 2;
    }
    return out;
}

std::uint32_t switch_at(const TraceIndex& index, std::size_t playhead) {
    const auto switches = index.switches();
    const auto it = std::lower_bound(switches.begin(), switches.end(), playhead);
    return it == switches.begin() ? kNone : *(it - 1);
}

}  // namespace

std::optional<std::uint64_t> bytes_below_top(std::string_view value) noexcept {
    constexpr std::string_view kTop = "top";
    if (!value.starts_with(kTop)) return std::nullopt;
    value.remove_prefix(kTop.size());
    if (value.empty()) return 0;
    if (!value.starts_with("-0x")) return std::nullopt;
    value.remove_prefix(3);
    std::uint64_t bytes = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), bytes, 16);
    if (error != std::errc() || end != value.data() + value.size()) return std::nullopt;
    return bytes;
}

std::string bytes_in_words(std::uint64_t bytes, Language language) {
    if (bytes < 1024) return say(language, "{0} {0:byte|bytes}", bytes);
    constexpr std::array kUnits{"KiB", "MiB", "GiB"};
    double value = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    while (value >= 1024 && unit + 1 < kUnits.size()) {
        value /= 1024;
        ++unit;
    }
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), value >= 1000 ? "%.0f %s" : "%.3g %s", value, kUnits[unit]);
    return text.data();
}

Registers layout_registers(const trace::Replay& replay, const TraceIndex& index, std::size_t playhead,
                           Language language, std::uint32_t chosen) {
    const trace::Trace& trace = replay.trace();
    Registers out;
    out.event = switch_at(index, playhead);
    if (out.event == kNone) {
        out.message = say(language, "No switch yet. Step forward to the first one.");
        return out;
    }
    const trace::Event& event = trace[out.event];
    out.saved = side(replay, index, event.co, trace.saved(out.event), out.event);
    out.loaded = side(replay, index, event.other, trace.loaded(out.event), out.event);
    out.saved.name = trace.name(event.co);
    out.loaded.name = trace.name(event.other);
    out.saved.title = say(language, "saved of {0}", trace.name(event.co));
    out.loaded.title = say(language, "loaded into {0}", trace.name(event.other));
    if (has_frames(replay, event.co)) out.saved = frames_of(replay, event.co, language);
    if (has_frames(replay, event.other)) out.loaded = frames_of(replay, event.other, language);
    if (has_frames(replay, chosen) && chosen != event.other) out.saved = frames_of(replay, chosen, language);
    if (out.saved.rows.empty() && out.loaded.rows.empty())
        out.message = say(language, "The switch at event {0} recorded no registers.", out.event + 1);
    return out;
}

}  // namespace fiberscope::viewer
