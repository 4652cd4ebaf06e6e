// Schedules for the tests of step 3.3.
#pragma once

#include <cstddef>
#include <string_view>

#include "labs/03_shared_stack/schedule.h"
#include "labs/03_shared_stack/tests/support.h"

namespace fiberscope::lab03::testing {

inline void yield_for_ever(Schedule& schedule) {
    for (;;) schedule.yield();
}

/// Lives until the process ends: closing has its own test.
inline Schedule& forever(std::string_view backend) { return made_for_ever<Schedule>(backend, std::size_t{256} * 1024); }

}  // namespace fiberscope::lab03::testing
