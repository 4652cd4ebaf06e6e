// The words of the state panel: who runs, who waits for whom, and why each coroutine is where it is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "viewer/layout/index.h"

namespace fiberscope::viewer {

/// One row of the spawn tree at the playhead.
struct StateRow {
    std::uint32_t co = 0;
    std::uint32_t depth = 0;
    bool exists = false;  ///< spawned at or before the playhead
    trace::State state = trace::State::new_;
    std::string name;
    std::string why;  ///< why it is not running; where it runs, if it does
};
/// Row `n` of index.tree().
StateRow state_row(const trace::Replay& replay, const TraceIndex& index, std::size_t n);

/// One box of a caller stack.
struct StackBox {
    std::uint32_t co = trace::kNone;  ///< kNone for the box that stands for `left_out` others
    trace::State state = trace::State::running;
    std::string name;
    std::size_t left_out = 0;
};
/// The caller stack of a machine: who runs first, its thread last.
struct CallerStack {
    std::uint32_t machine = 0;
    std::vector<StackBox> boxes;
};
/// The stack of machine m with at most `most` boxes (at least 3): of a deeper one the middle is left out, in words.
CallerStack caller_stack(const trace::Replay& replay, std::uint32_t m, std::size_t most);

/// How many coroutines are in each state at the playhead, in the order of the enumerators of State.
std::vector<std::size_t> count_states(const trace::Replay& replay);

}  // namespace fiberscope::viewer
