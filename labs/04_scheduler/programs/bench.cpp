// Costs of a scheduler, compared with Boost.Fiber in the same run: a yield among a few tasks, a yield among 100,000, a
// short-lived task, and the same on several machines. `--memory` parks a million tasks instead.
#include <benchmark/benchmark.h>

#include <boost/fiber/all.hpp>
#include <chrono>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "labs/04_scheduler/tasks.h"
#include "labs/kit/machines/work.h"
#include "testing/measure/apart.h"
#include "testing/measure/ratios.h"

using namespace fiberscope;
namespace lab = fiberscope::lab04;

namespace {

constexpr int kFew = 8;
constexpr int kYields = 1000;  // per task and iteration
constexpr int kMany = 100'000;
constexpr int kYieldsOfMany = 10;
constexpr int kBrief = 256;
constexpr std::size_t kStack = 16 * 1024;

void expect_none(const std::vector<lab::Failure>& failures, benchmark::State& state) {
    if (!failures.empty()) state.SkipWithError(failures.front().what.c_str());
}

using Clock = std::chrono::steady_clock;

/// Several tasks yield several times each. Only the yields are timed, not creation and end: from the arrival of the
/// last task until the first one is done.
struct Race {
    int tasks, yields;
    int arrived = 0;
    bool over = false;
    Clock::time_point begin{}, end{};

    template <class Yield>
    void run(Yield yield) {
        if (++arrived == tasks) begin = Clock::now();
        for (int i = 0; i <= yields; ++i) yield();
        if (!std::exchange(over, true)) end = Clock::now();
    }
    void count(benchmark::State& state) const {
        state.SetIterationTime(std::chrono::duration<double>(end - begin).count());
    }
};

void ours(benchmark::State& state, const char* strategy, int tasks, int yields) {
    for (auto _ : state) {
        lab::Settings settings;
        settings.strategy = strategy;
        lab::Scheduler scheduler(settings);
        Race race{tasks, yields};
        for (int i = 0; i < tasks; ++i)
            scheduler.go([&race] { race.run(lab::yield); }, {.name = {}, .stack_size = kStack});
        expect_none(scheduler.run(), state);
        race.count(state);
    }
    state.SetItemsProcessed(state.iterations() * tasks * (yields + 1));
}

void boost_fiber(benchmark::State& state, int tasks, int yields) {
    for (auto _ : state) {
        std::vector<boost::fibers::fiber> fibers;
        Race race{tasks, yields};
        for (int i = 0; i < tasks; ++i) fibers.emplace_back([&race] { race.run(boost::this_fiber::yield); });
        for (auto& fiber : fibers) fiber.join();
        race.count(state);
    }
    state.SetItemsProcessed(state.iterations() * tasks * (yields + 1));
}

// ---- several machines -----------------------------------------------------------------------------------------------

/// A whole run, including the start and end of the threads.
void run_timed(benchmark::State& state, const char* strategy, int machines, int items, const lab::Body& begin) {
    for (auto _ : state) {
        lab::Settings settings;
        settings.strategy = strategy;
        settings.machines = static_cast<unsigned>(machines);
        lab::Scheduler scheduler(settings);
        begin();
        state.SetIterationTime(testing::seconds_of([&] { expect_none(scheduler.run(), state); }));
    }
    state.SetItemsProcessed(state.iterations() * items);
}

void yield_on_machines(benchmark::State& state, const char* strategy, int machines) {
    constexpr int kTasks = 32, kTurns = 10'000;
    run_timed(state, strategy, machines, kTasks * kTurns, [] {
        for (int i = 0; i < kTasks; ++i)
            lab::go([] {
                for (int n = 0; n < kTurns; ++n) lab::yield();
            });
    });
}

void life_on_machines(benchmark::State& state, const char* strategy, int machines) {
    constexpr int kTasks = 100'000;
    run_timed(state, strategy, machines, kTasks, [] {
        lab::go([] {
            for (int i = 0; i < kTasks; ++i) {
                lab::go([] {});
                if (i % kBrief == 0) lab::yield();
            }
        });
    });
}

/// Each turn works for a microsecond.
void work_on_machines(benchmark::State& state, const char* strategy, int machines) {
    constexpr int kTasks = 32, kTurns = 1'000;
    run_timed(state, strategy, machines, kTasks * kTurns, [] {
        for (int i = 0; i < kTasks; ++i)
            lab::go([] {
                for (int n = 0; n < kTurns; ++n) {
                    kit::work(1000);
                    lab::yield();
                }
            });
    });
}

// ---- memory ---------------------------------------------------------------------------------------------------------

/// The last task runs when all others have parked, and reports the memory.
void park(const kit::CoroutineBackend& backend, std::size_t stack_size, std::size_t count, std::size_t& parked,
          const std::function<void()>& report) {
    lab::Scheduler scheduler({.backend = &backend});
    for (std::size_t i = 0; i < count; ++i)
        scheduler.go(
            [&parked] {
                ++parked;
                lab::park("a wake that never comes");
            },
            {.name = {}, .stack_size = stack_size});
    lab::go(report);
    static_cast<void>(scheduler.run());
}
void park_private(std::size_t count, std::size_t& parked, const std::function<void()>& report) {
    park(kit::asm_backend, 4096, count, parked, report);
}
void park_shared(std::size_t count, std::size_t& parked, const std::function<void()>& report) {
    park(kit::shared_backend, kit::kDefaultStackSize, count, parked, report);
}

template <class... Arguments>
void add(const std::string& name, Arguments... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), arguments...)->UseManualTime();
}

