// Steps 4.1 to 4.3: the scheduler S: what all tasks share, and the sets that manage them. It belongs to one thread, or to
// several machines that run it together (steps 4.6 and 4.8).
#pragma once

#include <atomic>
#include <concepts>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "labs/04_scheduler/event_source.h"
#include "labs/04_scheduler/stack_prefetcher.h"
#include "labs/04_scheduler/strategy.h"
#include "labs/04_scheduler/task.h"
#include "labs/04_scheduler/wait_set.h"
#include "labs/kit/backend.h"
#include "labs/kit/clock.h"
#include "labs/kit/machines.h"

namespace fiberscope::lab04 {

/// Step 4.2: whether `a` stands before `b` in the sleep tree: by (deadline, order).
bool sleeps_before(const Task& a, const Task& b);

using ReadyQueue = kit::Queue<Task, &Task::ready_next>;
using SleepTree = kit::Tree<Task, &Task::sleep_node, &sleeps_before>;

/// A task that ended by an exception.
struct Failure {
    std::uint32_t id;
    std::string task;  ///< its name
    std::string what;
};

/// Nobody can ever run again: all that are alive wait for something that will not come. `what()` names them, with what
/// each waits for. They are alive still; cancel or wake some, and run again.
struct Stuck : std::logic_error {
    using std::logic_error::logic_error;
};

struct Settings {
    std::string_view strategy = "producer_consumer";
    const kit::CoroutineBackend* backend = &kit::asm_backend;
    EventSource* source = nullptr;  ///< not owned; null: a SimulatedSource of the scheduler's own, with no events
    unsigned machines = 1;          ///< threads; a strategy of one thread takes one
    std::uint64_t seed = 1;         ///< under the virtual clock: who goes first among machines whose clocks agree
    WaitBy wait_by = WaitBy::tree;  ///< what finds those who wait for a descriptor
    bool with_known_bug = false;    ///< with a fault that the description has, where it can be watched
    bool use_caller = true;         ///< sylar: the calling thread is one of the machines; else it only waits for them
};

/// A machine M: a thread that runs the tasks of a scheduler. The thread that made one is a machine of it, too.
struct Machine {
    Scheduler* sched;
    unsigned index = 0;       ///< 0: the thread that called run()
    Task* running = nullptr;  ///< the task that it resumed last (NtyCo's curr_thread)
};

/// The machine that this thread is; null without a scheduler. To be asked anew after every switch. The one place that knows
/// of what type ThreadState::scheduler is.
inline Machine* machine_here() noexcept { return static_cast<Machine*>(kit::thread_state().scheduler); }

/// What a task is for, besides its work.
struct TaskOptions {
    int pinned = kAnyMachine;  ///< the one machine that may run it, where the strategy knows several
    bool system = false;       ///< run() does not wait for its end
};

/// Holds the lock of a scheduler that several machines run; of another scheduler, nothing.
using Held = std::unique_lock<kit::Lock>;

[[noreturn, gnu::cold]] void refuse_as_bound(const Task& task);

class Scheduler {
  public:
    /// Becomes the scheduler of this thread. Throws std::logic_error if there is one already, and std::invalid_argument
    /// for a strategy that does not exist.
    explicit Scheduler(const Settings& settings = {});
    /// One more for the strategy of `first`, with sets and a lock of its own, for machine `machine` alone. It is not the scheduler
    /// of any thread until run_sharing gives it to one. `first` and `source` must outlive it.
    Scheduler(Scheduler& first, unsigned machine, EventSource& source);
    /// Unwinds those that are alive. On its own thread, outside of every task.
    ~Scheduler();
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;

    /// Step 4.1. The scheduler of this thread; made with the default settings if there is none yet (as
    /// nty_coroutine_create does). Not to be kept across a switch.
    static Scheduler& of_this_thread();
    /// The scheduler of this thread; null if there is none.
    static Scheduler* here() noexcept {
        const Machine* machine = machine_here();
        return machine == nullptr ? nullptr : machine->sched;
    }
    /// Step 4.9. Throws Misuse (bound_to_thread) if `task` is bound to another thread than this one.
    static void require_own_thread(const Task& task) {
        if (task.bound && &task.sched->own_ != kit::thread_state().scheduler) refuse_as_bound(task);
    }
    /// Makes one that lives until the thread ends. Throws std::logic_error if there is one already.
    static Scheduler& install(const Settings& settings = {});

