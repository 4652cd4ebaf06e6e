// Given: what later steps, and what is given, keep in a task; a group for each. What every switch touches stands in
// Task.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "labs/kit/machines/lock.h"
#include "labs/kit/run/coroutine.h"

namespace fiberscope::lab04 {

class Handle;
class Scheduler;
struct Event;
struct Locals;
struct Task;

/// How a sleep or a wait came to its end.
enum class Wake : std::uint8_t { event, timeout, cancelled };

/// Step 4.9: what an event loop of libco calls for one task (pfnPrepare and pfnProcess of stTimeoutItem_t). Never null
/// in a task of such a loop.
struct LoopItem {
    void (*prepare)(Scheduler& scheduler, Task& task, const Event& event) = nullptr;  ///< an event has come for it
    void (*process)(Scheduler& scheduler, Task& task) = nullptr;                      ///< its turn has come
};

/// Two cache lines: a million parked tasks pay for each byte.
struct TaskGroups {
    explicit TaskGroups(std::uint64_t now) noexcept;
    ~TaskGroups();
    TaskGroups(const TaskGroups&) = delete;
    TaskGroups& operator=(const TaskGroups&) = delete;

    // What is given
    kit::Body body;                                ///< what it does
    std::unique_ptr<std::vector<Handle>> joining;  ///< the tasks that wait for its end; null until one does
    Task* before = nullptr;                        ///< all that are alive, linked in order of birth
    Task* behind = nullptr;
    std::atomic<std::uint32_t> holders{1};  ///< its scheduler while it is alive, and Handles
    bool system = false;                    ///< run() does not wait for its end
    std::uint64_t birth;                    ///< ns: when it was made

    // Steps 4.6 and 4.7
    int pinned = -1;  ///< the one machine that may run it; kAnyMachine: any

    // Step 4.8
    bool defers = false;                          ///< it is a G: its deferred calls are made at its end
    std::vector<std::function<void()>> deferred;  ///< the last one is called first
    std::uint64_t last_run = 0;                   ///< ns: when it was resumed last

    // Step 4.11
    Locals* locals = nullptr;  ///< made at first use; gone before it is dead

    // Lab 05
    void* io = nullptr;
};

}  // namespace fiberscope::lab04
