// Shared by the tests of step 4.16.
#pragma once

#include <tuple>

#include "labs/04_scheduler/beyond/blocked/go_processors.h"
#include "labs/04_scheduler/tests/go.h"

namespace fiberscope::lab04::testing {

inline Settings with_ps(unsigned processors, unsigned spares) {
    return {.strategy = "go_p", .machines = processors, .spares = spares};
}

/// Ps without the loops of their machines: body(machine) runs on each machine's thread, and on the monitor's.
struct WithPs {
    WithPs(unsigned processors, unsigned spares) : sched(with_ps(processors, spares)) { use_virtual_time(); }

    void run(const std::function<void(Machine&)>& body) { shared.run_on_machines(ps.machines() + 1, body); }
    bool retake() {
        const SchedulerLock held(shared);
        return ps.retake(shared);
    }
    bool give_away(unsigned from) {
        const SchedulerLock held(shared);
        return ps.give_away(shared, from);
    }
    void waits_for_a_p(unsigned machine) {
        const SchedulerLock held(shared);
        ps.waiting_machines(shared).push_back(machine);
    }
    void call(unsigned machine) {
        const SchedulerLock held(shared);
        shared.unpark(machine);
    }
    std::size_t waiting() {
        const SchedulerLock held(shared);
        return ps.waiting_machines(shared).size();
    }

    Scheduler sched;
    WorkerPool& shared = sched.shared();
    GoProcessors& ps = dynamic_cast<GoProcessors&>(sched.strategy());
};

/// The trace of a program with Ps.
inline trace::Trace trace_of_ps(const char* name, unsigned processors, unsigned spares,
                                const std::function<void()>& begin) {
    return trace_of(name, [&] {
        Scheduler sched(with_ps(processors, spares));
        begin();
        static_cast<void>(sched.run());
    });
}

/// The machine events of one kind, in order.
inline std::vector<trace::Event> machine_events(const trace::Trace& recorded, trace::MachineOp op) {
    std::vector<trace::Event> found;
    for (const trace::Event& e : all_of(recorded, trace::Kind::machine))
        if (e.first<trace::MachineOp>() == op) found.push_back(e);
    return found;
}

/// The machines between which a P moved, in order: "0 to 1".
inline Log gives(const trace::Trace& recorded) {
    Log all;
    for (const trace::Event& e : machine_events(recorded, trace::MachineOp::give))
        all.push_back(std::to_string(e.other) + " to " + std::to_string(e.y));
    return all;
}

/// A task that works `turns` times for 10 µs, and yields after each.
inline void go_worker(const char* name, Log& log, int turns) {
    go(name, [&log, name, turns] {
        for (int i = 0; i < turns; ++i) {
            kit::work(10 * kMicrosecond);
            yield();
        }
        log.push_back(std::string(name) + " is done");
    });
}

}  // namespace fiberscope::lab04::testing
