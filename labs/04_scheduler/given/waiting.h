// Given: a report of the waiting tasks when a test hangs.
#pragma once

namespace fiberscope::lab04 {

class SchedulerBase;

/// Registers a scheduler, whose tasks are listed if the program is killed, until it is unregistered.
void register_stuck_report(SchedulerBase& scheduler);
void unregister_stuck_report(SchedulerBase& scheduler) noexcept;

}  // namespace fiberscope::lab04
