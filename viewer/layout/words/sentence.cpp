#include "viewer/layout/words/sentence.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "traces/read/printable.h"
#include "traces/words/chosen.h"
#include "traces/words/words.h"

namespace fiberscope::viewer {

std::string exact_time(std::uint64_t ns) {
    std::array<char, 48> text{};
    struct Unit {
        unsigned long long ns;
        int digits;
        const char* name;
    };
    constexpr std::array kUnits{Unit{1000000000, 9, "s"}, Unit{1000000, 6, "ms"}, Unit{1000, 3, "µs"}};
    for (const Unit& unit : kUnits) {
        if (ns < unit.ns) continue;
        std::snprintf(text.data(), text.size(), "%llu.%0*llu %s", ns / unit.ns, unit.digits, ns % unit.ns, unit.name);
        return text.data();
    }
    std::snprintf(text.data(), text.size(), "%llu ns", static_cast<unsigned long long>(ns));
    return text.data();
}

std::string title_line(const trace::Trace& trace) {
    const std::string file = trace.file.filename().string();
    std::string line;
    for (const std::string& part : {trace.head.lab, trace.head.program, trace.head.strategy, file})
        if (!part.empty()) line += (line.empty() ? "" : "  ·  ") + trace::printable(part);
    return line;
}

std::string links_in_words(const trace::Trace& trace, std::size_t first, std::size_t count) {
    return "in " + trace::printable(trace.set_name(trace[first].set)) + ": " +
           trace::grouped(static_cast<std::int64_t>(count)) + " links are written";
}

EventRow event_row(const trace::Trace& trace, std::size_t n) {
    const trace::Event& event = trace[n];
    return {std::to_string(n + 1), exact_time(event.t), std::string(trace::word(event.kind)), trace::describe(trace, n),
            event.m};
}

Sentence sentence_at(const trace::Replay& replay, const TraceIndex& index, const Selection& selection) {
    const trace::Trace& trace = replay.trace();
    Sentence out;
    const std::size_t playhead = selection.playhead;
    const std::string of = " of " + std::to_string(trace.size());
    if (playhead == 0) {
        out.where = "before the first" + of + " events";
        out.happened = trace.size() == 0 ? "This trace has no events" : "Nothing has happened yet";
    } else {
        out.where = "event " + std::to_string(playhead) + of + "  ·  " + exact_time(trace[playhead - 1].t);
        out.happened = trace::describe(trace, playhead - 1);
        const auto end = static_cast<double>(index.duration());
        if (selection.moment && playhead == trace.size() && *selection.moment > end)
            out.where += "  ·  ended " + trace::in_words(static_cast<std::uint64_t>(*selection.moment - end)) + " ago";
    }
    const auto switches = index.switches();
    const auto next = std::lower_bound(switches.begin(), switches.end(), playhead);
    if (next != switches.begin()) out.why = "Why it runs: " + trace::why_chosen(replay, *(next - 1)) + ".";
    const std::uint32_t co = selection.chosen;
    if (co >= replay.coroutines())
        out.chosen = "Click a lane or a row to follow a coroutine.";
    else if (!replay.coroutine(co).exists)
        out.chosen = trace.name(co) + " is not spawned yet";
    else if (idle_now(replay, index, co) != trace::Idle::none)
        out.chosen = trace.name(co) + " " +
                     trace::why_idle(replay, replay.coroutine(co).machine,
                                     *index.idle().at(replay.coroutine(co).machine, replay.at()));
    else
        out.chosen = trace.name(co) + " " + trace::why_not_running(replay, co);
    return out;
}

}  // namespace fiberscope::viewer
