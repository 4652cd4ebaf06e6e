// Step 4.8: an M:G scheduler after a published design in the style of Go 1.0, with Gs (our tasks) and Ms (machines).
// Each machine has its own queue, and there is a global one. A machine without work steals half of another machine's
// queue, and parks if it finds nothing. Go 1.0 itself had one global queue; queues per machine came with the P of Go
// 1.1.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "labs/04_scheduler/machines.h"
#include "labs/04_scheduler/shared_strategy.h"

namespace fiberscope::lab04 {

/// A queue whose length may be read without its lock. Modified only with the lock held.
class LocalRunnable : public ReadyQueue {
  public:
    using ReadyQueue::ReadyQueue;
    void push(Task& g) {
        ReadyQueue::push(g);
        length_.store(size(), std::memory_order_relaxed);
    }
    Task* pop() {
        Task* g = ReadyQueue::pop();
        length_.store(size(), std::memory_order_relaxed);
        return g;
    }
    /// Possibly out of date on other machines. A relaxed load: it orders no other memory accesses.
    std::size_t length() const { return elsewhere_ ? elsewhere_() : length_.load(std::memory_order_relaxed); }
    /// 4.19: from now on `elsewhere` provides the length.
    void kept(std::function<std::size_t()> elsewhere) { elsewhere_ = std::move(elsewhere); }

    /// Name of the length in the reports of an explorer.
    void name_length(const std::string& name) { kit::name_object(&length_, name); }

  private:
    kit::Atomic<std::size_t> length_{0};
    std::function<std::size_t()> elsewhere_;
};

/// State of one machine.
struct LocalQueue {
    /// `set` is its name, such as kit::set_name("runnable of machine {0}", 0).
    LocalQueue(unsigned machine, const std::string& set);

    kit::Lock lock;          ///< guards `runnable`: thieves take from it
    LocalRunnable runnable;  ///< Gs that yielded or were created on this machine
    unsigned turns = 0;      ///< how often this machine has looked for a G; accessed by the machine only
};

/// The M:G scheduler. Its Gs are idle (our `new`), runnable (`ready`), running, waiting (`sleeping`, `waiting`) and
/// dead. The scheduler's ready queue is the global one: make_ready puts the Gs that another G wakes there. Lock order:
/// the scheduler's before a local queue's; two local queues by std::scoped_lock.
class GoScheduler : public SharedStrategy {
  public:
    GoScheduler(unsigned machines);

    void run(Scheduler& sched) override;  ///< given
    Scheduler& select_scheduler(Scheduler& here,
                                int pinned) override;  ///< given: throws std::invalid_argument if pinned
    Body wrap_body(Body body) override;                ///< given: runs the deferred calls at the end
    void on_ready(WorkerPool& sched, const Task& g) override KIT_REQUIRES(sched.lock());  ///< given: unparks a machine
    bool has_work(WorkerPool& sched, const Machine& machine) override KIT_REQUIRES(sched.lock());  ///< given

    /// Enqueues a new G (given). One created by a G goes to the queue of that machine; of those created from outside,
    /// the first is the root, and the others go to the global queue.
    void make_new_ready_shared(WorkerPool& sched, Task& g) override KIT_REQUIRES(sched.lock());

    /// Takes the root: the first G, created before the machines existed. It is ready, and in no queue yet. Null if it
    /// has already been taken.
    Task* take_root() noexcept { return std::exchange(root_, nullptr); }

    /// Loop of a machine; returns when no G is alive. The main machine, number 0, begins with the root.
    void loop(WorkerPool& sched, Machine& machine);
    /// Returns the G to run next: from this machine's queue, else from the global queue, else stolen if worthwhile
    /// (worth_helping); null if there is none. Now and then checks the global queue first and wakes expired Gs, so that
    /// a machine whose own queue is never empty does not starve them.
    virtual Task* next(WorkerPool& sched, Machine& machine);
    /// Steals half of the runnable Gs of another machine, from the front of its queue. Only from a queue longer than
    /// one: the last G is left to its owner. Tries the machine after this one first, and so on around. Returns one of
    /// the stolen Gs, which is in no queue; null if no machine has enough.
    Task* steal(Machine& thief);
    /// Stores the time in `last_run()` of the G, then runs it until it leaves. A G that has yielded is enqueued in this
    /// machine's queue afterwards: another machine must not find it before its registers are saved.
    void resume(WorkerPool& sched, Machine& machine, Task& g);
    /// Enqueues `g` in this machine's own queue; unparks a machine if there is more than this machine can run.
    virtual void push_local(WorkerPool& sched, Machine& machine, Task& g);
    /// Parks this machine, which has found no G. It must announce this first, and then check all queues once more.
    void park(WorkerPool& sched, Machine& machine);
    /// Whether there is a runnable G that this machine could take. Reads the lengths of the queues without their locks.
    /// Other machines' queues count only while stealing is worthwhile (worth_helping).
    bool any_work(WorkerPool& sched, const Machine& machine) KIT_REQUIRES(sched.lock());

    std::string work_for(WorkerPool& sched, unsigned machine) override;  ///< given
    LocalQueue& local(unsigned machine) noexcept { return *local_[machine].load(std::memory_order_acquire); }
    unsigned machines() const noexcept { return static_cast<unsigned>(local_.size()); }

  protected:
    struct NoQueues {};
    /// 4.16: for derived classes that provide the queues of the machines.
    GoScheduler(unsigned machines, NoQueues) : local_(machines) {}
    /// Gives `queue`, which must outlive the scheduler, to machine `machine`. May be called while machines run.
    void set_local(unsigned machine, LocalQueue& queue) { local_[machine].store(&queue, std::memory_order_release); }
    /// Moves runnable Gs (for example system tasks) to the global queue, for the next run. Called when the machines
    /// have ended.
    virtual void give_back(Scheduler& scheduler);

  private:
    std::vector<std::unique_ptr<LocalQueue>> own_;
    std::vector<std::atomic<LocalQueue*>> local_;  // by machine
    Task* root_ = nullptr;                         // null after the main machine has taken it
};

/// Defers a call to the end of the running G, however it ends. Throws std::logic_error outside of the M:G scheduler.
/// Given; recorded.
void defer(std::function<void()> call);
/// Removes and returns the last deferred call, which must exist. Given; recorded.
std::function<void()> pop_deferred(Task& g);
/// Runs a G's function, then its deferred calls in last-in, first-out order. An exception of one of them becomes the
/// G's failure, in place of an earlier exception; the remaining calls are still made.
void run_with_deferred(Task& g, const Body& body);

/// Given, for steal(): records the steal in the trace. `victim` is a machine, `count` at least 1.
void record_steal(unsigned victim, std::size_t count);

}  // namespace fiberscope::lab04
