// Given: what a scheduler is asked for, and what it answers.
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

/// No task can ever run again: each one that is alive waits for something that will not come. `what()` names them, and
/// what each waits for. They are still alive; cancel or wake some, and run again.
struct Stuck : Spoken<std::logic_error> {
    using Spoken::Spoken;
};

struct Settings {
    std::string_view strategy = "producer_consumer";
    const kit::CoroutineBackend* backend = &kit::asm_backend;
    EventSource* source = nullptr;     ///< not owned; null: a SimulatedSource of the scheduler's own, with no events
    unsigned machines = 1;             ///< threads; a strategy of one thread takes one
    std::uint64_t seed = 1;            ///< under the virtual clock: which machine goes first when their clocks agree
    WaitBy wait_by = WaitBy::tree;     ///< what finds the tasks that wait for a descriptor
    SleepBy sleep_by = SleepBy::tree;  ///< what keeps the tasks that sleep
    bool with_known_bug = false;       ///< with a fault of the published description, where it can be watched
    bool wake_always = false;  ///< each task that becomes ready wakes a machine that waits; no machine looks around
    unsigned spares = 1;       ///< go_p (4.16): machines besides, which have no P when the run begins
    bool use_caller = true;    ///< sylar: the calling thread is one of the machines; else it only waits for them
};

/// Steps 4.15 and 4.18. A task that is switched in another way than its scheduler's other tasks.
struct OtherBackend {
    const kit::CoroutineBackend& backend;
    void (*prepare)(Task& task, const void* with);  ///< before any machine can find it
    const void* with;
};

/// What a task is for, besides its work.
struct TaskOptions {
    int pinned = kAnyMachine;             ///< the one machine that may run it, where the strategy knows several
    bool system = false;                  ///< run() does not wait for its end
    const OtherBackend* other = nullptr;  ///< null: its scheduler's backend
};

}  // namespace fiberscope::lab04
