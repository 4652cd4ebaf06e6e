// Given for step 4.11: the running task, and the end of a task's values.
#include "labs/04_scheduler/task_local.h"
#include "labs/04_scheduler/parts/scheduler_parts.h"
#include "labs/04_scheduler/scheduler.h"

namespace fiberscope::lab04 {

Task* task_here() noexcept {
    const kit::ThreadState& thread = kit::thread_state();
    const Machine* machine = machine_here();
    Task* task = machine == nullptr ? nullptr : machine->running;
    return task != nullptr && thread.callers.contains(task->core()) ? task : nullptr;
}

namespace {

struct OfTheThread {
    Locals locals;
    ~OfTheThread() { destroy_values(locals); }
};

// In the first frame of a task.
struct TaskLocalsCleanup {
    Task& task;
    // Always inlined: otherwise the reference is on the stack of each task.
    [[gnu::always_inline]] ~TaskLocalsCleanup() {
        if (task.has_cold_state() && task.locals() != nullptr) end_locals(task);
    }

  private:
    [[gnu::noinline]] static void end_locals(Task& task) {
        destroy_values(*task.locals());
        delete std::exchange(task.locals(), nullptr);
    }
};

}  // namespace

Locals& thread_locals() {
    thread_local OfTheThread mine;
    return mine.locals;
}

void live(Task& task) {
    const TaskLocalsCleanup at_the_end{task};
    task.body();
}

}  // namespace fiberscope::lab04
