// The texts of the state panel: running coroutines, waiters, and the reason for each coroutine's state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "languages/say.h"
#include "traces/words/words.h"
#include "viewer/layout/base/geometry.h"
#include "viewer/layout/base/index.h"

namespace fiberscope::viewer {

/// A row of the spawn tree at the playhead.
struct StateRow {
    std::uint32_t co = 0;
    std::uint32_t depth = 0;
    bool exists = false;  ///< spawned at or before the playhead
    trace::State state = trace::State::new_;
    trace::Idle idle = trace::Idle::none;  ///< how the machine that runs it is idle
    std::string name;
    std::string why;    ///< why it is not running, or where it runs; begins with the lab's own word for the state
    std::string brief;  ///< the same, shortened
};
/// Row `n` of index.tree().
StateRow state_row(const trace::Replay& replay, const TraceIndex& index, std::size_t n,
                   Language language = Language::english);
/// The same with precomputed places, for many rows.
StateRow state_row(const trace::Replay& replay, const TraceIndex& index, const trace::Places& places, std::size_t n,
                   Language language = Language::english);

/// A box of a caller stack.
struct StackBox {
    std::uint32_t co = trace::kNone;  ///< kNone for the box that represents `left_out` others
    trace::State state = trace::State::running;
    std::string name;
    std::size_t left_out = 0;
    trace::Idle idle = trace::Idle::none;  ///< how the machine that runs it is idle
};
/// The caller stack of a machine: the running coroutine first, the thread last.
struct CallerStack {
    std::uint32_t machine = 0;
    std::vector<StackBox> boxes;
};
/// The stack of machine m with at most `most` boxes (at least 3); the middle of a deeper one is omitted and described.
CallerStack caller_stack(const trace::Replay& replay, const TraceIndex& index, std::uint32_t m, std::size_t most,
                         Language language = Language::english);

/// A member of a set, with its state.
struct SetMember {
    std::uint32_t co = trace::kNone;  ///< kNone: a timer
    trace::State state = trace::State::new_;
    std::string name;
};
/// A set and its members at the playhead.
struct SetRow {
    std::string name;
    std::string words;               ///< "3 that can be used again"
    std::vector<SetMember> members;  ///< the first ones, in the order of the set
    std::size_t left_out = 0;        ///< number of the others
};
/// The first `most_sets` sets declared at the playhead, with at most `most_members` members each.
std::vector<SetRow> set_rows(const trace::Replay& replay, std::size_t most_sets, std::size_t most_members,
                             Language language = Language::english);

/// Maximum number of sets and locks in the state panel.
inline constexpr std::uint32_t kMostSets = 3, kMostLocks = 3;
/// Heights in the state panel, em: a box of a caller stack, a heading, a row of the tree, a set, a line of text.
inline constexpr float kStackBox = 1.65F, kStateHeading = 1.4F, kStateRow = 1.3F, kSetRow = 2.75F, kBriefLine = 1.25F;
/// "ready: 4, sleeping: 7": used where the sets are drawn elsewhere. At most `most` sets are named, others are counted.
std::string sets_in_short(const trace::Replay& replay, Language language = Language::english,
                          std::size_t most = SIZE_MAX);
/// The same, naming as many as fit into `lines` of `width`.
std::string sets_that_fit(const trace::Replay& replay, const Metrics& metrics, float width, std::size_t lines);

/// Height of the sets at the bottom of the state panel, pixels, in short form or with members; 0 if the trace has none.
float sets_height(const TraceIndex& index, float em, bool brief) noexcept;
/// Height of the locks above them.
float locks_height(const TraceIndex& index, float em) noexcept;
/// Height at which the state panel shows every coroutine and a caller stack of three.
float wanted_states_height(const TraceIndex& index, float em, bool brief) noexcept;

}  // namespace fiberscope::viewer
