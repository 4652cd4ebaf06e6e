// Recognition of operations that consist of several events: rotations of a red-black tree and sifts of a heap, named as
// in T. H. Cormen and others, "Introduction to Algorithms", chapters 6 and 13.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "languages/say.h"
#include "traces/read/trace.h"

namespace fiberscope::trace {

/// `at` moves down and its child `up` takes its place. A right rotation is the mirror image of a left one.
struct Rotation {
    bool left = true;
    std::uint32_t at = kNone, up = kNone;
    std::uint32_t inner = kNone;      ///< the child of `up` that becomes a child of `at`; kNone if there is none
    std::uint32_t above = kNone;      ///< the parent of both; kNone if it is at the root
    std::size_t first = 0, last = 0;  ///< the events that write its first link and its last
    std::optional<Kind> operation;    ///< `insert` or `remove`; empty if the trace ends before it
    /// For an insert 2 (the new node is an inner child) or 3; for a remove 1 (a red sibling), 3 (its inner child is
    /// red) or 4; 0 if the operation is unknown. The other cases only recolour.
    unsigned number = 0;
};
/// All rotations, in order, of the tree operation that event n belongs to; empty if n is not a `link`. Recognized by
/// the order in which Boost.Intrusive writes links: the two inner ones, the two between `at` and `up`, the two above.
/// It omits the last two in case 2 of an insert, because case 3 follows and writes them.
std::vector<Rotation> rotations_around(const Trace& trace, std::size_t n);
/// The rotation that event n belongs to.
std::optional<Rotation> rotation_at(const Trace& trace, std::size_t n);
/// "left-rotate at hog 2, case 3 of insert".
std::string rotation_in_words(const Trace& trace, const Rotation& rotation, Language language = Language::english);

/// An item moves to its place in a heap: each item on its path moves into the place before it.
struct Sift {
    bool up = true;
    std::uint32_t co = kNone, timer = kNone;  ///< the item
};
/// The sift that event n, a `move`, belongs to; empty if the places do not form a path with a hole.
std::optional<Sift> sift_at(const Trace& trace, std::size_t n);

/// "left-rotate at hog 2, case 3 of insert", "sift-up of timer 5"; empty if event n belongs to neither.
std::string step_in_words(const Trace& trace, std::size_t n, Language language = Language::english);

}  // namespace fiberscope::trace
