// What is the same in several documents that stand side by side: where each is put, and whether it still holds.
#pragma once

#include <cstdint>
#include <vector>

#include "languages/say.h"
#include "viewer/model/document.h"

namespace fiberscope::viewer {

/// Readable documents, in the order in which they stand.
using Documents = std::vector<Document*>;

enum class Lock : std::uint8_t {
    time,   ///< all at one moment
    number  ///< all at one event number
};
inline constexpr std::size_t kLocks = 2;
/// "time", "event number".
Text lock_word(Lock lock) noexcept;

/// Whether the playheads are as `lock` has them. They are not after they were put elsewhere (go_to_places), until one
/// of them moves.
bool lock_holds(const Documents& documents, const Document& leader, Lock lock);

/// Puts all where the leader is.
void go_to_leader(const Documents& documents, const Document& leader, Lock lock);
/// Puts each document at its own playhead, whatever the lock; the leader's time axis shows its place.
void go_to_places(const Documents& documents, const Document& leader, const std::vector<std::size_t>& playheads);
/// All go to their ends, or to their beginnings.
void go_to_ends(const Documents& documents, const Document& leader, bool end, Lock lock);
/// All but `except` show what is there at `moment`, ns; null: all.
void go_to_time(const Documents& documents, const Document* except, double moment);
/// All show the state after `number` events, or their end; the time axis is where the leader is.
void go_to_number(const Documents& documents, const Document& leader, std::size_t number);
/// The largest event number: the one at which those are that have not ended.
std::size_t number_of(const Documents& documents);
/// All show `moment`, ns, and the time axis where it is.
void set_moment(const Documents& documents, double moment);

/// The time at the playhead, ns.
double time_of(const Document& document);
/// The duration of the longest trace, ns.
std::uint64_t longest(const Documents& documents);
/// The coroutine of the same name and kind as `co` of `from`; kNone if there is none.
std::uint32_t namesake(const Document& from, std::uint32_t co, const Document& in);

}  // namespace fiberscope::viewer
