// Step 4.8: an M:G scheduler after a published design in the style of Go 1.0, with Gs (our tasks) and Ms (machines).
// Each machine has a queue of its own; there is a global one; a machine that has nothing steals half of another's
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

/// A queue whose length may be read without its lock. It is changed with its lock only.
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
    /// As some machine has written it: another machine may see it late. Relaxed, so nothing else is ordered by it.
    std::size_t length() const { return elsewhere_ ? elsewhere_() : length_.load(std::memory_order_relaxed); }
    /// 4.19: from now on `elsewhere` knows the length.
    void kept(std::function<std::size_t()> elsewhere) { elsewhere_ = std::move(elsewhere); }

    /// What the stories of an explorer call the length.
    void name_length(const std::string& name) { kit::name_object(&length_, name); }

  private:
    kit::Atomic<std::size_t> length_{0};
    std::function<std::size_t()> elsewhere_;
};

/// What a machine has to itself.
struct LocalQueue {
    /// `set` is its name, such as kit::set_name("runnable of machine {0}", 0).
    LocalQueue(unsigned machine, const std::string& set);

    kit::Lock lock;          ///< of `runnable`: a thief takes from it
    LocalRunnable runnable;  ///< Gs that have yielded here, or were begun here
    unsigned turns = 0;      ///< how often this machine has looked for a G; its own
};

/// The M:G scheduler. Its Gs are idle (our `new`), runnable (`ready`), running, waiting (`sleeping`, `waiting`) and
/// dead. The scheduler's ready queue is the global one: make_ready puts there what another G wakes. Locks: the
/// scheduler's before a local queue's; of two local queues whichever is free first (std::scoped_lock).
class GoScheduler : public SharedStrategy {
  public:
    GoScheduler(unsigned machines);

    void run(Scheduler& sched) override;  ///< given
    Scheduler& select_scheduler(Scheduler& here,
                                int pinned) override;  ///< given: throws std::invalid_argument if pinned
    Body wrap_body(Body body) override;                ///< given: deferred calls are run at its end
    void on_ready(WorkerPool& sched, const Task& g) override
        KIT_REQUIRES(sched.lock());  ///< given: a parked machine is called
    bool has_work(WorkerPool& sched, const Machine& machine) override KIT_REQUIRES(sched.lock());  ///< given

    /// Where a new G goes (given): begun by a G, into the queue of its machine. From outside, the first one is the
    /// root, and the others go to the global queue.
    void make_new_ready_shared(WorkerPool& sched, Task& g) override KIT_REQUIRES(sched.lock());

    /// The first G, which was begun before there were machines; null when it has been taken. It is ready, and in no
    /// queue yet.
    Task* take_root() noexcept { return std::exchange(root_, nullptr); }

    /// What a machine does until no G is alive. The main machine, number 0, begins with the root.
    void loop(WorkerPool& sched, Machine& machine);
    /// The G to run next: of the own queue, else of the global one, else stolen if it is worth it (worth_helping); null
    /// if there is none. Now and then the global one comes first, and those whose time has come are woken: a machine
    /// whose own queue is never empty must not starve them.
    virtual Task* next(WorkerPool& sched, Machine& machine);
    /// Half of the runnable Gs of another machine move to this one, those that have waited for longest. Only from a
    /// queue longer than one: the last one is its owner's. Asks the machine behind this one first, and so on around.
    /// Returns one of them, which is in no queue; null if no machine has enough.
    Task* steal(Machine& thief);
    /// Writes into the G when it is resumed (`last_run()`), then runs it until it leaves. One that has yielded goes to
    /// this machine's queue; only now, when its registers are saved, may another machine find it.
    void resume(WorkerPool& sched, Machine& machine, Task& g);
    /// Into this machine's own queue; and a parked machine is called if there is more than this machine can run.
    virtual void push_local(WorkerPool& sched, Machine& machine, Task& g);
    /// There was no G to be found: this machine parks. It must first say so, and then look once more at everything.
    void park(WorkerPool& sched, Machine& machine);
    /// Whether some G is runnable that this machine could have. Reads the lengths of the queues, without their locks.
    /// It steals only while it is worth it (worth_helping).
    bool any_work(WorkerPool& sched, const Machine& machine) KIT_REQUIRES(sched.lock());

    std::string work_for(WorkerPool& sched, unsigned machine) override;  ///< given
    LocalQueue& local(unsigned machine) noexcept { return *local_[machine].load(std::memory_order_acquire); }
    unsigned machines() const noexcept { return static_cast<unsigned>(local_.size()); }

  protected:
    struct NoQueues {};
    /// 4.16: so many machines, which get their queues from the class that calls this.
    GoScheduler(unsigned machines, NoQueues) : local_(machines) {}
    /// From now on machine `machine` has `queue`, which outlives the scheduler. As long as the machine may look.
    void set_local(unsigned machine, LocalQueue& queue) { local_[machine].store(&queue, std::memory_order_release); }
    /// When the machines are gone: a G that is runnable, for example one of the system, waits in the global queue for
    /// the next run.
    virtual void give_back(Scheduler& scheduler);

  private:
    std::vector<std::unique_ptr<LocalQueue>> own_;
    std::vector<std::atomic<LocalQueue*>> local_;  // by machine
    Task* root_ = nullptr;                         // until the main machine takes it
};

/// A call that is made when the G that runs here ends, however it ends. Throws std::logic_error outside of the M:G
/// scheduler. Given; it is recorded.
void defer(std::function<void()> call);
/// Takes out the call that was deferred last; one must be there. Given; it is recorded.
std::function<void()> pop_deferred(Task& g);
/// Runs a G's function, and then what it has deferred: the last one first. What one of them throws is the G's failure,
/// in place of what was thrown before; the others are called all the same.
void run_with_deferred(Task& g, const Body& body);

/// Given, for steal(): says so in the trace. `victim` is a machine, `count` at least 1.
void record_steal(unsigned victim, std::size_t count);

}  // namespace fiberscope::lab04