    /// Makes a task, which is alive and ready from here on. From a task, or from outside. Throws std::system_error if no
    /// stack can be had.
    Handle go(Body body, Attributes attributes = {}, TaskOptions options = {});
    /// The same for a task of this scheduler, with its lock held: by what an event calls.
    Handle go_held(Body body, Attributes attributes = {});
    /// Runs tasks until none is alive. Returns at once if none is. Throws Stuck, and Misuse if called by a task. Returns
    /// those that ended by an exception since the last call: nobody else tells of them.
    [[nodiscard]] std::vector<Failure> run();

    // ---- what the student writes -----------------------------------------------------------------------------------------

    /// 4.1. Puts one that is new, suspended, sleeping or waiting to the end of the ready queue, and says so in its state.
    /// False, and nothing changes, if it is ready or running already, or dead. It must be in no other set (remove).
    bool make_ready(Task& task, Cause cause);
    /// 4.1. After a task has left the processor: puts it into the set that its state names.
    void insert_by_state(Task& task);

    /// 4.2. Into the sleep tree.
    void insert_sleeping(Task& task);
    /// 4.2. The first in the sleep tree, if its deadline is not later than `now`; else null. It stays there.
    Task* expired(std::uint64_t now) const;
    /// 4.2. Out of every tree that it is in, and it is told why. Its state does not change: make_ready or resume comes next.
    void remove(Task& task, Wake wake);

    /// 4.3. Into the wait set, and with a deadline into the sleep tree too; and it is watched for.
    void insert_waiting(Task& task);
    /// 4.3. Out of the wait set, and no longer watched for.
    void remove_waiting(Task& task);
    /// 4.3. The first in the wait set whom `event` is meant for; null if there is none. It stays there.
    Task* waiter(const Event& event) const;
    /// 4.3. Wakes one that sleeps or waits, before its time. False, and nothing changes, if it does neither.
    bool wake(Task& task, Wake wake, Cause cause);

    // ---- what is given ---------------------------------------------------------------------------------------------------

    /// Lets a task run until it yields, and inserts it. It must be in no set.
    /// Throws Misuse (bound_to_thread) for a bound one on any other thread than its own.
    void resume(Task& task) {
        require_own_thread(task);
        own_.running = &task;
        task.entered = true;
        if (ready_.is_long()) [[unlikely]]
            fetch_ahead(task);
        backend_->resume(task.core());
        insert_by_state(task);
    }
    /// What has happened to descriptors. Waits for an event if nobody is ready, until the first deadline at most. Throws
    /// Stuck if there is neither, and none will come.
    std::span<const Event> poll();
    /// ns; 0 while nobody sleeps, because looking at a clock is not free.
    std::uint64_t look_at_clock() const noexcept { return sleeping_.empty() ? 0 : kit::now(); }
    /// The next number for Task::order.
    std::uint64_t next_order() noexcept { return ++order_; }
    /// A task has ended: keeps what it threw, and wakes those who join it.
    void handle_exit(Task& task);
    /// interrupt(), and it is published. The lock is held. False also if the task has not left its machine yet.
    bool wake_and_notify(Task& task, Wake wake, Cause cause);
    /// Out of its trees and told why; ready, in a queue of the strategy. The lock is held. Only of one in the sleep tree.
    void wake_to_queue(ReadyQueue& queue, Task& task, Wake wake, Cause cause);
    /// A task that has ended is no longer kept: it is destroyed, unless a Handle keeps it.
    void release(Task& task) noexcept;

    // ---- what is given to loops of several machines ------------------------------------------------------------------------
    // A loop holds the lock; it lets go of it only while a task runs, and while the machine waits.

    /// The lock of everything in here, if several machines run it.
    Held hold() { return shared_ ? Held(lock_) : Held(); }
    kit::Lock& lock() noexcept { return lock_; }
    bool shared() const noexcept { return shared_; }
    const Settings& settings() const noexcept { return settings_; }

