// Given: settings and results of a scheduler.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "labs/04_scheduler/event_source.h"
#include "labs/04_scheduler/parts/sets.h"
#include "labs/04_scheduler/parts/task.h"
#include "labs/kit/run/backend.h"
#include "languages/spoken_error.h"

namespace fiberscope::lab04 {

/// A task that ended by an exception.
struct Failure {
    std::uint32_t id;
    std::string task;           ///< its name
    std::string what, message;  ///< in English, and as a message
};

/// No task can ever run again: each live task waits for something that cannot happen. `what()` lists the tasks, and
/// what each waits for. They are still alive; cancel or wake some, and run again.
struct Stuck : Spoken<std::logic_error> {
    using Spoken::Spoken;
};

struct Settings {
    std::string_view strategy = "producer_consumer";
    const kit::CoroutineBackend* backend = &kit::asm_backend;
    EventSource* source = nullptr;  ///< not owned; null: the scheduler's own SimulatedSource, without events
    unsigned machines = 1;          ///< threads; 1 for a strategy of one thread
    std::uint64_t seed = 1;  ///< with the virtual clock: decides which machine goes first when their clocks agree
    WaitBy wait_by = WaitBy::tree;     ///< data structure of the wait set
    SleepBy sleep_by = SleepBy::tree;  ///< data structure of the sleep set
    bool with_known_bug = false;       ///< reproduces a bug of the published description, where available
    bool wake_always = false;  ///< each task that becomes ready wakes a waiting machine; no machine looks around
    unsigned spares = 1;       ///< go_p (4.16): additional machines, without a P when the run begins
    bool use_caller = true;    ///< sylar: the calling thread is one of the machines; else it only waits for them
};

/// Steps 4.15 and 4.18. A backend other than the scheduler's, for one task.
struct OtherBackend {
    const kit::CoroutineBackend& backend;
    void (*prepare)(Task& task, const void* with);  ///< before any machine can find it
    const void* with;
};

/// Options of a new task.
struct TaskOptions {
    int pinned = kAnyMachine;             ///< the only machine that may run it, if the strategy has several
    bool system = false;                  ///< run() does not wait for its end
    const OtherBackend* other = nullptr;  ///< null: the scheduler's backend
};

}  // namespace fiberscope::lab04
