// Shared by the tests of step 4.8: queues without threads, and programs on several machines.
#pragma once

#include "labs/04_scheduler/go_scheduler.h"
#include "labs/04_scheduler/tests/support.h"
#include "labs/kit/machines/work.h"

namespace fiberscope::lab04::testing {

/// Queues of machines without threads: Gs that never run, placed by the test.
struct Queues {
    explicit Queues(unsigned machines) : Queues(machines, machines) {}
    Queues(unsigned machines, unsigned threads) : sched(Settings{.machines = threads}), gs(machines) {
        use_virtual_time();
    }

    /// Appends `count` new Gs to a machine's queue, named "g0", "g1", …
    void fill(unsigned machine, int count) {
        for (int i = 0; i < count; ++i) {
            sched.go([] {}, Attributes{.name = "g" + std::to_string(named++), .stack_size = kit::kDefaultStackSize});
            gs.local(machine).runnable.push(*sched.ready().pop());
        }
    }
    ~Queues() {
        for (unsigned i = 0; i < gs.machines(); ++i) names_in(i);
    }
    Queues(const Queues&) = delete;
    Queues& operator=(const Queues&) = delete;

    Log names_in(unsigned machine) {
        Log names;
        for (std::size_t n = gs.local(machine).runnable.size(); n > 0; --n) {
            Task* g = gs.local(machine).runnable.pop();
            names.push_back(g->core().name());
            sched.ready().push(*g);
        }
        return names;
    }

    void run(const std::function<void(Machine&)>& body) { shared.run_on_machines(sched.settings().machines, body); }

    Scheduler sched;
    WorkerPool& shared = sched.shared();
    GoScheduler gs;
    int named = 0;
};

/// The trace of a program with a scheduler of several machines.
inline trace::Trace trace_of_machines(const char* name, unsigned machines, const std::function<void()>& begin) {
    return trace_of(name, [&] {
        Scheduler sched(Settings{.strategy = "go", .machines = machines});
        begin();
        static_cast<void>(sched.run());
    });
}

inline std::size_t count_machine(const trace::Trace& recorded, trace::MachineOp op) {
    return count(recorded, trace::Kind::machine, op);
}

inline void go_workers(int count, int turns, std::uint64_t work) {
    for (int i = 0; i < count; ++i)
        go(
            [=] {
                for (int n = 0; n < turns; ++n) {
                    kit::work(work);
                    yield();
                }
            },
            "worker " + std::to_string(i));
}

}  // namespace fiberscope::lab04::testing
