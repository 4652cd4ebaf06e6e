// The cost of a lock under the virtual clock, so that machines contend for it as on real processors. Without a cost a
// lock takes no virtual time, and no machine ever waits for one.
#pragma once

#include <cstdint>

namespace fiberscope::kit {

class Machines;

/// Sets the time, ns, for which a machine holds each Lock under the virtual clock and without an explorer. Machines
/// that want the lock meanwhile wait until it is free, in order of arrival, and record that in the trace. At each lock
/// the machine furthest behind goes first. The default of 0 disables this. Called before any machine begins.
void choose_lock_cost(std::uint64_t ns) noexcept;
std::uint64_t lock_cost() noexcept;

/// The machines that the calling thread belongs to, if locks have a cost; otherwise null.
Machines* costed_machines() noexcept;

}  // namespace fiberscope::kit
