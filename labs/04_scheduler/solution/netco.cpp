#include "labs/04_scheduler/netco.h"

#include <stdexcept>
#include <utility>

#include "labs/04_scheduler/netco_api.h"
#include "languages/spoken_error.h"

namespace fiberscope::lab04 {

Scheduler& Netco::select_scheduler(Scheduler& here, int pinned) {
    if (pinned != kAnyMachine) return *named(pinned).sched;
    if (keeps(here)) return here;
    Processor* chosen = nullptr;
    std::size_t fewest = 0;
    for (const auto& processor : processors()) {
        const std::size_t tasks = load(*processor);
        if (chosen != nullptr && tasks >= fewest) continue;
        chosen = processor.get();
        fewest = tasks;
    }
    return *chosen->sched;
}

void Netco::make_new_ready_shared(WorkerPool& sched, Task& task) {
    Processor& processor = of(sched);
    if (!task.system) ++alive_;
    kit::set_state(task.core(), State::ready, Cause::spawned);
    processor.fresh[processor.filling].push(task);
}

void Netco::on_ready(WorkerPool& sched, const Task&) {
    if (sched.scheduler().is_shared()) sched.unpark_one();
}

void Netco::on_deadline(WorkerPool& sched, Task& task) {
    sched.wake_to_queue(of(sched).expired, task, Wake::timeout, Cause::deadline);
}

void Netco::on_exit(WorkerPool& sched, Task& task) { of(sched).removed.push(task); }

void Netco::work(Machine& machine) {
    WorkerPool& sched = machine.sched->shared();
    Processor& self = of(sched);
    SchedulerLock held(sched);
    while (alive_ > 0) {
        sched.wake_due();

        while (Task* task = self.expired.pop()) sched.resume_unlocked(held, machine, *task);

        ReadyQueue& fresh = self.fresh[std::exchange(self.filling, 1 - self.filling)];
        while (Task* task = fresh.pop()) sched.resume_unlocked(held, machine, *task);

        for (std::size_t active = sched.ready().size(); active > 0; --active)
            sched.resume_unlocked(held, machine, *sched.ready().pop());

        while (Task* task = self.removed.pop()) {
            if (!task->system) --alive_;
            sched.release(*task);
        }

        if (alive_ > 0 && !self.anyone_ready()) sched.wait_for_work(held, machine);
    }
    held.unlock();
    wake_all();
}

}  // namespace fiberscope::lab04

namespace fiberscope::netco_api {

using namespace lab04;

void co_init(unsigned processors) { Scheduler::install({.strategy = "netco", .machines = processors}); }

void co_go(std::function<void()> function, std::size_t stack_size, int processor) {
    const Attributes attributes{.name = {}, .stack_size = stack_size};
    const TaskOptions options{.pinned = processor};
    if (Scheduler::here() == nullptr && go_from_outside("netco", function, attributes, options)) return;
    if (Scheduler::here() == nullptr) co_init(2);
    Scheduler::here()->go(std::move(function), attributes, options);
}

void co_pass() { yield(); }
void co_sleep(std::uint64_t ns) { sleep_for(ns); }
bool co_wait_readable(int fd, std::uint64_t limit) { return wait_readable(fd, limit) == Wake::event; }
bool co_wait_writable(int fd, std::uint64_t limit) { return wait_writable(fd, limit) == Wake::event; }

void co_run() {
    if (Scheduler::here() == nullptr) return;
    const std::vector<Failure> failures = Scheduler::here()->run();
    if (!failures.empty())
        throw Spoken<std::runtime_error>(
            message("task '{0}' ended by: {1}", failures.front().task, Value::of(failures.front().message)));
}

}  // namespace fiberscope::netco_api
