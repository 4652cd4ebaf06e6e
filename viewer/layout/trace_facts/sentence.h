// The texts at the top of the window: position of the playhead, the event there, and the activity of the chosen
// coroutine.
#pragma once

#include <string>

#include "languages/say.h"
#include "viewer/layout/base/index.h"
#include "viewer/layout/base/selection.h"

namespace fiberscope::viewer {

struct Sentence {
    std::string where;        ///< "event 151 of 300 · 412 µs"
    std::string where_short;  ///< "event 151"
    std::string happened;     ///< a sentence about the event at the playhead
    std::string why;          ///< why the last entered coroutine was chosen; empty before the first switch
    std::string chosen;       ///< a sentence about the chosen coroutine, or how to choose one
};
Sentence sentence_at(const trace::Replay& replay, const TraceIndex& index, const Selection& selection,
                     Language language = Language::english);

/// "lab  ·  program  ·  strategy  ·  file.json": makes screenshots self-explanatory.
std::string title_line(const trace::Trace& trace);

/// A row of the event list.
struct EventRow {
    std::string number, time, kind, text;
    std::uint16_t machine = 0;
};
/// "in sleeping: 17 links are written": several link writes as one row.
std::string links_in_words(const trace::Trace& trace, std::size_t first, std::size_t count,
                           Language language = Language::english);
EventRow event_row(const trace::Trace& trace, std::size_t n, Language language = Language::english);

/// A duration or time as text, exact to the nanosecond: two events 1 ns apart differ.
std::string exact_time(std::uint64_t ns);

/// For the clipboard: the title and the sentences at the playhead.
std::string copied_sentences(const trace::Replay& replay, const TraceIndex& index, const Selection& selection,
                             Language language = Language::english);

}  // namespace fiberscope::viewer
