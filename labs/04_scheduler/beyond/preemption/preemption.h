// Step 4.17: preemption. A signal takes a task off the processor that does not give way, as Go does since 1.14
// (asyncPreempt, SIGURG); a safe point is what Go had before, and what compilers of other languages put into loops.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "labs/04_scheduler/scheduler.h"
#include "labs/04_scheduler/tasks.h"

namespace fiberscope::lab04 {

/// Before a function: a signal may take a task off the processor between any two of its instructions. All such
/// functions lie in one section, so a handler knows them by the program counter. What they call lies elsewhere
/// (malloc, a lock, the scheduler), unless the compiler has inlined it.
#define FIBERSCOPE_PREEMPTIBLE __attribute__((section("preemptible"), noinline))

/// As long as it lives, SIGURG comes to this thread once per quantum. Under the virtual clock work_preemptibly() raises
/// the signal. Otherwise a timer on CLOCK_MONOTONIC does; one on CLOCK_THREAD_CPUTIME_ID fires only at the kernel's
/// tick, every 1 to 10 ms. So a quantum is real time. It also passes while another process has the processor, and while
/// this thread sleeps: the signal then interrupts the system call, which is restarted (SA_RESTART) or fails with EINTR.
///
/// The handler preserves what the kernel does not restore when it returns: errno.
///
/// For the scheduler of this thread, one that has one thread: code that is stopped anywhere may have put the address of
/// a thread's variable into a register. A task that was stopped must run to its end: its stack cannot be unwound,
/// because a compiler lets an exception leave a function only where that calls another. A scheduler that ends before
/// such a task ends the program with a sentence that names the task. A Preemption lives until run() has returned.
class Preemption {
  public:
    /// `quantum`: ns, at least 1000, and at least 20,000 by the real clock, since a signal and a switch take some
    /// microseconds of it. Throws std::logic_error if this thread has no scheduler, a scheduler of several threads, or
    /// a Preemption already; std::invalid_argument for a shorter quantum; std::system_error if the system has no timer
    /// for it.
    explicit Preemption(std::uint64_t quantum);
    ~Preemption();
    Preemption(const Preemption&) = delete;
    Preemption& operator=(const Preemption&) = delete;

    // ---- what the student writes: step 4.17 -------------------------------------------------------------------------

    /// 4.17. The quantum is used up: called in the signal's handler, on the stack of what runs, which has been stopped
    /// at `pc`. If that is preemptible code of a task that does not forbid it, the task gives way by stop(), and this
    /// returns when it has its turn again. Otherwise the task that runs is asked to give way: safe_point() will do so.
    /// Where no task runs, nothing happens. SIGURG is blocked in this thread when it is called, and must not be while
    /// other tasks run.
    void on_tick(std::uintptr_t pc);
    /// 4.17. The task that runs must not be stopped from here on; and it may be again. They nest, and each task counts
    /// for itself.
    void forbid();
    void allow();
    /// 4.17. Gives way if the task that runs was asked to, once; nothing if another was. Does nothing where it is
    /// forbidden.
    void safe_point();

    // ---- what is given ----------------------------------------------------------------------------------------------

    /// Whether the instruction at `pc` is one of a function that is preemptible.
    static bool is_preemptible(std::uintptr_t pc) noexcept;
    /// SIGURG can come to this thread again. In a handler it is blocked, and a switch does not change that: the kernel
    /// unblocks it when the handler returns.
    static void unblock_signal() noexcept;
    /// The running task is ready again, and the others go first. It returns when it has its turn. Recorded.
    void stop();
    /// The task that runs; null while the loop does, or the program outside of tasks. For a handler too.
    Task* running() const noexcept;
    /// How many forbid() of `task` have no allow() yet. Of a task that never forbade it, 0; allocates nothing then.
    static unsigned forbidden(Task& task) { return task.has_cold_state() ? task.forbids_preemption() : 0; }
    /// The one of this thread; null if there is none.
    static Preemption* here() noexcept;

    /// Calls `act`, in which the task that runs must not be stopped: it holds a lock that others take, say. Then it
    /// gives way if it was asked to meanwhile; not if `act` throws.
    template <class Act>
    void without(Act&& act) {
        {
            const Forbidden forbidden(*this);
            std::forward<Act>(act)();
        }
        safe_point();
    }
    /// How often a task was stopped.
    std::uint64_t stops() const noexcept { return stops_; }
    /// The processor was used for `ns` under the virtual clock; whether the quantum is used up.
    bool use(std::uint64_t ns) noexcept;
    /// How much of the quantum is left under the virtual clock, ns.
    std::uint64_t left() const noexcept { return quantum_ - used_; }

  private:
    struct Forbidden {
        explicit Forbidden(Preemption& of) : preemption(of) { preemption.forbid(); }
        ~Forbidden() { preemption.allow(); }
        Forbidden(const Forbidden&) = delete;
        Forbidden& operator=(const Forbidden&) = delete;
        Preemption& preemption;
    };
    class Signal;

    Scheduler& sched_;
    const std::uint64_t quantum_;
    std::unique_ptr<Signal> signal_;
    std::uint64_t used_ = 0, stops_ = 0;
    Task* asked_ = nullptr;  // the task that a tick could not stop: it shall give way at its next safe point
};

/// Works as kit::work() does, in code that can be stopped; without a Preemption it is the same.
FIBERSCOPE_PREEMPTIBLE void work_preemptibly(std::uint64_t ns);

}  // namespace fiberscope::lab04