    /// Runs body(machine) on settings().machines threads, of which this is number 0; they share this scheduler. Throws Stuck
    /// when every machine is parked for ever.
    void run_on_machines(const std::function<void(Machine&)>& body) { run_on_machines(settings_.machines, body); }
    void run_on_machines(unsigned machines, const std::function<void(Machine&)>& body);
    /// The same with several schedulers, of which machine i takes number i modulo their count.
    void run_sharing(std::span<Scheduler* const> schedulers, unsigned machines,
                     const std::function<void(Machine&)>& body);
    /// run() tells of those of `other` too that ended by an exception.
    void adopt_failures(Scheduler& other);
    /// Which machine this is the scheduler of, if each has its own; else 0.
    unsigned machine() const noexcept { return own_.index; }
    /// Runs a task until it yields, and inserts it. Lets go of the lock while the task runs.
    void resume_unlocked(Held& held, Machine& machine, Task& task);
    /// The two halves of that, each without the lock: the task runs and yields; and it is inserted.
    void resume_on(Machine& machine, Task& task);
    void insert_yielded(Task& task);
    /// Wakes those whose time has come, and those whose events have.
    void wake_due();
    /// Nobody can run on this machine: waits until somebody may. One machine waits for the first deadline and for events, on
    /// behalf of all; the others park until unpark_one or unpark. May return for nothing.
    void wait_for_work(Held& held, Machine& machine);
    /// The same in steps, for a loop that must look once more in between: from announce_idle on it can be unparked; then it
    /// waits, or has found work after all.
    void announce_idle(Machine& machine);
    void park_or_poll(Held& held, Machine& machine);
    void cancel_idle(Machine& machine);

    /// Somebody can run: the machine that has been parked for longest is unparked, or else the one that waits for events.
    void unpark_one();
    void unpark(unsigned machine);
    void unpark_all();
    /// How many machines have announced that they are idle. Also without the lock.
    std::size_t idle() const noexcept { return idle_.load(std::memory_order_relaxed); }
    /// Throws Stuck if nobody is ready, and nobody who sleeps or waits can come to be. The lock is held, and no task runs.
    void throw_if_stuck();

    /// Tasks that have not ended, without those of the system. Also without the lock.
    std::size_t alive() const noexcept { return alive_.load(std::memory_order_relaxed); }
    ReadyQueue& ready() noexcept { return ready_; }
    SleepTree& sleeping() noexcept { return sleeping_; }
    WaitSet& waiting() noexcept { return waiting_; }
    EventSource& source() noexcept { return *source_; }
    const kit::CoroutineBackend& backend() const noexcept { return *backend_; }
    Strategy& strategy() noexcept { return *strategy_; }
    /// The task that was resumed last; whether it runs still is running_task()'s question.
    Task* running() const noexcept { return own_.running; }
    std::uint64_t birth() const noexcept { return birth_; }
    /// A task leaves, to wait for its descriptor; `frame` is an address on its stack, near where it will go on.
    void on_wait(const Task& task, const void* frame) {
        if (shared_) return;
        prefetcher_.note(task, frame);
        prefetcher_.fetch_ahead();
    }

  private:
    // What the next ones will touch is asked for while this one runs: the memory is far away, and the queue says who comes.
    // Inline by force: a compiler takes a function that only prefetches for one that does nothing, and leaves out the call.
    [[gnu::always_inline]] void fetch_ahead(const Task& task) const noexcept {
        kit::prefetch_stack(*backend_, ready_.front()->ready_next.next->ready_next.next->core());
        Task* far = const_cast<Task*>(task.ready_next.far);
        if (far == nullptr) return;
        __builtin_prefetch(&far->ready_next, 1);
        __builtin_prefetch(&far->core(), 1);
        __builtin_prefetch(&kit::registers_of<std::byte>(far->core()), 1);
    }
    Task& make(Body&& body, Attributes&& attributes);
    void admit(Task& task) noexcept;
    void begin(Task& task, TaskOptions options);
    bool wants_events() const noexcept { return !waiting_.empty() || source_->has_other_listeners(); }
    bool would_wait_forever() const;
    static std::string describe_stuck(std::span<Scheduler* const> schedulers);
    std::span<Event> look_for_events();
    std::span<Event> wait_for_events(std::uint64_t until);
    void unwind(Task& task);
    void unlink(Task& task) noexcept;
    void insert_shared(Task& task);
    void wake_remote_joiners(Held& held);
    void wake_expired(std::uint64_t now);
    void wake_waiters(std::span<Event> events);
    void park(Held& held, Machine& machine);
    void poll_for_all(Held& held, Machine& machine, std::uint64_t until);
    void count_idle() noexcept;
    void update_poller();
    std::uint64_t first_deadline() const noexcept;
    class Sharing;

    // What every switch touches stands together.
    const kit::CoroutineBackend* backend_;
    Machine own_{this};  // of the thread that made it
    ReadyQueue ready_;
    SleepTree sleeping_;
    WaitSet waiting_;

