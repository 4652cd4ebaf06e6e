// Several documents under one playhead: one time, one time axis. Stepping takes the next event of whichever of them has
// it first.
#pragma once

#include <vector>

#include "viewer/document.h"

namespace fiberscope::viewer {

/// Readable documents, in the order in which they stand.
using Documents = std::vector<Document*>;

/// Puts all at the time of `leader` and on the longest time axis.
void begin_side_by_side(const Documents& documents, const Document& leader);
/// Each document is by itself again, where it is.
void end_side_by_side(const Documents& documents);

/// Carries out `action` on all; what is about one of them (choosing, zooming, speed) is done to `leader`, one of
/// `documents`, and the others follow.
void apply_side_by_side(Action action, const Documents& documents, Document& leader);
/// Plays all for `seconds` at the speed of `leader`, as long as it plays.
void advance_side_by_side(double seconds, const Documents& documents, Document& leader);

/// The others follow what was done to `leader` with the mouse; `before` is its selection before that.
void follow(const Documents& documents, Document& leader, const Selection& before);

/// One event forward or back; false at the end, or the start, of all.
bool step_forward(const Documents& documents);
bool step_back(const Documents& documents);

}  // namespace fiberscope::viewer
