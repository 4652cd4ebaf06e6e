// What a lock costs under the virtual clock, so that machines that want the same one at the same time wait there, as
// they would on processors of their own. Elsewhere a lock takes no virtual time, and no machine ever waits for one.
#pragma once

#include <cstdint>

namespace fiberscope::kit {

class Machines;

/// From now on, under the virtual clock and without an explorer, a machine that releases a Lock has held it for `ns`
/// more. One that wants it meanwhile waits until it is free, in the order in which they came, and says so in the trace.
/// The machine that is furthest behind goes first at each lock. 0, as at the beginning: none of it. Before any machine
/// begins.
void choose_lock_cost(std::uint64_t ns) noexcept;
std::uint64_t lock_cost() noexcept;

/// The machines that this thread is one of, if they pay for locks; else null.
Machines* costed_machines() noexcept;

}  // namespace fiberscope::kit
