// Given: what a task has besides what steps 4.1 to 4.3 ask for: a part for each, listed in TaskParts.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace fiberscope::kit {
struct CoroutineBackend;
}

namespace fiberscope::lab04 {

class Handle;
class Scheduler;
struct Event;
struct Locals;
struct Task;

/// Any machine may run the task.
inline constexpr int kAnyMachine = -1;

/// Step 4.9: what an event loop of libco calls for one task (pfnPrepare and pfnProcess of stTimeoutItem_t). Never null
/// in a task of such a loop.
struct LoopItem {
    void (*prepare)(Scheduler& scheduler, Task& task, const Event& event) = nullptr;  ///< an event has come for it
    void (*process)(Scheduler& scheduler, Task& task) = nullptr;                      ///< its turn has come
};

/// What few tasks need: made when it is first asked for.
struct ColdState {
    std::unique_ptr<std::vector<Handle>> joining;  ///< the tasks that wait for its end; null until one does
    std::vector<std::function<void()>> deferred;
    std::uint64_t last_run = 0;
    LoopItem item;
    Locals* locals = nullptr;
};

class TaskColdState {
  public:
    TaskColdState() = default;
    ~TaskColdState();
    TaskColdState(const TaskColdState&) = delete;
    TaskColdState& operator=(const TaskColdState&) = delete;

    bool has_seldom() const noexcept { return seldom_.load(std::memory_order_acquire) != nullptr; }
    /// The tasks that wait for its end. Under its scheduler's lock.
    std::unique_ptr<std::vector<Handle>>& joining() { return seldom().joining; }
    // Step 4.8
    std::vector<std::function<void()>>& deferred() { return seldom().deferred; }  ///< the last one is called first
    std::uint64_t& last_run() { return seldom().last_run; }                       ///< ns: when it was resumed last
    // Step 4.9
    LoopItem& loop_item() { return seldom().item; }
    // Step 4.11
    Locals*& locals() { return seldom().locals; }  ///< made at first use; gone before it is dead

  private:
    ColdState& seldom() {
        ColdState* const made = seldom_.load(std::memory_order_acquire);
        return made != nullptr ? *made : make_seldom();
    }
    ColdState& make_seldom();

    std::atomic<ColdState*> seldom_{nullptr};  // one that joins it and the task itself may ask at the same time
};

/// Its birth and its end.
struct TaskLife {
    std::function<void()> body;  ///< what it does
    Task* before = nullptr;      ///< all that are alive, linked in order of birth
    Task* behind = nullptr;
    std::uint64_t birth;                    ///< ns: when it was made
    const kit::CoroutineBackend* backend;   ///< what switches it
    std::atomic<std::uint32_t> holders{1};  ///< its scheduler while it is alive, and Handles
    std::atomic<bool> ended{false};         ///< its exit has been handled: its stack is not used again
    bool system = false;                    ///< run() does not wait for its end

    TaskLife(const kit::CoroutineBackend& switching, std::uint64_t now) noexcept : birth(now), backend(&switching) {}
};

/// Steps 4.6 to 4.8.
struct TaskOnMachines {
    int pinned = kAnyMachine;   ///< the one machine that may run it
    std::uint16_t machine = 0;  ///< the machine that ran it last
    bool wakeable = false;      ///< it has yielded, sleeping or waiting, and is not woken yet; under the lock
    bool defers = false;        ///< 4.8: it is a G: its deferred calls are made at its end
};

/// Lab 05.
struct TaskHook {
    void* io = nullptr;
};

/// The list. In this order they take a cache line and a half.
struct TaskParts : TaskColdState, TaskHook, TaskLife, TaskOnMachines {
    using TaskLife::TaskLife;
};

}  // namespace fiberscope::lab04
