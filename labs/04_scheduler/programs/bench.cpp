// What a scheduler costs, beside Boost.Fiber in the same run: a yield among a few, a yield among 100,000, and a short
// life. `./lab bench 04` runs it in rounds; the medians of the rounds' ratios are printed at the end. `./lab bench 04
// --memory` parks a million tasks instead.
#include <benchmark/benchmark.h>

#include <boost/fiber/all.hpp>
#include <boost/fiber/pooled_fixedsize_stack.hpp>
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "labs/04_scheduler/programs/bench_memory.h"
#include "labs/04_scheduler/programs/bench_scale.h"
#include "labs/04_scheduler/tasks.h"
#include "labs/kit/machines/work.h"
#include "testing/measure/apart.h"
#include "testing/measure/ratios.h"

using namespace fiberscope;
namespace lab = fiberscope::lab04;
using lab::boost_on;

namespace {

constexpr int kFew = 8;
constexpr int kYields = 1000;  // by each of the few, an iteration
constexpr int kMany = 100'000;
constexpr int kYieldsOfMany = 10;
constexpr int kBrief = 256;
constexpr std::size_t kStack = 16 * 1024;

void expect_none(const std::vector<lab::Failure>& failures, benchmark::State& state) {
    if (!failures.empty()) state.SkipWithError(failures.front().what.c_str());
}

using Clock = std::chrono::steady_clock;

/// A number of tasks yield a number of times each. Only that is timed, not their birth and end: from the moment when
/// the last has arrived until the first is through.
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

/// `Stacks`: default_stack is what a program gets that says nothing (128 KiB each, one by one); a pool takes them out
/// of large pieces of memory, without guards, so that neighbours share pages of the translation tables.
template <class Stacks>
void boost_fiber(benchmark::State& state, int tasks, int yields, std::size_t stack) {
    for (auto _ : state) {
        std::vector<boost::fibers::fiber> fibers;
        Stacks stacks(stack);
        Race race{tasks, yields};
        for (int i = 0; i < tasks; ++i)
            fibers.emplace_back(std::allocator_arg, stacks, [&race] { race.run(boost::this_fiber::yield); });
        for (auto& fiber : fibers) fiber.join();
        race.count(state);
    }
    state.SetItemsProcessed(state.iterations() * tasks * (yields + 1));
}

constexpr auto boost_default = boost_fiber<boost::fibers::default_stack>;
constexpr auto boost_pooled = boost_fiber<boost::fibers::pooled_fixedsize_stack>;

BENCHMARK_CAPTURE(ours, yield_producer_consumer, "producer_consumer", kFew, kYields)
    ->Name("yield_producer_consumer")
    ->UseManualTime();
BENCHMARK_CAPTURE(ours, yield_multi_state, "multi_state", kFew, kYields)->Name("yield_multi_state")->UseManualTime();
BENCHMARK_CAPTURE(ours, yield_libco, "libco", kFew, kYields)->Name("yield_libco")->UseManualTime();
BENCHMARK_CAPTURE(ours, yield_hand_off, "hand_off", kFew, kYields)->Name("yield_hand_off")->UseManualTime();
BENCHMARK_CAPTURE(boost_default, yield, kFew, kYields, kit::kDefaultStackSize)
    ->Name("yield_boost_fiber")
    ->UseManualTime();
BENCHMARK_CAPTURE(ours, many_producer_consumer, "producer_consumer", kMany, kYieldsOfMany)
    ->Name("many_producer_consumer")
    ->UseManualTime()
    ->Iterations(1);
BENCHMARK_CAPTURE(ours, many_multi_state, "multi_state", kMany, kYieldsOfMany)
    ->Name("many_multi_state")
    ->UseManualTime()
    ->Iterations(1);
BENCHMARK_CAPTURE(ours, many_libco, "libco", kMany, kYieldsOfMany)->Name("many_libco")->UseManualTime()->Iterations(1);
BENCHMARK_CAPTURE(boost_default, many, kMany, kYieldsOfMany, kit::kDefaultStackSize)
    ->Name("many_boost_fiber")
    ->UseManualTime()
    ->Iterations(1);
BENCHMARK_CAPTURE(boost_pooled, many, kMany, kYieldsOfMany, kStack)
    ->Name("many_boost_fiber_pooled")
    ->UseManualTime()
    ->Iterations(1);

// Begin, run to the end, let go of. Counted once a task; stacks of the default size, which the kit pools.
void ours_brief(benchmark::State& state) {
    lab::Scheduler scheduler;
    std::uint64_t ran = 0;
    for (auto _ : state) {
        for (int i = 0; i < kBrief; ++i) scheduler.go([&ran] { ++ran; });
        expect_none(scheduler.run(), state);
    }
    benchmark::DoNotOptimize(ran);
    state.SetItemsProcessed(state.iterations() * kBrief);
}

void boost_fiber_brief(benchmark::State& state) {
    boost::fibers::pooled_fixedsize_stack stacks(kit::kDefaultStackSize);
    std::uint64_t ran = 0;
    for (auto _ : state) {
        std::vector<boost::fibers::fiber> fibers;
        fibers.reserve(kBrief);
        for (int i = 0; i < kBrief; ++i) fibers.emplace_back(std::allocator_arg, stacks, [&ran] { ++ran; });
        for (auto& fiber : fibers) fiber.join();
    }
    benchmark::DoNotOptimize(ran);
    state.SetItemsProcessed(state.iterations() * kBrief);
}

BENCHMARK(ours_brief)->Name("life");
BENCHMARK(boost_fiber_brief)->Name("life_boost_fiber");

// ---- several machines -----------------------------------------------------------------------------------------------

/// All of a run, the threads' beginning and end included.
void run_timed(benchmark::State& state, const char* strategy, const std::function<void()>& begin) {
    for (auto _ : state) {
        lab::Settings settings;
        settings.strategy = strategy;
        settings.machines = static_cast<unsigned>(state.range(0));
        lab::Scheduler scheduler(settings);
        begin();
        const Clock::time_point from = Clock::now();
        expect_none(scheduler.run(), state);
        state.SetIterationTime(std::chrono::duration<double>(Clock::now() - from).count());
    }
}

void yield_on_machines(benchmark::State& state, const char* strategy) {
    constexpr int kTasks = 32, kTurns = 10'000;
    run_timed(state, strategy, [] {
        for (int i = 0; i < kTasks; ++i)
            lab::go([] {
                for (int n = 0; n < kTurns; ++n) lab::yield();
            });
    });
    state.SetItemsProcessed(state.iterations() * kTasks * kTurns);
}

void life_on_machines(benchmark::State& state, const char* strategy) {
    constexpr int kTasks = 100'000;
    run_timed(state, strategy, [] {
        lab::go([] {
            for (int i = 0; i < kTasks; ++i) {
                lab::go([] {});
                if (i % kBrief == 0) lab::yield();
            }
        });
    });
    state.SetItemsProcessed(state.iterations() * kTasks);
}

/// Each turn works for a microsecond.
void work_on_machines(benchmark::State& state, const char* strategy) {
    constexpr int kTasks = 32, kTurns = 1'000;
    run_timed(state, strategy, [] {
        for (int i = 0; i < kTasks; ++i)
            lab::go([] {
                for (int n = 0; n < kTurns; ++n) {
                    kit::work(1000);
                    lab::yield();
                }
            });
    });
    state.SetItemsProcessed(state.iterations() * kTasks * kTurns);
}

// ---- peers on two threads ------------------------------------------------------------------------------------------

void boost_yields(int tasks, int turns) {
    std::vector<boost::fibers::fiber> fibers;
    for (int i = 0; i < tasks; ++i)
        fibers.emplace_back([turns] {
            for (int n = 0; n < turns; ++n) boost::this_fiber::yield();
        });
    for (auto& fiber : fibers) fiber.join();
}

void boost_lives(int tasks) {
    for (int i = 0; i < tasks; i += kBrief) {
        std::vector<boost::fibers::fiber> fibers;
        for (int n = 0; n < kBrief; ++n) fibers.emplace_back([] {});
        for (auto& fiber : fibers) fiber.join();
    }
}

template <class Run>
void boost_timed(benchmark::State& state, int items, Run run) {
    for (auto _ : state) state.SetIterationTime(testing::seconds_of(run));
    state.SetItemsProcessed(state.iterations() * items);
}

/// In a process of its own, for Boost's work_stealing: it numbers its threads for the whole process and never begins
/// anew, so the third one would write behind its table.
template <class Run>
void boost_timed_apart(benchmark::State& state, int items, Run run) {
    for (auto _ : state) {
        const double seconds = testing::seconds_apart([&] {
            run();
            return true;
        });
        if (seconds < 0) return state.SkipWithError("its process did not come to its end");
        state.SetIterationTime(seconds);
    }
    state.SetItemsProcessed(state.iterations() * items);
}

void yield_shared_work(benchmark::State& state) {
    boost_timed(state, 32 * 500, [] {
        boost_on<boost::fibers::algo::shared_work>(
            2, [] { boost_yields(32, 500); }, true);
    });
}
void yield_work_stealing(benchmark::State& state) {
    boost_timed_apart(state, 32 * 500, [] {
        boost_on<boost::fibers::algo::work_stealing>(
            2, [] { boost_yields(32, 500); }, 2U, true);
    });
}
void life_shared_work(benchmark::State& state) {
    boost_timed(state, 20 * kBrief, [] {
        boost_on<boost::fibers::algo::shared_work>(
            2, [] { boost_lives(20 * kBrief); }, true);
    });
}
void life_work_stealing(benchmark::State& state) {
    boost_timed_apart(state, 20 * kBrief, [] {
        boost_on<boost::fibers::algo::work_stealing>(
            2, [] { boost_lives(20 * kBrief); }, 2U, true);
    });
}
BENCHMARK(yield_shared_work)->UseManualTime()->Iterations(1);
BENCHMARK(yield_work_stealing)->UseManualTime()->Iterations(1);
BENCHMARK(life_shared_work)->UseManualTime()->Iterations(1);
BENCHMARK(life_work_stealing)->UseManualTime()->Iterations(1);

constexpr const char* kOfMachines[] = {"sylar", "netco", "go", "deque"};

void register_machines() {
    for (const char* strategy : kOfMachines)
        for (const int machines : {1, 2, 4}) {
            const std::string on = std::string("_") + strategy + "_" + std::to_string(machines);
            benchmark::RegisterBenchmark(("yield" + on).c_str(), yield_on_machines, strategy)
                ->Arg(machines)
                ->UseManualTime();
            benchmark::RegisterBenchmark(("life" + on).c_str(), life_on_machines, strategy)
                ->Arg(machines)
                ->UseManualTime();
            benchmark::RegisterBenchmark(("work" + on).c_str(), work_on_machines, strategy)
                ->Arg(machines)
                ->UseManualTime();
        }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc >= 2 && std::strcmp(argv[1], "--memory") == 0) return lab::memory_main(argc - 2, argv + 2);
    if (argc >= 2 && std::strcmp(argv[1], "--scale") == 0) return lab::scale_main(argc, argv);
    register_machines();
    return testing::run_benchmarks(argc, argv,
                                   {
                                       {"yield_producer_consumer", "yield_boost_fiber", 0.45},
                                       {"yield_multi_state", "yield_boost_fiber", 0.45},
                                       {"yield_libco", "yield_boost_fiber", 0.45},
                                       {"yield_hand_off", "yield_boost_fiber", 0.35},
                                       {"many_producer_consumer", "many_boost_fiber", 0.3},
                                       {"many_multi_state", "many_boost_fiber", 0.3},
                                       {"many_libco", "many_boost_fiber", 0.3},
                                       {"many_producer_consumer", "many_boost_fiber_pooled", 0.3},
                                       {"life", "life_boost_fiber", {}},
                                       {"yield_sylar_1", "yield_boost_fiber", 1.0},
                                       {"yield_netco_1", "yield_boost_fiber", 1.0},
                                       {"yield_go_1", "yield_golang_1", 1.5},
                                       {"call_go_p", "call_plain", {}},
                                       {"call_go_p", "call_golang_1", {}},
                                       {"send_go_1", "send_golang_1", 3.0},
                                       {"send_buffered_go_1", "send_buffered_golang_1", 3.0},
                                       {"send_producer_consumer_1", "send_golang_1", 3.0},
                                       {"yield_sylar_2", "yield_sylar_1", 1.1},
                                       {"yield_netco_2", "yield_netco_1", 1.1},
                                       {"yield_go_2", "yield_go_1", 1.1},
                                       {"life_sylar_2", "life_sylar_1", 1.1},
                                       {"life_netco_2", "life_netco_1", 1.1},
                                       {"life_go_2", "life_go_1", 1.1},
                                       {"work_sylar_2", "work_sylar_1", 1 / 1.7},
                                       {"work_netco_2", "work_netco_1", 1 / 1.7},
                                       {"work_go_2", "work_go_1", 1 / 1.7},
                                       {"deque_owner", "deque_owner_locked", 0.7},
                                       {"deque_owner", "deque_owner_boost", {}},
                                       {"order_seq_cst", "order_fence", {}},
                                       {"deque_robbed", "deque_robbed_locked", 0.6},
                                       {"deque_robbed", "deque_robbed_boost", {}},
                                       {"yield_deque_1", "yield_go_1", 1.0},
                                       {"yield_deque_4", "yield_go_4", {}},
                                       {"yield_deque_4", "yield_golang_4", {}},
                                       {"life_deque_1", "life_go_1", {}},
                                       {"life_deque_4", "life_go_4", {}},
                                       {"life_deque_4", "life_golang_4", {}},
                                       {"work_deque_4", "work_go_4", {}},
                                       {"work_deque_4", "work_golang_4", {}},
                                       {"yield_sylar_2", "yield_shared_work", {}},
                                       {"yield_interpreted", "yield_go_1", {}},
                                       {"yield_stackless_go_1", "yield_go_1", {}},
                                       {"yield_stackless", "yield_beside_stackless", {}},
                                       {"yield_stackless", "yield_asio_awaitable", {}},
                                       {"calls_stackless", "calls_plain", {}},
                                       {"yield_go_2", "yield_work_stealing", {}},
                                       {"yield_go_2", "yield_golang_2", {}},
                                       {"life_sylar_2", "life_shared_work", {}},
                                       {"life_go_2", "life_work_stealing", {}},
                                       {"life_go_2", "life_golang_2", {}},
                                   });
}
