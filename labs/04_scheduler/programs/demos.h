// The demos of what goes beyond the six systems.
#pragma once

#include "labs/04_scheduler/given/workloads.h"
#include "labs/04_scheduler/parts/settings.h"

namespace fiberscope::lab04 {

/// A source of jobs, two workers, and a collector that selects from the results and its patience.
void run_channels_demo(const Settings& settings);
/// Interpreted coroutines that visit rooms, each left at the return of its frame; a native G that leaves its rooms at
/// its end; and a program that cannot yield, because a native function has called it back.
void run_interpreter_demo(const Settings& settings);
/// C++20 coroutines beside a native one: frames in the heap, an exception that goes through a co_await, a join, and a
/// plain function that cannot yield.
void run_stackless_demo(const Settings& settings);
/// A server begins three tasks that answer, and reads a file: a call that blocks its thread.
void run_blocked_demo(const Settings& settings);
/// The workload "hog", and a signal stops what has run for 50 µs.
void run_preempted_demo(const Settings& settings, Stage& stage);

}  // namespace fiberscope::lab04
