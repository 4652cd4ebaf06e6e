// Several documents under one playhead and on one time axis. Locked by time, all are at one moment, and a step is the
// next event of whichever of them has it first; locked by event number, all are at the same number, and a step is the
// next event of each.
#pragma once

#include "viewer/model/lock.h"

namespace fiberscope::viewer {

/// Puts all at the time, or the number, of `leader` and on the longest time axis.
void begin_side_by_side(const Documents& documents, const Document& leader, Lock lock);
/// Changes the lock; all go to where `leader` is.
void lock_by(const Documents& documents, const Document& leader, Lock lock);
/// Each document is by itself again, where it is.
void end_side_by_side(const Documents& documents);

/// Carries out `action` on all; what is about one of them (choosing, zooming, speed) is done to `leader`, one of
/// `documents`, and the others follow.
void apply_side_by_side(Action action, const Documents& documents, Document& leader, Lock lock);
/// Plays all for `seconds` at the speed of `leader`, as long as it plays.
void advance_side_by_side(double seconds, const Documents& documents, Document& leader, Lock lock);

/// The others follow what was done to `leader` with the mouse; `before` is its selection before that.
void follow(const Documents& documents, Document& leader, const Selection& before, Lock lock);

/// One event forward or back; false at the end, or the start, of all.
bool step_forward(const Documents& documents, Document& leader, Lock lock);
bool step_back(const Documents& documents, Document& leader, Lock lock);

}  // namespace fiberscope::viewer
