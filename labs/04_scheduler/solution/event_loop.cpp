#include "labs/04_scheduler/event_loop.h"

#include "labs/04_scheduler/scheduler.h"

namespace fiberscope::lab04 {

void on_poll_prepare(Scheduler& sched, Task& task, const Event&) {
    sched.remove(task, Wake::event);
    sched.make_ready(task, Cause::event);
}

void on_poll_process(Scheduler& sched, Task& task) { sched.resume(task); }

namespace {

// Calls the default function directly: an indirect call would return after a switch, mispredicted.
inline void process(Scheduler& sched, Task& task) {
    if (task.loop_item().process == on_poll_process) [[likely]]
        on_poll_process(sched, task);
    else
        task.loop_item().process(sched, task);
}

}  // namespace

void EventLoop::make_new_ready(Scheduler& sched, Task& task) {
    task.loop_item() = {on_poll_prepare, on_poll_process};
    task.bound = true;
    sched.make_ready(task, Cause::spawned);
}

void EventLoop::run(Scheduler& sched) {
    while (sched.alive() > 0) {
        for (const Event& event : sched.poll())
            while (Task* task = sched.waiter(event)) task->loop_item().prepare(sched, *task, event);

        const std::uint64_t now = sched.look_at_clock();
        take_all_timeouts(sched, now);
        join_timeouts(sched, now);

        for (std::size_t active = sched.ready().size(); active > 0; --active) {
            Task& task = *sched.ready().pop();
            process(sched, task);
        }

        if (each_round_ && each_round_() == -1) return;
    }
}

void EventLoop::take_all_timeouts(Scheduler& sched, std::uint64_t now) {
    const std::uint64_t last_of_tick = now - now % kTick + (kTick - 1);
    while (Task* task = sched.expired(last_of_tick)) {
        sched.sleeping().remove(*task);
        timeouts_.push(*task);
    }
}

void EventLoop::join_timeouts(Scheduler& sched, std::uint64_t now) {
    while (Task* task = timeouts_.pop()) {
        if (now < task->deadline) {
            sched.sleeping().insert(*task);
            continue;
        }
        sched.remove(*task, Wake::timeout);
        sched.make_ready(*task, Cause::deadline);
    }
}

}  // namespace fiberscope::lab04
