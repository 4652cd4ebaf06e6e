// What several events mean together: a rotation of a red-black tree, a sift of a heap, named as in a textbook (T. H.
// Cormen and others, "Introduction to Algorithms", chapters 6 and 13).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "languages/say.h"
#include "traces/read/trace.h"

namespace fiberscope::trace {

/// `at` goes down and its child `up` takes its place. A right rotation is the mirror image of a left one.
struct Rotation {
    bool left = true;
    std::uint32_t at = kNone, up = kNone;
    std::uint32_t inner = kNone;      ///< what was a child of `up` and becomes one of `at`; kNone if there is none
    std::uint32_t above = kNone;      ///< the parent of both; kNone if it is at the root
    std::size_t first = 0, last = 0;  ///< the events that write its first link and its last
    std::optional<Kind> operation;    ///< `insert` or `remove`; nothing if the trace ends before
    /// Of an insert 2 (the new one is an inner child) or 3; of a remove 1 (a red sibling), 3 (its inner child is red)
    /// or 4; 0 if the operation is not known. The other cases only change colours.
    unsigned number = 0;
};
/// All rotations of the operation on a tree to which event n belongs, in their order; none if n is no `link`. Found by
/// the order in which Boost.Intrusive writes: the two inner links, the two between `at` and `up`, the two above. It
/// leaves the last two out in case 2 of an insert, because case 3 follows and writes them.
std::vector<Rotation> rotations_around(const Trace& trace, std::size_t n);
/// The one to which event n belongs.
std::optional<Rotation> rotation_at(const Trace& trace, std::size_t n);
/// "left-rotate at hog 2, case 3 of insert".
std::string rotation_in_words(const Trace& trace, const Rotation& rotation, Language language = Language::english);

/// An item goes to its place in a heap: one after the other, those on its way take the place before it.
struct Sift {
    bool up = true;
    std::uint32_t co = kNone, timer = kNone;  ///< the item
};
/// The one to which event n, a `move`, belongs; nothing if the places are not those of a heap with a hole.
std::optional<Sift> sift_at(const Trace& trace, std::size_t n);

/// "left-rotate at hog 2, case 3 of insert", "sift-up of timer 5"; empty if event n belongs to none of these.
std::string step_in_words(const Trace& trace, std::size_t n, Language language = Language::english);

}  // namespace fiberscope::trace
