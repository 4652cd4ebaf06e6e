// Several documents with a common playhead and time axis. When locked by time, all are at the same time, and a step is
// the next event in any of them; when locked by event number, all are at the same number, and a step is the next event
// in each.
#pragma once

#include "viewer/model/lock.h"

namespace fiberscope::viewer {

/// Moves all to the time or number of `leader` and shows the longest time axis.
void begin_side_by_side(const Documents& documents, const Document& leader, Lock lock);
/// Changes the lock; moves all to the position of `leader`.
void lock_by(const Documents& documents, const Document& leader, Lock lock);
/// Ends the synchronization; each document keeps its position.
void end_side_by_side(const Documents& documents);

/// Applies `action` to all. Actions on one document (choosing, zooming, speed) are applied to `leader`, one of
/// `documents`, and the others follow.
void apply_side_by_side(Action action, const Documents& documents, Document& leader, Lock lock);
/// Plays all for `seconds` at the speed of `leader`, while it plays.
void advance_side_by_side(double seconds, const Documents& documents, Document& leader, Lock lock);

/// Makes the others follow a mouse operation on `leader`; `before` is its selection before that.
void follow(const Documents& documents, Document& leader, const Selection& before, Lock lock);

/// One event forward or back; returns false at the end, or the start, of all.
bool step_forward(const Documents& documents, Document& leader, Lock lock);
bool step_back(const Documents& documents, Document& leader, Lock lock);

}  // namespace fiberscope::viewer
