// What takes time: work, and having nothing to do.
#pragma once

#include <cstdint>

namespace fiberscope::kit {

/// There is nothing to do until the clock says `t` (ns): virtual time jumps there; under the monotonic clock the thread
/// sleeps. Returns at once if it is later already; on one of several machines (machines.h) also when it is unparked.
void idle_until(std::uint64_t t);

/// The running coroutine works for `ns`: virtual time moves on; under the monotonic clock the processor is kept busy.
void work(std::uint64_t ns);

}  // namespace fiberscope::kit
