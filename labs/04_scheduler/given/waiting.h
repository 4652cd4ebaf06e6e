// Given: who waits, and for what, when a test hangs.
#pragma once

namespace fiberscope::lab04 {

class SchedulerBase;

/// From now on its tasks are named when the program is ended from outside, until it is forgotten.
void tell_waiting_of(SchedulerBase& scheduler);
void forget_waiting_of(SchedulerBase& scheduler) noexcept;

}  // namespace fiberscope::lab04
