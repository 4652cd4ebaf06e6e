// Synchronization of documents shown side by side.
#pragma once

#include <cstdint>
#include <vector>

#include "languages/say.h"
#include "viewer/model/document.h"

namespace fiberscope::viewer {

/// Readable documents, in display order.
using Documents = std::vector<Document*>;

enum class Lock : std::uint8_t {
    time,   ///< all at one time
    number  ///< all at one event number
};
inline constexpr std::size_t kLocks = 2;
/// "time", "event number".
Text lock_word(Lock lock) noexcept;

/// Whether the playheads satisfy `lock`. They do not after go_to_places(), until one of them moves.
bool lock_holds(const Documents& documents, const Document& leader, Lock lock);

/// Moves all to the leader's position.
void go_to_leader(const Documents& documents, const Document& leader, Lock lock);
/// Moves each document to its own playhead, ignoring the lock; the visible range follows the leader.
void go_to_places(const Documents& documents, const Document& leader, const std::vector<std::size_t>& playheads);
/// Moves all to their ends or beginnings.
void go_to_ends(const Documents& documents, const Document& leader, bool end, Lock lock);
/// Moves all except `leader` to time `moment`, ns; to their beginnings if the leader is at its beginning at time 0.
void go_to_time(const Documents& documents, const Document& leader, double moment);
/// Moves all to event `number`, or their end; the visible range follows the leader.
void go_to_number(const Documents& documents, const Document& leader, std::size_t number);
/// The largest event number: the common one of all documents that have not ended.
std::size_t number_of(const Documents& documents);
/// Moves all to `moment`, ns, and the visible range to contain it.
void set_moment(const Documents& documents, double moment);

/// The time at the playhead, ns.
double time_of(const Document& document);
/// The duration of the longest trace, ns.
std::uint64_t longest(const Documents& documents);
/// The coroutine of the same name and kind as `co` of `from`; kNone if there is none.
std::uint32_t namesake(const Document& from, std::uint32_t co, const Document& in);

}  // namespace fiberscope::viewer
