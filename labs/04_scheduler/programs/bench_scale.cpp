#include "labs/04_scheduler/programs/bench_scale.h"

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <sstream>
#include <string>

#include "labs/04_scheduler/programs/bench_go.h"
#include "labs/04_scheduler/programs/scale/ours.h"
#include "labs/04_scheduler/programs/scale/shapes.h"
#include "labs/04_scheduler/shared_strategy.h"
#include "testing/measure/apart.h"
#include "testing/measure/quiet.h"
#include "testing/measure/ratios.h"

namespace fiberscope::lab04 {

namespace {

using testing::spoken;

constexpr int kMost = 64;
constexpr const char* kGolang = "golang";
constexpr const char* kBoost = "work_stealing";

/// Counted, not timed: a thread that does not run does no work. Each step waits for the one before it; 700 take about a
/// microsecond. go_peer/main.go has the same.
void steps(int us) {
    auto x = static_cast<std::uint64_t>(us);
    for (int i = 0; i < us * 700; ++i) {
        x = x * 6364136223846793005U + 1442695040888963407U;
        asm volatile("" : "+r"(x));
    }
}

/// Boost's; what is linked otherwise is measured by bench.cpp.
struct Fibers {
    using Handle = boost::fibers::fiber;
    template <class Body>
    static Handle go(Body body) {
        return {std::allocator_arg, boost::fibers::fixedsize_stack(16 * 1024), body};
    }
    static void join(Handle& fiber) { fiber.join(); }
    static void yield() { boost::this_fiber::yield(); }
    static void work(int us) { steps(us); }
};

struct Program {
    const char* name;
    void (*ours)();
    void (*fibers)();
};
constexpr Program kPrograms[] = {
    {"tasks", scale::run_tasks<scale::Ours<steps>>, scale::run_tasks<Fibers>},
    {"yields", scale::run_yields<scale::Ours<steps>>, scale::run_yields<Fibers>},
    {"tree", scale::run_tree<scale::Ours<steps>>, scale::run_tree<Fibers>},
    {"uneven", scale::run_uneven<scale::Ours<steps>>, scale::run_uneven<Fibers>},
};

/// What a root does: the program once, so that threads, stacks and memory are there, and once more to be timed.
std::function<void()> timed(void (*program)(), double& seconds) {
    return [program, &seconds] {
        program();
        seconds = testing::seconds_of(program);
    };
}

void ours(benchmark::State& state, const char* strategy, unsigned machines, void (*program)()) {
    for (auto _ : state) {
        double seconds = 0;
        Scheduler scheduler({.strategy = strategy, .machines = machines});
        go(timed(program, seconds), "root");
        if (!scheduler.run().empty()) return state.SkipWithError("a task ended by an exception");
        state.SetIterationTime(seconds);
    }
    state.SetItemsProcessed(state.iterations());
}

/// In a process of its own, as bench.cpp says.
void boost_fiber(benchmark::State& state, unsigned machines, void (*program)()) {
    for (auto _ : state) {
        double seconds = 0;
        const auto child = [&](int told) {
            boost_on<boost::fibers::algo::work_stealing>(machines, timed(program, seconds), machines, true);
            _exit(write(told, &seconds, sizeof seconds) == sizeof seconds ? 0 : 1);
        };
        if (!testing::told_by_child(child, &seconds, sizeof seconds))
            return state.SkipWithError("its process did not come to its end");
        state.SetIterationTime(seconds);
    }
    state.SetItemsProcessed(state.iterations());
}

std::string name_of(const char* program, const char* runner, int machines) {
    return std::string(program) + "_" + runner + "_" + std::to_string(machines);
}

template <class... Call>
void add(const char* program, const char* runner, int machines, Call... call) {
    benchmark::RegisterBenchmark(name_of(program, runner, machines).c_str(), call...)->UseManualTime()->Iterations(1);
}

void register_all(const std::vector<const char*>& strategies, const std::vector<int>& counts) {
    for (const Program& program : kPrograms)
        for (const int count : counts) {
            const auto machines = static_cast<unsigned>(count);
            for (const char* strategy : strategies)
                add(program.name, strategy, count, ours, strategy, machines, program.ours);
            add(program.name, kBoost, count, boost_fiber, machines, program.fibers);
#ifdef GO_PEER
            add(program.name, kGolang, count, run_go, std::string("scale_") + program.name, machines);
#endif
        }
}

void print_cell(const std::optional<double>& ratio) {
    ratio ? std::printf(" %7.2f", *ratio) : std::printf(" %7s", "-");
}

void print_table(const Program& program, const std::vector<const char*>& runners, const std::vector<int>& counts,
                 const testing::RatioOf& ratio) {
    const int width = 8 * static_cast<int>(counts.size());
    std::printf("\n%-14s %*s | %*s | %*s\n%-14s", program.name, width, spoken("speed-up"), width, spoken("time / Go's"),
                width, spoken("time / Boost's"), spoken("machines"));
    for (const char* between : {" |", " |", "\n"}) {
        for (const int count : counts) std::printf(" %7d", count);
        std::printf("%s", between);
    }
    for (const char* runner : runners) {
        std::printf("%-14s", runner);
        for (const int count : counts)
            print_cell(ratio(name_of(program.name, runner, 1), name_of(program.name, runner, count)));
        for (const char* peer : {kGolang, kBoost}) {
            std::printf(" |");
            for (const int count : counts)
                print_cell(ratio(name_of(program.name, runner, count), name_of(program.name, peer, count)));
        }
        std::printf("\n");
    }
}

/// Sorted, with 1 among them; empty if `text` is no list of numbers of machines.
std::vector<int> counts_in(const std::string& text) {
    std::vector<int> counts{1};
    std::istringstream parts(text);
    for (std::string part; std::getline(parts, part, ',');) {
        const bool digits = !part.empty() && part.size() <= 2 && part.find_first_not_of("0123456789") == part.npos;
        if (!digits || std::stoi(part) < 1 || std::stoi(part) > kMost) return {};
        counts.push_back(std::stoi(part));
    }
    std::ranges::sort(counts);
    counts.erase(std::ranges::unique(counts).begin(), counts.end());
    return counts;
}

}  // namespace

int scale_main(int argc, char** argv) {
    const bool says = argc > 2 && argv[2][0] != '-';
    const std::string text = says ? argv[2] : "1,2,4,8";
    const std::vector<int> counts = counts_in(text);
    if (counts.empty()) {
        std::fprintf(stderr, spoken("--scale takes numbers of machines from 1 to 64, as 1,2,4; not \"%s\"\n"),
                     text.c_str());
        return 2;
    }
    const std::vector<const char*> strategies =
        lab04::strategies([](const lab04::KnownStrategy::About& one) { return one.machines; });
    std::vector<const char*> runners = strategies;
    runners.insert(runners.end(), {kGolang, kBoost});
    benchmark::ClearRegisteredBenchmarks();
    register_all(strategies, counts);
    const auto tell = [&](const testing::RatioOf& ratio) {
        for (const Program& program : kPrograms)
            if (ratio(name_of(program.name, runners[0], 1), name_of(program.name, runners[0], 1)))
                print_table(program, runners, counts, ratio);
        std::printf("\n");
        const unsigned processors = std::thread::hardware_concurrency();
        if (static_cast<unsigned>(counts.back()) > processors)
            std::printf(spoken("This computer has %u processors. With more machines than these the figures tell how "
                               "they get on with too few, not how fast they could be.\n"),
                        processors);
    };
    const int skip = says ? 2 : 1;
    argv[skip] = argv[0];
    return testing::run_benchmarks(argc - skip, argv + skip, {}, {}, {}, tell);
}

}  // namespace fiberscope::lab04
