// Between two layouts of the sets: each member is on its way from where it was drawn to where it stands now, as in a
// textbook. No clock and no screen: who draws says how far it is.
#pragma once

#include "viewer/layout/sets/sets.h"

namespace fiberscope::viewer {

/// `to`, but each member that was drawn in `from` has gone only the part `done` of its way, from 0 to 1. It is the same
/// member in whatever set: a task that is woken comes out of the tree in which it waited. Members keep the size and the
/// words that they have in `to`, the links of a tree go with its nodes, and the hand of a wheel turns. What was not
/// drawn in `from` stands where it belongs.
Sets between(const Sets& from, const Sets& to, float done);

/// Whether a member that is drawn in both stands elsewhere in `to`, or a hand points elsewhere.
bool moves(const Sets& from, const Sets& to);

}  // namespace fiberscope::viewer
