// Given: the threads of a scheduler's machines.
#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <utility>

#include "labs/04_scheduler/given/record_machine.h"
#include "labs/04_scheduler/machines.h"
#include "labs/04_scheduler/shared_strategy.h"

namespace fiberscope::lab04 {

namespace {

/// Makes this thread a machine for its lifetime.
class ThreadBinding {
  public:
    explicit ThreadBinding(Machine& machine) : before_(std::exchange(kit::this_thread().scheduler, &machine)) {
        record_machine(trace::MachineOp::start);
    }
    ~ThreadBinding() {
        record_machine(trace::MachineOp::stop);
        kit::this_thread().scheduler = before_;
    }
    ThreadBinding(const ThreadBinding&) = delete;
    ThreadBinding& operator=(const ThreadBinding&) = delete;

  private:
    void* before_;
};

}  // namespace

// Marks the schedulers as shared by several machines for its lifetime.
class WorkerPool::Sharing {
  public:
    Sharing(std::span<Scheduler* const> schedulers, const std::shared_ptr<kit::Machines>& machines) KIT_UNCHECKED
        : schedulers_(schedulers) {
        for (Scheduler* one : schedulers_) {
            const kit::Guard guard(one->shared().lock_);
            one->shared().machines_ = machines;
            one->is_shared_ = true;
            one->shared().guard_sets(&one->shared().lock_, schedulers_.size() > 1);
            one->source().shared_by(machines->count() > 1 ? &one->shared() : nullptr);
        }
    }
    ~Sharing() KIT_UNCHECKED {  // the other machines have ended
        for (Scheduler* one : schedulers_) {
            WorkerPool& loop = one->shared();
            const kit::Guard guard(loop.lock_);
            loop.machines_.reset();
            one->is_shared_ = false;
            loop.guard_sets(nullptr, false);
            loop.parked_.clear();
            loop.to_unpark_.clear();
            loop.calls_ = loop.source_called_ = false;
            one->source().shared_by(nullptr);
            loop.lookers_ = 0;
            loop.running_ = 0;
            loop.poller_ = kNoMachine;
            loop.poll_ = PollState::idle;
            loop.poller_called_ = false;
            loop.count_idle();
        }
    }
    Sharing(const Sharing&) = delete;
    Sharing& operator=(const Sharing&) = delete;

  private:
    std::span<Scheduler* const> schedulers_;
};

void WorkerPool::run_on_machines(unsigned machines, const std::function<void(Machine&)>& body) {
    Scheduler* const alone = &sched_;
    run_on_machines({&alone, 1}, machines, body);
}

void WorkerPool::run_on_machines(std::span<Scheduler* const> schedulers, unsigned count,
                                 const std::function<void(Machine&)>& body) {
    const auto machines = std::make_shared<kit::Machines>(count, settings().seed);
    const Sharing sharing(schedulers, machines);
    const kit::Watch watch = watch_over(schedulers);
    machines->watch(&watch);
    try {
        machines->run([&](unsigned index) {
            Machine machine{schedulers[index % schedulers.size()], index};
            const ThreadBinding binding(machine);
            body(machine);
        });
    } catch (const kit::AllParked&) {
        throw Stuck(Scheduler::describe_stuck(schedulers));
    }
}

// Called by an explorer while no machine runs.
kit::Watch WorkerPool::watch_over(std::span<Scheduler* const> schedulers) const {
    return {[this, schedulers](unsigned machine) {
                WorkerPool& loop = schedulers[machine % schedulers.size()]->shared();
                return strategy_ == nullptr ? std::string() : strategy_->work_for(loop, machine);
            },
            [schedulers] {
                std::uint64_t first = kNever;
                for (Scheduler* one : schedulers) first = std::min(first, one->shared().first_deadline());
                return first;
            }};
}

std::unique_ptr<Scheduler> WorkerPool::another(unsigned machine, EventSource& source) {
    return std::unique_ptr<Scheduler>(new Scheduler(sched_, machine, source));
}

void WorkerPool::adopt_failures(Scheduler& other) {
    std::ranges::move(std::exchange(other.parts_->failures, {}), std::back_inserter(sched_.parts_->failures));
}

}  // namespace fiberscope::lab04
