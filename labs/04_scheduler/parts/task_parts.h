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

/// What few tasks need: made when it is first asked for.
struct ColdState {
    std::unique_ptr<std::vector<Handle>> joining;  ///< the tasks that wait for its end; null until one does
    std::vector<std::function<void()>> deferred;
    std::uint64_t last_run = 0;
    LoopItem item;
    Locals* locals = nullptr;
};

/// One cache line.
struct TaskGroups {
    explicit TaskGroups(std::uint64_t now) noexcept;
    ~TaskGroups();
    TaskGroups(const TaskGroups&) = delete;
    TaskGroups& operator=(const TaskGroups&) = delete;

    kit::Body body;          ///< what it does
    Task* before = nullptr;  ///< all that are alive, linked in order of birth
    Task* behind = nullptr;
    std::uint64_t birth;  ///< ns: when it was made

    /// The tasks that wait for its end. Under its scheduler's lock.
    std::unique_ptr<std::vector<Handle>>& joining() { return seldom().joining; }
    bool has_seldom() const noexcept { return seldom_.load(std::memory_order_acquire) != nullptr; }
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

}  // namespace fiberscope::lab04
