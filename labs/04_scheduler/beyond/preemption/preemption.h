// Step 4.17: preemption. A signal preempts a task that does not yield, as in Go since 1.14 (asyncPreempt, SIGURG); Go
// used safe points before, which compilers of other languages insert into loops.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "labs/04_scheduler/scheduler.h"
#include "labs/04_scheduler/tasks.h"

namespace fiberscope::lab04 {

/// Attribute of a function: a signal may preempt a task between any two of its instructions. All such functions are in
/// one section, so a handler recognizes them by the program counter. The functions that they call are elsewhere
/// (malloc, a lock, the scheduler), unless the compiler has inlined them.
#define FIBERSCOPE_PREEMPTIBLE __attribute__((section("preemptible"), noinline))

/// For its lifetime, sends SIGURG to this thread once per quantum. With the virtual clock work_preemptibly() raises the
/// signal. Otherwise a timer on CLOCK_MONOTONIC does; one on CLOCK_THREAD_CPUTIME_ID fires only at the kernel's tick,
/// every 1 to 10 ms. So a quantum is real time. It also elapses while another process has the processor, and while this
/// thread sleeps: the signal then interrupts the system call, which is restarted (SA_RESTART) or fails with EINTR.
///
/// The handler preserves what the kernel does not restore when it returns: errno.
///
/// Only for schedulers with one thread: interrupted code may have the address of a thread_local variable in a register.
/// A task that was stopped must run to its end: its stack cannot be unwound, because exceptions can only leave a
/// function at calls. Destroying the scheduler before such a task has ended terminates the program with a message that
/// names the task. A Preemption must live until run() has returned.
class Preemption {
  public:
    /// `quantum`: ns, at least 1000, and at least 20,000 with the real clock, since a signal and a switch take some
    /// microseconds. Throws std::logic_error if this thread has no scheduler, a scheduler of several threads, or or
    /// already a Preemption; std::invalid_argument for a shorter quantum; std::system_error if no timer can be created.
    explicit Preemption(std::uint64_t quantum);
    ~Preemption();
    Preemption(const Preemption&) = delete;
    Preemption& operator=(const Preemption&) = delete;

    // ---- what the student writes: step 4.17 -------------------------------------------------------------------------

    /// 4.17. Called in the signal handler at the end of a quantum, on the stack of the interrupted code, which was
    /// stopped at `pc`. If that is preemptible code of a task that does not forbid it, yields by stop(), and returns at
    /// the task's next turn. Otherwise requests a yield at the task's next safe_point(). No-op outside of tasks. SIGURG
    /// is blocked in this thread when this is called, and must not be while other tasks run.
    void on_tick(std::uintptr_t pc);
    /// 4.17. Forbids, or allows again, stopping the running task. They nest, and are counted per task.
    void forbid();
    void allow();
    /// 4.17. Yields if this was requested of the running task, once per request. No-op while it is forbidden.
    void safe_point();

    // ---- what is given ----------------------------------------------------------------------------------------------

    /// Whether the instruction at `pc` is in a preemptible function.
    static bool is_preemptible(std::uintptr_t pc) noexcept;
    /// Unblocks SIGURG in this thread. It is blocked in a handler until that returns, and a switch does not change
    /// that.
    static void unblock_signal() noexcept;
    /// Yields the running task, which stays ready. Returns at its next turn. Recorded.
    void stop();
    /// The running task; null in the loop or outside of tasks. Safe in a signal handler.
    Task* running() const noexcept;
    /// Number of forbid() calls of `task` without allow(). Allocates nothing if there were none.
    static unsigned forbidden(Task& task) { return task.has_cold_state() ? task.forbids_preemption() : 0; }
    /// The Preemption of this thread, or null.
    static Preemption* here() noexcept;

    /// Calls `act`, during which the running task must not be stopped, for example because it holds a lock. Afterwards
    /// yields if that was requested meanwhile, unless `act` throws.
    template <class Act>
    void without(Act&& act) {
        {
            const Forbidden forbidden(*this);
            std::forward<Act>(act)();
        }
        safe_point();
    }
    /// Number of times that a task was stopped.
    std::uint64_t stops() const noexcept { return stops_; }
    /// Accounts for `ns` of processor time with the virtual clock; returns whether the quantum is used up.
    bool use(std::uint64_t ns) noexcept;
    /// Remaining quantum with the virtual clock, ns.
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
    Task* asked_ = nullptr;  // the task that a tick could not stop; yields at its next safe point
};

/// As kit::work(), but in preemptible code; without a Preemption it is the same.
FIBERSCOPE_PREEMPTIBLE void work_preemptibly(std::uint64_t ns);

}  // namespace fiberscope::lab04