void add_all() {
    for (const char* strategy : {"producer_consumer", "multi_state", "libco", "hand_off"}) {
        const std::string by = std::string("_") + strategy;
        add("yield" + by, ours, strategy, kFew, kYields);
        if (by != "_hand_off") add("many" + by, ours, strategy, kMany, kYieldsOfMany);
    }
    add("yield_boost_fiber", boost_fiber, kFew, kYields);
    add("many_boost_fiber", boost_fiber, kMany, kYieldsOfMany);
    for (const char* strategy : {"sylar", "netco", "go", "deque"})
        for (const int machines : {1, 2}) {
            const std::string on = std::string("_") + strategy + "_" + std::to_string(machines);
            add("yield" + on, yield_on_machines, strategy, machines);
            add("life" + on, life_on_machines, strategy, machines);
            add("work" + on, work_on_machines, strategy, machines);
        }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc >= 2 && std::strcmp(argv[1], "--memory") == 0)
        return testing::parked_main(argc - 2, argv + 2,
                                    {{"tasks on private 4 KiB stacks, guarded", 4.6 * 1024, park_private},
                                     {"tasks on shared stacks", 520, park_shared}});
    add_all();
    return testing::run_benchmarks(argc, argv,
                                   {{"yield_producer_consumer", {"yield_boost_fiber"}, 0.45},
                                    {"yield_multi_state", {"yield_boost_fiber"}, 0.45},
                                    {"yield_libco", {"yield_boost_fiber"}, 0.45},
                                    {"yield_hand_off", {"yield_boost_fiber"}, 0.35},
                                    {"many_producer_consumer", {"many_boost_fiber"}, 0.3},
                                    {"many_multi_state", {"many_boost_fiber"}, 0.3},
                                    {"many_libco", {"many_boost_fiber"}, 0.3},
                                    {"yield_sylar_1", {"yield_boost_fiber"}, 1.0},
                                    {"yield_netco_1", {"yield_boost_fiber"}, 1.0},
                                    {"yield_deque_1", {"yield_go_1"}, 1.0},
                                    {"yield_sylar_2", {"yield_sylar_1"}, 1.1},
                                    {"yield_netco_2", {"yield_netco_1"}, 1.1},
                                    {"yield_go_2", {"yield_go_1"}, 1.1},
                                    {"life_sylar_2", {"life_sylar_1"}, 1.1},
                                    {"life_netco_2", {"life_netco_1"}, 1.1},
                                    {"life_go_2", {"life_go_1"}, 1.1},
                                    {"work_sylar_2", {"work_sylar_1"}, 1 / 1.7},
                                    {"work_netco_2", {"work_netco_1"}, 1 / 1.7},
                                    {"work_go_2", {"work_go_1"}, 1 / 1.7}});
}
