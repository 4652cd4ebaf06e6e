// The demo of step 4.15.
#pragma once

#include "labs/04_scheduler/parts/settings.h"

namespace fiberscope::lab04 {

/// Interpreted coroutines that visit rooms, each left at the return of its frame; a native G that leaves its rooms at
/// its end; and a program that cannot yield, because a native function has called it back.
void run_interpreter_demo(const Settings& settings);

}  // namespace fiberscope::lab04
