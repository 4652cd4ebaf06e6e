// Step 2.4: sylar's fibers. A thread has three contexts: its own, its scheduler's, and that of the task that runs.
// Every fiber swaps with one of the first two, and `run_in_scheduler` says with which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "labs/02_ucontext/job.h"
#include "labs/02_ucontext/jump.h"

namespace fiberscope::lab02 {

/// sylar's states. A trace tells more: ready is our new, suspended or ready; running is our running or normal (it waits
/// for one that it resumed); term is our dead.
enum class FiberStatus : std::uint8_t { ready, running, term };

struct FiberAttributes {
    std::string name;                                 ///< empty: "coroutine ID"
    std::size_t stack_size = kit::kDefaultStackSize;  ///< bytes, rounded up to whole pages
    bool run_in_scheduler = true;              ///< swaps with the thread's scheduler; else with the thread itself
    trace::CoKind kind = trace::CoKind::task;  ///< what a trace calls it
};

class Fiber;

/// What a thread keeps about fibers. As sylar's t_fiber, t_threadFiber and t_schedulerFiber.
struct ThreadFibers {
    Fiber* current = nullptr;    ///< the one that runs
    Fiber* own = nullptr;        ///< the thread's own context; null until Fiber::of_this_thread() has made it
    Fiber* scheduler = nullptr;  ///< the scheduler's context; without a scheduler the thread's own
};

/// Given. Valid until the next switch: a fiber may go on on another thread, so ask again. May be asked at any time.
ThreadFibers& fibers_of_this_thread() noexcept;

/// A fiber: a stack that runs one function after another. Each function that it runs is a coroutine of its own in a
/// trace; the later ones reuse the earlier ones' stack.
class Fiber {
  public:
    /// Takes a stack; nothing runs yet. Throws std::system_error if no stack can be had.
    explicit Fiber(kit::Body body, FiberAttributes attributes = {});
    /// Unwinds the stack of a suspended fiber. One that runs, waits for another, or stands in a queue must not be
    /// destroyed: the program ends with a sentence that says so.
    ~Fiber();
    Fiber(const Fiber&) = delete;
    Fiber& operator=(const Fiber&) = delete;

    /// Step 2.4. The fiber of the thread's own context, the same at every call on that thread. The first call makes it
    /// (adopt_thread): then it is the thread's current fiber, its own, and its scheduler. As sylar's Fiber::GetThis.
    static Fiber& of_this_thread();

    /// Step 2.4. Runs it until it yields or ends; then returns, or rethrows what its function let escape. Throws
    /// Misuse, before anything has changed: resume_of_dead if it is term, resume_of_running if it is running, and
    /// child_resumes if another one runs than the fiber that it swaps with: for the first of these that holds. As
    /// sylar's resume.
    void resume();

    /// Step 2.4. Leaves the fiber that runs on this thread for the one that it swaps with; then it is ready. Throws
    /// Misuse of kind yield_outside in the thread's own fiber, and kit::Unwind in one that is being destroyed. As
    /// sylar's yield.
    static void yield();

    /// Step 2.4. Makes a fiber that is term ready again, with another function on the same stack. Throws Misuse of kind
    /// illegal_step if it is not term. As sylar's reset.
    void reset(kit::Body body);

    /// Step 2.4. In sylar's words.
    FiberStatus status() const noexcept;

    bool run_in_scheduler() const noexcept { return run_in_scheduler_; }
    /// What runs in it now, or ran last: the registers and the state.
    kit::Core& core() noexcept { return life_ != nullptr ? static_cast<kit::Core&>(*life_) : *thread_core_; }
    const kit::Core& core() const noexcept { return const_cast<Fiber*>(this)->core(); }

  private:
    /// What lasts from one reset to the next.
    struct Life : kit::Owner<Context> {
        Life(const FiberAttributes& attributes, kit::Stack&& stack, std::uint32_t reuses, kit::Body&& body,
             Fiber& self);
        Job job;
        Fiber& fiber;
        bool entered = false;
    };

    explicit Fiber(kit::Core& thread_core);

    static void entry(void* life);    // given: the entry of every fiber: run, then finish
    static Fiber& adopt_thread();     // given: the fiber around the thread's own context, kept until the thread ends
    void begin_life(kit::Body body);  // given: a new life on the stack of the dead one
    void unwind();                    // given: what the destructor does with a suspended fiber
    void after_end();                 // given: rethrows; the stack stays for a reset

    kit::Step resume_step() const noexcept;  // given: the first entry is a start, the others resume it; the other waits
    Fiber& partner();          // 2.4: the one that it swaps with: by run_in_scheduler, the scheduler's or the thread's
    void finish();             // 2.4: the way out for the last time
    void resume_until_term();  // 2.4: what unwind does once every yield throws; what the function throws may come out

    FiberAttributes attributes_;
    bool run_in_scheduler_ = false;
    std::unique_ptr<Life> life_;        // null in the fiber of a thread
    kit::Core* thread_core_ = nullptr;  // not null in the fiber of a thread
};

/// A queue of fibers that wait to be run, first come, first served; recorded as a set of role `ready`. Owns no fiber.
class FiberQueue {
  public:
    explicit FiberQueue(std::string name) : name_(std::move(name)) {}
    bool empty() const noexcept { return fibers_.empty(); }
    std::size_t size() const noexcept { return fibers_.size(); }
    /// It is `ready` from now on. Throws Misuse of kind illegal_step if it is term, running or queued already.
    void push(Fiber& fiber);
    /// The one that came first. The queue must not be empty.
    Fiber& pop();

  private:
    std::string name_;
    std::uint32_t set_ = trace::kNone;
    std::deque<Fiber*> fibers_;
};

/// sylar's scheduler for one thread, the one that makes it: a fiber that runs tasks, first come, first served.
class Scheduler {
  public:
    explicit Scheduler(std::string name = "scheduler");

    /// The task stands at the end of the queue; it must live until it has ended. Throws Misuse of kind child_resumes if
    /// it does not run_in_scheduler, illegal_step if it is term, running or scheduled already.
    void schedule(Fiber& task);
    /// On the thread's own context: switches to the scheduler's, which runs all tasks to their end. Rethrows what a
    /// task let escape; the other tasks are then still queued, and run() may be called again.
    void run();

  private:
    void loop();  // 2.4: runs the tasks until there is none; one that has yielded goes to the end of the queue

    FiberQueue tasks_;
    Fiber fiber_;
};

}  // namespace fiberscope::lab02
