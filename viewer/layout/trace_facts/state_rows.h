// The words of the state panel: what runs, what waits for what, and why each coroutine is where it is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "languages/say.h"
#include "traces/words/words.h"
#include "viewer/layout/base/geometry.h"
#include "viewer/layout/base/index.h"

namespace fiberscope::viewer {

/// One row of the spawn tree at the playhead.
struct StateRow {
    std::uint32_t co = 0;
    std::uint32_t depth = 0;
    bool exists = false;  ///< spawned at or before the playhead
    trace::State state = trace::State::new_;
    trace::Idle idle = trace::Idle::none;  ///< how the machine is idle on which it runs
    std::string name;
    std::string
        why;  ///< why it is not running; where it runs, if it does; begins with the lab's own word for the state
    std::string brief;  ///< the same in a few words
};
/// Row `n` of index.tree().
StateRow state_row(const trace::Replay& replay, const TraceIndex& index, std::size_t n,
                   Language language = Language::english);
/// The same, from places that are known: for many rows.
StateRow state_row(const trace::Replay& replay, const TraceIndex& index, const trace::Places& places, std::size_t n,
                   Language language = Language::english);

/// One box of a caller stack.
struct StackBox {
    std::uint32_t co = trace::kNone;  ///< kNone for the box that stands for `left_out` others
    trace::State state = trace::State::running;
    std::string name;
    std::size_t left_out = 0;
    trace::Idle idle = trace::Idle::none;  ///< how the machine is idle on which it runs
};
/// The caller stack of a machine: what runs first, its thread last.
struct CallerStack {
    std::uint32_t machine = 0;
    std::vector<StackBox> boxes;
};
/// The stack of machine m with at most `most` boxes (at least 3): of a deeper one the middle is left out, in words.
CallerStack caller_stack(const trace::Replay& replay, const TraceIndex& index, std::uint32_t m, std::size_t most,
                         Language language = Language::english);

/// A member of a set, as a word with its state.
struct SetMember {
    std::uint32_t co = trace::kNone;  ///< kNone: a timer
    trace::State state = trace::State::new_;
    std::string name;
};
/// A set at the playhead: what is in it now.
struct SetRow {
    std::string name;
    std::string words;               ///< "3 that can be used again"
    std::vector<SetMember> members;  ///< the first ones, in the order of the set
    std::size_t left_out = 0;        ///< how many more there are
};
/// The sets that are declared at the playhead, the first `most_sets` of them, each with `most_members` at most.
std::vector<SetRow> set_rows(const trace::Replay& replay, std::size_t most_sets, std::size_t most_members,
                             Language language = Language::english);

/// The state panel shows so many sets and locks.
inline constexpr std::uint32_t kMostSets = 3, kMostLocks = 3;
/// The heights of what the state panel shows, in em: a box of a caller stack, a heading, a row of the tree, a set, a
/// line of words.
inline constexpr float kStackBox = 1.65F, kStateHeading = 1.4F, kStateRow = 1.3F, kSetRow = 2.75F, kBriefLine = 1.25F;
/// "ready: 4, sleeping: 7": where the sets themselves are drawn elsewhere.
/// Of more than `most` sets the first ones, and how many more there are.
std::string sets_in_short(const trace::Replay& replay, Language language = Language::english,
                          std::size_t most = SIZE_MAX);
/// The same, with as many of them named as stand in `lines` of `width`.
std::string sets_that_fit(const trace::Replay& replay, const Metrics& metrics, float width, std::size_t lines);

/// The room for the sets at the bottom of the state panel, pixels, in short or with members; 0 if the trace has none.
float sets_height(const TraceIndex& index, float em, bool brief) noexcept;
/// The room for the locks above them.
float locks_height(const TraceIndex& index, float em) noexcept;
/// The height at which the state panel shows every coroutine and a caller stack of three.
float wanted_states_height(const TraceIndex& index, float em, bool brief) noexcept;

}  // namespace fiberscope::viewer
