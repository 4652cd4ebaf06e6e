// What goes to the clipboard.
#pragma once

#include <string>

#include "languages/say.h"
#include "viewer/layout/base/index.h"
#include "viewer/layout/base/selection.h"

namespace fiberscope::viewer {

/// The title and the sentences at the playhead.
std::string copied_sentences(const trace::Replay& replay, const TraceIndex& index, const Selection& selection,
                             Language language = Language::english);
/// The row of the event list at the playhead: number, time, machine, kind and sentence between tabs.
std::string copied_row(const trace::Trace& trace, const Selection& selection, Language language = Language::english);
/// The state at the playhead: each machine with what runs on it, each coroutine with its state and why, each set with
/// its members; a line each.
std::string copied_state(const trace::Replay& replay, const TraceIndex& index, const Selection& selection,
                         Language language = Language::english);

}  // namespace fiberscope::viewer
