// Tests for all strategies that steal, with queues under locks (step 4.8) or lock-free deques (step 4.19).
#pragma once

#include <atomic>
#include <cstdint>

#include "labs/04_scheduler/given/workloads.h"
#include "labs/04_scheduler/tests/go.h"
#include "labs/kit/report/notes.h"

namespace fiberscope::lab04::testing {

inline void check_speed_up(const char* strategy) {
    INFO("work is shared by stealing, and the schedule depends only on the clocks and the seed");
    std::uint64_t took[3] = {}, again[3] = {};
    const auto run = [strategy](unsigned machines) {
        use_virtual_time();
        Scheduler sched(Settings{.strategy = strategy, .machines = machines, .seed = 7});
        go([] { go_workers(16, 4, 10 * kMicrosecond); }, "root");
        static_cast<void>(sched.run());
        return kit::now();
    };
    for (unsigned i = 0; i < 3; ++i) took[i] = run(1U << i);
    for (unsigned i = 0; i < 3; ++i) again[i] = run(1U << i);
    for (int i = 0; i < 3; ++i) CHECK(took[i] == again[i]);
    CHECK(took[1] * 10 < took[0] * 6);
    CHECK(took[2] * 10 < took[1] * 7);
}

/// On 2 to 8 machines: each runs once, and none is lost.
inline void check_short_lives_on_threads(const char* strategy) {
    record_nothing();
    use_real_time();
    constexpr unsigned kRoots = 50;
    constexpr unsigned kChildren = 250'000 / kRoots / (kit::kUnderSanitizer ? 200 : 1);
    for (unsigned machines : {2U, 3U, 4U, 8U}) {
        INFO(kit::told(message("{0} machines", machines)));
        std::atomic<std::uint64_t> ran{0}, sum{0};
        Scheduler sched(Settings{.strategy = strategy, .machines = machines});
        for (unsigned r = 0; r < kRoots; ++r)
            go("parent", [&ran, &sum, r] {
                for (unsigned i = 0; i < kChildren; ++i) {
                    go([&ran, &sum, i] {
                        if (i % 4 == 0) yield();
                        ran.fetch_add(1, std::memory_order_relaxed);
                        sum.fetch_add(i, std::memory_order_relaxed);
                    });
                    if (i % 16 == r % 16) yield();
                }
            });
        CHECK(sched.run().empty());
        CHECK(ran == std::uint64_t{kRoots} * kChildren);
        CHECK(sum == std::uint64_t{kRoots} * kChildren * (kChildren - 1) / 2);
        CHECK(sched.alive() == 0);
    }
}

/// `trace_of` judges each trace by all rules.
inline void check_traces_on_threads(const char* strategy) {
    for (const Workload& one : workloads()) {
        if (!suits(one)) continue;
        INFO(kit::told(message("the workload '{0}': every insertion into a set has one removal", one.name)));
        const trace::Trace recorded = trace_of(one.name, [&] {
            use_real_time();
            SimulatedSource io;
            Scheduler sched(Settings{.strategy = strategy, .source = &io, .machines = 4});
            Stage stage{io, 3};
            one.run(stage);
        });
        CHECK(count(recorded, trace::Kind::remove) > 0);
        CHECK(count(recorded, trace::Kind::insert) == count(recorded, trace::Kind::remove));
    }
}

}  // namespace fiberscope::lab04::testing
