#include "viewer/layout/trace_facts/copied.h"

#include "traces/read/printable.h"
#include "traces/words/translated.h"
#include "traces/words/words.h"
#include "viewer/layout/trace_facts/members.h"
#include "viewer/layout/trace_facts/sentence.h"
#include "viewer/layout/trace_facts/state_rows.h"

namespace fiberscope::viewer {

std::string copied_sentences(const trace::Replay& replay, const TraceIndex& index, const Selection& selection,
                             Language language) {
    const Sentence words = sentence_at(replay, index, selection, language);
    const std::string stop = say(language, ".");
    std::string text = title_line(replay.trace()) + "\n" + words.where + say(language, ": {0}", words.happened) + stop +
                       "\n" + words.why;
    if (selection.chosen != trace::kNone) text += "\n" + words.chosen + stop;
    return text;
}

std::string copied_row(const trace::Trace& trace, const Selection& selection, Language language) {
    if (selection.playhead == 0) return {};
    const EventRow row = event_row(trace, selection.playhead - 1, language);
    return row.number + "\t" + row.time + "\t" + std::to_string(row.machine) + "\t" + row.kind + "\t" + row.text + "\n";
}

std::string copied_state(const trace::Replay& replay, const TraceIndex& index, const Selection& selection,
                         Language language) {
    const trace::Trace& trace = replay.trace();
    const Sentence words = sentence_at(replay, index, selection, language);
    const std::string stop = say(language, ".");
    std::string text = title_line(trace) + "\n" + words.where + say(language, ": {0}", words.happened) + stop + "\n";
    for (std::uint32_t m = 0; m < index.machines(); ++m) {
        const std::uint32_t co = replay.running(m);
        text += say(language, "machine {0}", m) + "\t" +
                (co == trace::kNone ? say(language, "not started") : trace::printable(trace.name(co))) + "\n";
    }
    const trace::Places places(replay);
    for (std::size_t n = 0; n < index.tree().size(); ++n) {
        const StateRow row = state_row(replay, index, places, n, language);
        if (!row.exists) continue;
        text +=
            trace::printable(row.name) + "\t" + trace::state_name(trace, row.state, language) + "\t" + row.why + "\n";
    }
    for (const trace::SetNow& set : replay.sets()) {
        text +=
            trace::set_in(trace::printable(trace.text(set.name)), language) + "\t" + std::to_string(set.members.size());
        for (const trace::Member& member : set.members)
            text += "\t" + trace::printable(item_name(trace, member.co, member.timer, language));
        text += "\n";
    }
    return text;
}

}  // namespace fiberscope::viewer
