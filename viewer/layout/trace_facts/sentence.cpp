#include "viewer/layout/trace_facts/sentence.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "traces/read/printable.h"
#include "traces/words/chosen.h"
#include "traces/words/names.h"
#include "traces/words/steps.h"
#include "traces/words/words.h"
#include "viewer/layout/trace_facts/mechanism.h"

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
    for (const trace::Foreign part :
         {trace::Foreign(trace.head.lab), trace::Foreign(trace.head.program), trace::Foreign(trace.head.workload),
          trace::Foreign(trace.head.strategy), trace::Foreign(file)})
        if (!part.empty()) line += (line.empty() ? "" : "  ·  ") + trace::printable(part);
    return line;
}

std::string links_in_words(const trace::Trace& trace, std::size_t first, std::size_t count, Language language) {
    std::string words =
        say(language, "in {0}: {1} links are written", trace::set_in(trace.set_name(trace[first].set), language),
            trace::grouped(static_cast<std::int64_t>(count)));
    for (const trace::Rotation& rotation : trace::rotations_around(trace, first))
        if (rotation.first >= first && rotation.last < first + count)
            words += say(language, "; {0}", trace::rotation_in_words(trace, rotation, language));
    return words;
}

EventRow event_row(const trace::Trace& trace, std::size_t n, Language language) {
    const trace::Event& event = trace[n];
    return {std::to_string(n + 1), exact_time(event.t), std::string(trace::word(event.kind)),
            trace::describe(trace, n, language), event.m};
}

namespace {

void say_where(const trace::Replay& replay, const TraceIndex& index, const Selection& selection, Language language,
               Sentence& out) {
    const trace::Trace& trace = replay.trace();
    const std::size_t playhead = selection.playhead;
    if (playhead == 0) {
        out.where = out.where_short = say(language, "before the first of {0} events", trace.size());
        out.happened =
            say(language, trace.size() == 0 ? mark("This trace has no events") : mark("Nothing has happened yet"));
        return;
    }
    out.where_short = say(language, "event {0}", playhead);
    out.where = say(language, "event {0} of {1}", playhead, trace.size()) + "  ·  " + exact_time(trace[playhead - 1].t);
    out.happened = trace::describe(trace, playhead - 1, language);
    const auto end = static_cast<double>(index.duration());
    if (selection.moment && playhead == trace.size() && *selection.moment > end)
        for (std::string* where : {&out.where, &out.where_short})
            *where += "  ·  " + say(language, "ended {0} ago",
                                    trace::in_words(static_cast<std::uint64_t>(*selection.moment - end)));
}

/// Describes what the chosen coroutine does.
std::string doing_of_chosen(const trace::Replay& replay, const TraceIndex& index, std::uint32_t co, Language language) {
    const trace::CoroutineNow& now = replay.coroutine(co);
    const std::string name = replay.trace().name(co);
    if (!now.exists) return say(language, "{0} is not spawned yet", name);
    if (idle_now(replay, index, co) == trace::Idle::none)
        return say(language, "{0} {1}", name, trace::why_not_running(replay, co, language));
    const trace::IdleSpan& span = *index.idle().at(now.machine, replay.at());
    return say(language, "{0} {1}", name, trace::why_idle(replay, now.machine, span, language));
}

}  // namespace

Sentence sentence_at(const trace::Replay& replay, const TraceIndex& index, const Selection& selection,
                     Language language) {
    Sentence out;
    say_where(replay, index, selection, language, out);
    if (const auto chose = switch_before(replay.trace(), index.switches(), selection.playhead))
        out.why = say(language, "Why it runs: {0}.", trace::why_chosen(replay, *chose, language));
    out.chosen = selection.chosen >= replay.coroutines()
                     ? say(language, "Choose a lane or a row to follow a coroutine.")
                     : doing_of_chosen(replay, index, selection.chosen, language);
    return out;
}

std::string copied_sentences(const trace::Replay& replay, const TraceIndex& index, const Selection& selection,
                             Language language) {
    const Sentence words = sentence_at(replay, index, selection, language);
    const std::string stop = say(language, ".");
    std::string text = title_line(replay.trace()) + "\n" + words.where + say(language, ": {0}", words.happened) + stop +
                       "\n" + words.why;
    if (selection.chosen != trace::kNone) text += "\n" + words.chosen + stop;
    return text;
}

}  // namespace fiberscope::viewer