    StackPrefetcher prefetcher_;
    std::uint64_t birth_;
    std::uint64_t order_ = 0;
    std::atomic<std::size_t> alive_{0};
    Task* oldest_ = nullptr;
    Task* youngest_ = nullptr;
    std::unique_ptr<EventSource> own_source_;
    EventSource* source_;
    std::unique_ptr<Strategy> own_strategy_;
    Strategy* strategy_;
    std::vector<Failure> failures_;

    // Where several machines run it.
    static constexpr int kNobody = -1;
    Settings settings_;
    bool shared_ = false;
    kit::Lock lock_;
    kit::Machines* machines_ = nullptr;
    std::deque<unsigned> parked_;  // who has been parked for longest stands first
    std::atomic<std::size_t> idle_{0};
    int poller_ = kNobody;                // the machine that waits for events
    std::uint64_t poll_until_ = 0;        // ns: until when it does
    std::vector<Handle> remote_joiners_;  // tasks of other schedulers, who joined one that has ended here
};

[[noreturn, gnu::cold]] void refuse_as_no_task();
/// The task that runs on this thread. Throws Misuse (not_a_task) outside of tasks, and in a coroutine that a task has
/// resumed itself.
inline Task& running_task() {
    const kit::ThreadState& thread = kit::thread_state();
    const auto* machine = static_cast<const Machine*>(thread.scheduler);
    Task* task = machine == nullptr ? nullptr : machine->running;
    if (task == nullptr || thread.current != &task->core()) [[unlikely]]
        refuse_as_no_task();
    return *task;
}
/// Leaves the processor in state `left`, until the task's deadline, for the reason that the task tells. Returns how it was
/// woken. What a wake needs to know (deadline, fd, want, reason) must be set before.
Wake yield_as(Task& self, State left);

// ---- what a task calls ---------------------------------------------------------------------------------------------------

/// Scheduler::go of this thread's scheduler.
Handle go(Body body, Attributes attributes = {});
template <std::convertible_to<std::string> Name>
Handle go(Body body, Name&& name) {
    return go(std::move(body),
              Attributes{.name = std::string(std::forward<Name>(name)), .stack_size = kit::kDefaultStackSize});
}

/// Step 4.1. Gives way to the others: ready again at once, behind those that are ready now. Throws Misuse outside of tasks.
void yield();
/// Step 4.2. Sleeps for `ns`, at least; 0 is a yield. `timeout` is how it should end; the others say that someone has
/// woken it early.
Wake sleep_for(std::uint64_t ns);
/// Step 4.3. Waits until `fd` can be read or written, `limit` ns at most (kNever: as long as it takes; 0: until the next
/// look). `event` says that it may be tried now; others may have been woken by the same event. Throws std::system_error for a
/// descriptor that cannot be.
Wake wait_for(int fd, Want want, std::uint64_t limit = kNever);
inline Wake wait_readable(int fd, std::uint64_t limit = kNever) { return wait_for(fd, Want::read, limit); }
inline Wake wait_writable(int fd, std::uint64_t limit = kNever) { return wait_for(fd, Want::write, limit); }

/// Waits for wake() or cancel(). `reason` says for what ("a full basket") and must live until then.
Wake park(const char* reason);
/// The same for `limit` ns at most (kNever: as long as it takes).
Wake park_for(const char* reason, std::uint64_t limit);
/// The same, holding `lock`, which is released when the task has left: so nobody can look for it in vain in between, and
/// wake it for nothing. `lock` guards what it waits for; who wakes it holds it too, or has held it since.
Wake park(const char* reason, kit::Lock& lock);
/// A task that only machine `machine` may run, where the strategy knows several.
Handle go_on(unsigned machine, Body body, Attributes attributes = {});
/// A task of the system: run() does not wait for its end, and goes on with it when it is called again.
Handle go_system(Body body, Attributes attributes = {});
/// Waits for a task's end. `event` when it has ended, at once if it has already; `cancelled` if the waiting was.
Wake join(const Handle& handle);

/// Wakes a task that sleeps, waits or is parked; it is told `event`. False, and nothing happens, if it does none of these.
/// This, cancel and join throw Misuse (bound_to_thread) for a task that is bound to another thread.
bool wake(const Handle& handle);
/// The same, and it is told `cancelled`. Cancelling ends a wait, not the task: that decides itself what to do then.
bool cancel(const Handle& handle);

}  // namespace fiberscope::lab04
