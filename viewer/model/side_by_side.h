// Several documents under one playhead and on one time axis. Locked by time, all are at one moment, and a step is the
// next event of whichever of them has it first; locked by event number, all are at the same number, and a step is the
// next event of each.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "traces/words/texts/say.h"
#include "viewer/model/document.h"

namespace fiberscope::viewer {

/// Readable documents, in the order in which they stand.
using Documents = std::vector<Document*>;

enum class Lock : std::uint8_t {
    time,    ///< all at one moment
    number,  ///< all at one event number
    part,    ///< all at the same part of their own whole time
    turn     ///< all at the k-th switch to the coroutine of one name
};
inline constexpr std::size_t kLocks = 4;
/// "time", "event number", "part of the run", "k-th turn".
OfferedText lock_word(Lock lock) noexcept;

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

/// Puts each document at its own playhead, whatever the lock; the leader's time axis shows its place.
void go_to_places(const Documents& documents, const Document& leader, const std::vector<std::size_t>& playheads);

/// One event forward or back; false at the end, or the start, of all.
bool step_forward(const Documents& documents, Document& leader, Lock lock);
bool step_back(const Documents& documents, Document& leader, Lock lock);

}  // namespace fiberscope::viewer
