// Step 4.16: a blocked thread gives its work away. Go 1.1 added the P (processor) to the scheduler of step 4.8: the
// right to run Gs, with a queue of them. A machine runs Gs as long as it has a P. A blocking call blocks the machine
// but not its P: another machine may take it, with its queue (entersyscall, exitsyscall, handoffp and retake in Go's
// proc.go).
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "labs/04_scheduler/go_scheduler.h"
#include "labs/kit/machines/atomic.h"

namespace fiberscope::lab04 {

/// P.
struct GoProcessor : LocalQueue {
    static constexpr unsigned kNoCaller = std::numeric_limits<unsigned>::max();

    GoProcessor(unsigned machine, std::string queue);

    const std::string queue_name;  ///< "runnable of P 0", as a message

    /// The machine that has this P and is in a blocking call; the one that changes this to kNoCaller gets the P.
    /// kNoCaller: the P must not be taken from its machine.
    kit::Atomic<unsigned> caller{kNoCaller};
    kit::Atomic<std::uint64_t> since{0};  ///< ns: start of that call, by the clock of its machine
};

/// Expected length of a call. For one that is surely long the P is given away immediately (Go: entersyscallblock),
/// without waiting for the monitor.
enum class CallLength : std::uint8_t { unknown, surely_long };

/// The M:G scheduler of step 4.8 with settings().machines Ps, settings().spares additional machines, and a last machine
/// that runs no G: the monitor (Go: sysmon). A machine with a P works as in step 4.8. The lock of the scheduler guards
/// the assignment of Ps to machines; only the CAS of `caller` is done without it.
class GoProcessors : public GoScheduler {
  public:
    /// ns: time in a call after which the monitor takes a machine's P, and the monitor's period while any machine is in
    /// a call.
    static constexpr std::uint64_t kMonitorPeriod = 20'000;

    GoProcessors(unsigned processors, unsigned spares);

    // ---- you write --------------------------------------------------------------------------------------------------

    /// Claims the P of a machine `caller` that is in a call, to get it back or to take it: returns true for exactly one
    /// of all that try, and from then on no other machine may take it. False if that machine is not in a call with this
    /// P.
    static bool claim(GoProcessor& p, unsigned caller);
    /// Called before the running task of `machine` makes a call that may block. The P may be taken as soon as `caller`
    /// is set; `since` must be valid before. If the call is surely long, gives the P away immediately, if possible.
    /// Otherwise calls the monitor if it sleeps. Acquires no lock if the length is unknown and the monitor is awake.
    void enter_blocking(WorkerPool& sched, Machine& machine, CallLength length) KIT_EXCLUDES(sched.lock());
    /// Gives the P of machine `from`, which is in a call, with its queue to the machine that has waited longest for a
    /// P, and unparks that machine. No-op that returns false if no machine waits for one or if the call has ended
    /// meanwhile.
    bool give_away(WorkerPool& sched, unsigned from) KIT_REQUIRES(sched.lock());
    /// Called after the call. Returns true if the machine has a P: its old one if that was not taken (without a lock),
    /// else that of a parked machine, which then waits for a P. False: it has none, and the task must leave.
    bool leave_blocking(WorkerPool& sched, Machine& machine) KIT_EXCLUDES(sched.lock());
    /// Called by the monitor: gives away the P of each machine that has been in a call for kMonitorPeriod or longer;
    /// `since` may be ahead of the monitor's clock. Returns whether any machine is still in a call with its P, so that
    /// the monitor must check again.
    bool retake(WorkerPool& sched) KIT_REQUIRES(sched.lock());

    // ---- given ------------------------------------------------------------------------------------------------------

    /// Returns the P of machine `machine`; if it has none, a dummy that is never in a call and whose queue is unused.
    GoProcessor& processor_of(unsigned machine) noexcept { return static_cast<GoProcessor&>(local(machine)); }
    bool has_processor(unsigned machine) noexcept { return &processor_of(machine) != &none_; }
    /// Moves the P of `from`, which has been claimed or whose machine is parked, to machine `to`, which has none.
    /// Recorded.
    void move(WorkerPool& sched, unsigned from, unsigned to) KIT_REQUIRES(sched.lock());
    /// Machines that wait for a P: they have none and are in no call. The one that has waited longest is first.
    std::deque<unsigned>& waiting_machines(WorkerPool& sched) KIT_REQUIRES(sched.lock());
    /// Whether the monitor sleeps until it is called. Does not need the lock.
    bool monitor_sleeps() const { return monitor_sleeps_.load(); }
    /// Makes the monitor check all machines again. No-op if it does not sleep.
    void call_monitor(WorkerPool& sched) KIT_EXCLUDES(sched.lock());
    unsigned monitor() const noexcept { return machines(); }

    void run(Scheduler& sched) override;
    bool has_work(WorkerPool& sched, const Machine& machine) override KIT_REQUIRES(sched.lock());
    /// A G created in a blocking call goes to the global queue.
    void make_new_ready_shared(WorkerPool& sched, Task& g) override KIT_REQUIRES(sched.lock());
    /// Throws std::logic_error if a G yields in a blocking call.
    void leave(Task& self, State left, std::int64_t until, const char* reason) override;
    std::string work_for(WorkerPool& sched, unsigned machine) override;

  private:
    void run_machine(WorkerPool& sched, Machine& machine) KIT_EXCLUDES(sched.lock());
    void run_monitor(WorkerPool& sched) KIT_EXCLUDES(sched.lock());
    void resume_or_leave(WorkerPool& sched, Machine& machine, Task& g) KIT_EXCLUDES(sched.lock());
    void wait_for_processor(WorkerPool& sched, const Machine& machine) KIT_EXCLUDES(sched.lock());
    friend void blocking(const std::function<void()>& call, CallLength length);

    void forget();
    void begin_with_root(WorkerPool& sched, Machine& machine) KIT_EXCLUDES(sched.lock());
    std::vector<std::unique_ptr<GoProcessor>> processors_;
    GoProcessor none_;  // shared by all machines without a P
    std::deque<unsigned> waiting_;
    std::vector<std::uint8_t> in_call_;  // by machine: whether it is in a blocking call; accessed by the machine only
    kit::Atomic<bool> monitor_sleeps_{false};
    bool monitor_rests_ = false;  // the same, for an explorer
};

/// Given. In a task: makes a call that may block the thread, for example `read` from a disk. With the strategy "go_p"
/// the P may be taken meanwhile, and the task may return on another machine; with any other, the machine keeps its
/// queue. The call must read errno before it returns, and must not yield or wait. Propagates its exceptions. Recorded.
void blocking(const std::function<void()>& call, CallLength length = CallLength::unknown);
/// Given. For the call: blocks this thread for `ns`. With the virtual clock the machine is away for that time, and the
/// others continue.
void block_thread_for(std::uint64_t ns);

}  // namespace fiberscope::lab04
