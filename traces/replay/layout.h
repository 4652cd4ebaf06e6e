// The layout of the traced program's state in the cells of a replay. Every cell holds a number, or kNone.
#pragma once

#include <utility>
#include <vector>

#include "traces/replay/cells.h"
#include "traces/replay/replay.h"
#include "traces/schema/named.h"

namespace fiberscope::trace {

/// The cells of a coroutine. Texts and times are represented by the event that has them.
namespace co_cell {
enum : std::uint32_t {
    spawn_event,
    state,
    state_event,
    last_switch,
    switches_in,
    caller,
    machine,
    stack,
    last_copy,
    frames,
    count
};
}
/// The cells of a shared stack. A sum of bytes takes two cells, the lower half first.
namespace stack_cell {
enum : std::uint32_t {
    owner,
    last_copy,
    copies_out,
    bytes_out,
    bytes_out_high,
    copies_in,
    bytes_in,
    bytes_in_high,
    count
};
}
/// The cells of a set.
namespace set_cell {
enum : std::uint32_t { declaration, head, tail, root, hand_event, given_event, count };
}
/// The cells of a member of a set; members are a doubly linked list in the order of the set.
namespace member_cell {
enum : std::uint32_t { insert_event, at_event, previous, next, count };
}
/// The cells of a node of a tree.
namespace node_cell {
enum : std::uint32_t { left, right, parent, color, count };
}

struct ReplayLayout {
    Cells::Address coroutines = 0, machines = 0, stacks = 0, sets = 0;
    std::vector<std::uint32_t> declared;      ///< sets, in the order of their declarations
    std::vector<std::uint32_t> place_of_set;  ///< its index in `declared`, or kNone
    Cells::Address declared_count = 0;        ///< the number of them that are declared at the playhead
    /// For each set the nodes that its tree ever has (coroutine or timer), and the address of their cells.
    std::vector<std::vector<std::pair<std::uint32_t, Cells::Address>>> nodes;

    Cells::Address coroutine(std::uint32_t co) const noexcept { return coroutines + co * co_cell::count; }
    Cells::Address stack(std::uint32_t index) const noexcept { return stacks + index * stack_cell::count; }
    Cells::Address set(std::uint32_t index) const noexcept { return sets + index * set_cell::count; }
};

/// Data that does not depend on the playhead.
struct ReplayIndex {
    std::vector<std::uint32_t> stretches;     ///< the events that begin a stretch, grouped by coroutine
    std::vector<std::size_t> stretch_begins;  ///< by coroutine; one more at the end
    std::uint64_t end = 0;                    ///< the latest time, ns
    std::vector<std::uint32_t> events;        ///< indices of the events that name a coroutine, grouped by coroutine
    std::vector<std::size_t> event_begins;
};

}  // namespace fiberscope::trace
