// Working and idling.
#pragma once

#include <cstdint>

namespace fiberscope::kit {

/// Idles until `t` (ns): virtual time jumps there; under the monotonic clock the thread sleeps. Returns at once if `t`
/// has passed; on one of several machines (machines.h) also when the machine is unparked.
void idle_until(std::uint64_t t);

/// Works for `ns`: virtual time advances; under the monotonic clock the processor is kept busy.
void work(std::uint64_t ns);

}  // namespace fiberscope::kit
