// Shared by the tests of every strategy: a scheduler on simulated events, and runs to compare. strategies.h says how a
// file selects its strategy.
#pragma once

#include <algorithm>
#include <stdexcept>

#include "labs/04_scheduler/given/workloads.h"
#include "labs/04_scheduler/tests/support.h"
#include "labs/kit/machines/work.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

#ifndef FIBERSCOPE_MACHINES
#define FIBERSCOPE_MACHINES 1
#endif

namespace {

/// A scheduler with the strategy of this file, on simulated events, in virtual time.
struct Stand {
    explicit Stand(const kit::CoroutineBackend& backend = kit::asm_backend)
        : sched(Settings{
              .strategy = FIBERSCOPE_STRATEGY, .backend = &backend, .source = &io, .machines = FIBERSCOPE_MACHINES}) {
        use_virtual_time();
    }
    SimulatedSource io;
    Scheduler sched;
    Log log;
};

// The order of the turns of two tasks that yield and a task that sleeps briefly.
[[maybe_unused]] Log turns_of_yielders_and_a_sleeper() {
    Stand stand;
    Log& log = stand.log;
    later(kMicrosecond, "sleeper", [&] { log.emplace_back("sleeper"); });
    for (const char* name : {"a", "b"})
        go(name, [&log, name] {
            for (int i = 0; i < 2; ++i) {
                kit::work(5 * kMicrosecond);
                log.emplace_back(name);
                yield();
            }
        });
    INFO("the run ends when all tasks have ended, and no task threw");
    CHECK(stand.sched.run().empty());
    return log;
}

// A deadline and an event that are due at the same look: which of two tasks runs first, "time" or "event", and the
// result of a task that waits for both.
[[maybe_unused]] Log a_deadline_and_an_event_at_once() {
    Stand stand;
    Log& log = stand.log;
    Wake both = Wake::cancelled;
    go([&] {
        wait_readable(7);
        log.emplace_back("event");
    });
    go([&] {
        stand.io.becomes_ready(7, Want::read, kit::now() + kMicrosecond);
        sleep_for(kMicrosecond);
        log.emplace_back("time");
    });
    go([&] {
        stand.io.becomes_ready(8, Want::read, kit::now() + kMicrosecond);
        both = wait_readable(8, kMicrosecond);
    });
    go([] {
        for (int i = 0; i < 4; ++i) {
            kit::work(kMicrosecond);
            yield();
        }
    });
    INFO("the run ends when all tasks have ended, and no task threw");
    CHECK(stand.sched.run().empty());
    log.emplace_back(both == Wake::timeout ? "told: time" : "told: event");
    return log;
}

// Rounds after a task that was queued before them until a sleeper and a reader have had their turns.
[[maybe_unused]] std::vector<std::uint64_t> rounds_behind_a_yielder() {
    Stand stand;
    stand.io.becomes_ready(7, Want::read, 4 * kMicrosecond);
    std::uint64_t of_yielder = 0;  // the round in which it last ran
    std::vector<std::uint64_t> late;
    const auto note = [&] { late.push_back(stand.sched.clock_looks() - of_yielder); };
    go("yielder", [&] {
        while (late.size() < 2) {
            of_yielder = stand.sched.clock_looks();
            kit::work(5 * kMicrosecond);
            yield();
        }
    });
    later(3 * kMicrosecond, "sleeper", note);
    go("reader", [&] {
        wait_readable(7);
        note();
    });
    INFO("the run ends when all tasks have ended, and no task threw");
    CHECK(stand.sched.run().empty());
    return late;
}

// The trace of a waiting task and a sleeping task.
[[maybe_unused]] trace::Trace trace_of_a_reader_and_a_sleeper() {
    return trace_of("reader_and_sleeper", [] {
        Stand stand;
        stand.io.becomes_ready(7, Want::read, 3 * kMicrosecond);
        go([] { wait_readable(7); }, "reader");
        go([] { sleep_for(9 * kMicrosecond); }, "sleeper");
        static_cast<void>(stand.sched.run());
    });
}

Results work_by(const char* strategy, const Workload& workload) {
    kit::choose_clock(kit::clock_kind());
    SimulatedSource io;
    Scheduler sched(Settings{.strategy = strategy, .source = &io});
    Stage stage{io, 11};
    return workload.run(stage);
}

// Checks that every workload except the long one gives the same results with this file's strategy and with `other`.
[[maybe_unused]] void check_same_work_as(const char* other) {
    use_virtual_time();
    for (const Workload& one : workloads()) {
        if (!suits(one)) continue;
        INFO(one.name);
        check_same(work_by(FIBERSCOPE_STRATEGY, one), work_by(other, one));
    }
}

}  // namespace
