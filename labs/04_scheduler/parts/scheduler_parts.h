// Given: the parts of a scheduler that steps 4.1 to 4.3 do not need, listed in SchedulerParts.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "labs/04_scheduler/parts/settings.h"
#include "labs/04_scheduler/parts/stack_prefetcher.h"
#include "labs/04_scheduler/parts/steal_throttle.h"
#include "labs/kit/machines/atomic.h"
#include "labs/kit/machines/lock.h"
#include "labs/kit/run/thread_state.h"

namespace fiberscope::lab04 {

class Strategy;
class WorkerPool;

/// A machine M: a thread that runs the tasks of a scheduler. The thread that created the scheduler is one of its
/// machines.
struct Machine {
    Scheduler* sched;
    unsigned index = 0;       ///< 0: the thread that called run()
    Task* running = nullptr;  ///< the task resumed last (NtyCo's curr_thread)
    kit::Lock* handed =
        nullptr;  ///< a lock acquired by this task, to be released by the loop after the task has parked
    StealThrottle throttle{};
};

/// Returns the machine of this thread; null without a scheduler. Call again after every switch.
inline Machine* machine_here() noexcept { return static_cast<Machine*>(kit::thread_state().scheduler); }

struct SchedulerParts {
    SchedulerParts(const Settings& asked, Scheduler& scheduler, unsigned machine);
    ~SchedulerParts();

    Settings settings;
    std::vector<Failure> failures;            ///< since the last run()
    kit::Atomic<std::size_t> alive{0};        ///< tasks that have not ended, not counting system tasks
    std::unique_ptr<EventSource> own_source;  ///< null if the settings name a source
    std::unique_ptr<Strategy> own_strategy;   ///< null if it uses that of the first scheduler
    StackPrefetcher prefetcher;
    Machine own;                       ///< machine of the thread that created the scheduler
    std::unique_ptr<WorkerPool> pool;  ///< 4.6
};

}  // namespace fiberscope::lab04
