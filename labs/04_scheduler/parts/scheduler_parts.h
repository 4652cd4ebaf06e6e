// Given: what a scheduler has besides what steps 4.1 to 4.3 ask for: a part for each, listed in SchedulerParts.
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

/// A machine M: a thread that runs the tasks of a scheduler. The thread that made a scheduler is a machine of it, too.
struct Machine {
    Scheduler* sched;
    unsigned index = 0;           ///< 0: the thread that called run()
    Task* running = nullptr;      ///< the task that it resumed last (NtyCo's curr_thread)
    kit::Lock* handed = nullptr;  ///< the lock that this task took and that the loop releases after it has parked
    StealThrottle throttle{};
};

/// The machine that this thread is; null without a scheduler. Ask anew after every switch.
inline Machine* machine_here() noexcept { return static_cast<Machine*>(kit::thread_state().scheduler); }

struct SchedulerParts {
    SchedulerParts(const Settings& asked, Scheduler& scheduler, unsigned machine);
    ~SchedulerParts();

    Settings settings;
    std::vector<Failure> failures;            ///< since the last run()
    kit::Atomic<std::size_t> alive{0};        ///< tasks that have not ended, without those of the system
    std::unique_ptr<EventSource> own_source;  ///< null: the settings name one
    std::unique_ptr<Strategy> own_strategy;   ///< null: it has that of the first scheduler
    StackPrefetcher prefetcher;
    Machine own;                       ///< of the thread that made it
    std::unique_ptr<WorkerPool> pool;  ///< 4.6
};

}  // namespace fiberscope::lab04
