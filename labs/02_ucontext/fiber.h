// Step 2.4: sylar's fibers. A thread has three contexts: its own, its scheduler's, and that of the running task. Every
// fiber swaps with one of the first two, selected by `run_in_scheduler`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "labs/02_ucontext/job.h"
#include "labs/02_ucontext/jump.h"

namespace fiberscope::lab02 {

/// sylar's states. A trace distinguishes more of them: ready is new, suspended or ready; running is running or normal
/// (waiting for a fiber that it resumed); term is dead.
enum class FiberStatus : std::uint8_t { ready, running, term };

struct FiberAttributes {
    std::string name;                                 ///< empty: "coroutine ID"
    std::size_t stack_size = kit::kDefaultStackSize;  ///< bytes, rounded up to whole pages
    bool run_in_scheduler = true;              ///< swaps with the thread's scheduler, otherwise with the thread itself
    trace::CoKind kind = trace::CoKind::task;  ///< kind in a trace
};

class Fiber;

/// The fibers of a thread. As sylar's t_fiber, t_threadFiber and t_schedulerFiber.
struct ThreadFibers {
    Fiber* current = nullptr;    ///< the running fiber
    Fiber* own = nullptr;        ///< the thread's own context; null until created by Fiber::of_this_thread()
    Fiber* scheduler = nullptr;  ///< the scheduler's context; the thread's own without a scheduler
};

/// Given. Returns a reference that is valid until the next switch, because a fiber may continue on another thread; call
/// this again afterwards. May be called at any time.
ThreadFibers& fibers_of_this_thread() noexcept;

/// A fiber: a stack that runs one function after another. In a trace each of these functions is a separate coroutine
/// that reuses the stack of the previous one.
class Fiber {
  public:
    /// Allocates a stack; does not run the function yet. Throws std::system_error if no stack can be allocated.
    explicit Fiber(kit::Body body, FiberAttributes attributes = {});
    /// Unwinds the stack of a suspended fiber. Aborts with a message if the fiber is running, waits for another, or is
    /// queued.
    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /// Step 2.4. Returns the fiber of the thread's own context, the same at every call on that thread. The first call
    /// creates it (adopt_thread) and sets the thread's current, own and scheduler fiber to it. As sylar's
    /// Fiber::GetThis.
    static Fiber& of_this_thread();

    /// Step 2.4. Runs the fiber until it yields or ends; then returns, or rethrows the exception that escaped its
    /// function. Throws Misuse and changes nothing: resume_of_dead if it is term, resume_of_running if it is running,
    /// child_resumes if the current fiber is not its partner (checked in this order). As sylar's resume.
    void resume();

    /// Step 2.4. Switches from the current fiber to its partner and leaves it ready. Throws Misuse of kind
    /// yield_outside in the thread's own fiber, and kit::Unwind in a fiber that is being destroyed. As sylar's yield.
    static void yield();

    /// Step 2.4. Makes a term fiber ready again, with another function on the same stack. Throws Misuse of kind
    /// illegal_step if it is not term. As sylar's reset.
    void reset(kit::Body body);

    /// Step 2.4. The state in sylar's terms.
    FiberStatus status() const noexcept;

    bool run_in_scheduler() const noexcept { return run_in_scheduler_; }
    /// The registers and the state of the current life, or of the last one.
    kit::Core& core() noexcept { return life_ != nullptr ? static_cast<kit::Core&>(*life_) : *thread_core_; }
    const kit::Core& core() const noexcept { return const_cast<Fiber*>(this)->core(); }

  private:
    /// State from one reset to the next.
    struct Life : kit::Owner<Context> {
        Life(const FiberAttributes& attributes, kit::Stack&& stack, std::uint32_t reuses, kit::Body&& body,
             Fiber& self);
        Job job;
        Fiber& fiber;
        bool entered = false;
    };

    explicit Fiber(kit::Core& thread_core);

    static void entry(void* life);    // given: the entry of every fiber; calls run, then finish
    static Fiber& adopt_thread();     // given: a fiber for the thread's own context, until the thread ends
    void begin_life(kit::Body body);  // given: a new life on the stack of the dead one
    void unwind();                    // given: unwinds a suspended fiber, for the destructor
    void after_end();                 // given: rethrows; the stack stays for a reset

    kit::Step resume_step() const noexcept;  // given: start the first time, then resume; the resumer is normal
    Fiber& partner();          // 2.4: the fiber to swap with, by run_in_scheduler: the scheduler's or the thread's
    void finish();             // 2.4: leaves for good
    void resume_until_term();  // 2.4: called by unwind when every yield throws; may throw

    FiberAttributes attributes_;
    bool run_in_scheduler_ = false;
    std::unique_ptr<Life> life_;        // null in the fiber of a thread
    kit::Core* thread_core_ = nullptr;  // not null in the fiber of a thread
};

/// A FIFO queue of runnable fibers; recorded as a set of role `ready`. Does not own the fibers.
class FiberQueue {
  public:
    explicit FiberQueue(std::string name) : name_(std::move(name)) {}
    bool empty() const noexcept { return fibers_.empty(); }
    std::size_t size() const noexcept { return fibers_.size(); }
    /// Enqueues `fiber`, which becomes `ready`. Throws Misuse of kind illegal_step if it is term, running or already
    /// queued.
    void push(Fiber& fiber);
    /// Dequeues the oldest fiber. The queue must not be empty.
    Fiber& pop();

  private:
    std::string name_;
    std::uint32_t set_ = trace::kNone;
    std::deque<Fiber*> fibers_;
};

/// sylar's scheduler for the thread that creates it: a fiber that runs tasks, first come, first served.
class Scheduler {
  public:
    explicit Scheduler(std::string name = "scheduler");

    /// Appends the task to the queue; it must live until it has ended. Throws Misuse of kind child_resumes if it is not
    /// run_in_scheduler, illegal_step if it is term, running or already scheduled.
    void schedule(Fiber& task);
    /// Switches from the thread's own context to the scheduler's, which runs all tasks to completion. Rethrows an
    /// exception that escapes a task; the other tasks stay queued, and run() may be called again.
    void run();

  private:
    void loop();  // 2.4: runs tasks until the queue is empty; appends a task that has yielded

    FiberQueue tasks_;
    Fiber fiber_;
};

}  // namespace fiberscope::lab02
