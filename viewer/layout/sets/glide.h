// Animation between two layouts of the sets: members move from their old to their new positions. Independent of clock
// and screen: the caller passes the progress.
#pragma once

#include "viewer/layout/sets/sets.h"

namespace fiberscope::viewer {

/// Returns `to` with each member that was drawn in `from` moved back along its way, by the progress `done` from 0 to 1.
/// Members are identified across sets: a woken task moves out of the tree in which it waited. Members have the size and
/// text of `to`, tree links follow their nodes, and wheel hands turn. Members not drawn in `from` are at their final
/// position.
Sets between(const Sets& from, const Sets& to, float done);

/// Whether any member drawn in both has another position in `to`, or any hand another direction.
bool moves(const Sets& from, const Sets& to);

}  // namespace fiberscope::viewer
