// Step 4.16: a blocked thread gives its work away. What Go 1.1 added to the scheduler of step 4.8: the P (processor),
// the right to run Gs, and with it a queue of them. A machine runs Gs as long as it has a P. A call that blocks the
// thread keeps the machine, and not the P: another machine may take it, with its queue (entersyscall, exitsyscall,
// handoffp and retake in Go's proc.go).
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

    /// The machine that has this P and is in a call that blocks: whoever changes that to kNoCaller has the P.
    /// kNoCaller: no machine may take it from the one that has it.
    kit::Atomic<unsigned> caller{kNoCaller};
    kit::Atomic<std::uint64_t> since{0};  ///< ns: when that call began, by the clock of its machine
};

/// How long a call will be, as far as its task knows. Of one that is surely long the P goes away at once (Go:
/// entersyscallblock), without waiting for the monitor.
enum class CallLength : std::uint8_t { unknown, surely_long };

/// The M:G scheduler of step 4.8 with as many Ps as settings().machines, settings().spares machines besides, and one
/// more machine, the last, that runs no G: the monitor (Go: sysmon). What a machine does with a P is step 4.8's. The
/// lock of the scheduler guards which machine has which P; only the CAS of a caller is made without it.
class GoProcessors : public GoScheduler {
  public:
    /// ns: how long a machine may be in a call before the monitor takes its P, and how long the monitor sleeps between
    /// two looks as long as any machine is in a call.
    static constexpr std::uint64_t kMonitorPeriod = 20'000;

    GoProcessors(unsigned processors, unsigned spares);

    // ---- you write --------------------------------------------------------------------------------------------------

    /// The call of machine `caller` is over for its P, or the P is taken from it: exactly one of all that try gets
    /// true, and from then on no other machine may take it. False if that machine is in no call with this P.
    static bool claim(GoProcessor& p, unsigned caller);
    /// The task that runs on `machine` is about to make a call that may block. From here on the P may be taken, from
    /// its `caller` on; `since` is true before. If the length is surely long the P is given away at once, if that is
    /// possible. Else the monitor is called if it sleeps. Takes no lock if the length is unknown and the monitor is
    /// awake.
    void enter_blocking(WorkerPool& sched, Machine& machine, CallLength length) KIT_EXCLUDES(sched.lock());
    /// The P of machine `from`, which is in a call, goes with its queue to the machine that has waited for one for
    /// longest; that one is unparked. False, and nothing happens, if no machine waits for one or if the call is over
    /// meanwhile.
    bool give_away(WorkerPool& sched, unsigned from) KIT_REQUIRES(sched.lock());
    /// The call is over. True if the machine has a P: its old one if that was not taken (without a lock), else the one
    /// of a machine that is parked, which waits for a P from then on. False: it has none, and the task must leave.
    bool leave_blocking(WorkerPool& sched, Machine& machine) KIT_EXCLUDES(sched.lock());
    /// The monitor looks at all machines: gives away the P of each that has been in a call for kMonitorPeriod or
    /// longer; `since` may be ahead of the monitor's clock. Returns whether any machine is in a call with its P still,
    /// so that it must look again.
    bool retake(WorkerPool& sched) KIT_REQUIRES(sched.lock());

    // ---- given ------------------------------------------------------------------------------------------------------

    /// The P that machine `machine` has; if it has none, one that is never in a call and has no queue that is used.
    GoProcessor& processor_of(unsigned machine) noexcept { return static_cast<GoProcessor&>(local(machine)); }
    bool has_processor(unsigned machine) noexcept { return &processor_of(machine) != &none_; }
    /// The P of `from`, which has been claimed or whose machine is parked, belongs to `to` from now on, which has none;
    /// it is recorded.
    void move(WorkerPool& sched, unsigned from, unsigned to) KIT_REQUIRES(sched.lock());
    /// Machines that have no P, are in no call, and wait for one: the one that has waited for longest stands first.
    std::deque<unsigned>& waiting_machines(WorkerPool& sched) KIT_REQUIRES(sched.lock());
    /// Whether the monitor sleeps until it is called. Also without the lock.
    bool monitor_sleeps() const { return monitor_sleeps_.load(); }
    /// It looks at all machines again. Nothing happens if it does not sleep.
    void call_monitor(WorkerPool& sched) KIT_EXCLUDES(sched.lock());
    unsigned monitor() const noexcept { return machines(); }

    void run(Scheduler& sched) override;
    bool has_work(WorkerPool& sched, const Machine& machine) override KIT_REQUIRES(sched.lock());
    /// A G that is begun in a call that blocks goes to the global queue.
    void make_new_ready_shared(WorkerPool& sched, Task& g) override KIT_REQUIRES(sched.lock());
    /// Refuses with std::logic_error a G that yields in a call that blocks.
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
    GoProcessor none_;  // of all machines that have no P
    std::deque<unsigned> waiting_;
    std::vector<std::uint8_t> in_call_;  // by machine: its own note that it is in a call that blocks
    kit::Atomic<bool> monitor_sleeps_{false};
    bool monitor_rests_ = false;  // the same, for an explorer
};

/// Given. On a task: makes a call that may block the thread, `read` from a disk for example. Under the strategy "go_p"
/// the P may be taken meanwhile, and the task may return on another machine; under any other, its machine keeps its
/// queue. The call must take what it needs of errno before it returns, and must not yield or wait. What it throws comes
/// out of here. It is recorded.
void blocking(const std::function<void()>& call, CallLength length = CallLength::unknown);
/// Given. For the call: blocks this thread for `ns`. Under the virtual clock the machine is away for so long, and the
/// others go on.
void block_thread_for(std::uint64_t ns);

}  // namespace fiberscope::lab04
