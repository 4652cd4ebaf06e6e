// Given: what waits, and for what, when a test hangs.
#pragma once

namespace fiberscope::lab04 {

class SchedulerBase;

/// From now on its tasks are named when the program is ended from outside, until it is forgotten.
void register_stuck_report(SchedulerBase& scheduler);
void unregister_stuck_report(SchedulerBase& scheduler) noexcept;

}  // namespace fiberscope::lab04
