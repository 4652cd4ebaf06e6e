// What a switch costs when the stack must be copied, against how much of it is live; and what a parked coroutine costs
// in memory (`--memory`). `./lab bench 03` runs everything interleaved with memcpy of the same bytes.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "labs/01_switch_asm/coroutine.h"
#include "labs/03_shared_stack/coroutine.h"
#include "labs/03_shared_stack/programs/bench_memory.h"
#include "labs/03_shared_stack/schedule.h"
#include "testing/measure/ratios.h"

using namespace fiberscope;
using namespace fiberscope::lab03;

namespace {

// Every benchmark makes `kTrips` round trips an iteration and counts both ways, so that the loop itself weighs nothing.
constexpr int kTrips = 64;
constexpr std::size_t kDepths[] = {64, 256, 1024, 4096, 16384, 65536};
constexpr std::size_t kStack = std::size_t{256} * 1024;

void count_switches(benchmark::State& state) { state.SetItemsProcessed(state.iterations() * kTrips * 2); }

// Yields forever with `bytes` more of the stack in use. (An array of a size known only at run time; what it holds does
// not matter.)
[[gnu::noinline]] void yield_at_depth(std::size_t bytes) {
    void* room = __builtin_alloca(bytes);
    asm volatile("" ::"r"(room) : "memory");
    for (;;) yield();
}

using Pair = std::array<std::unique_ptr<Coroutine>, 2>;

Pair pair_at(std::size_t depth, const Attributes& attributes) {
    Pair pair;
    for (auto& each : pair) each = std::make_unique<Coroutine>([depth] { yield_at_depth(depth); }, attributes);
    return pair;
}

// Two coroutines in turns: on one shared stack each resume copies one out and the other in.
void in_turns(benchmark::State& state, std::size_t depth, const Attributes& attributes) {
    const Pair pair = pair_at(depth, attributes);
    for (auto _ : state)
        for (int i = 0; i < kTrips; i += 2) {
            pair[0]->resume();
            pair[1]->resume();
        }
    count_switches(state);
}

void private_stacks(benchmark::State& state, std::size_t depth, std::string_view backend) {
    in_turns(state, depth, {.stack_size = kStack, .backend = backend});
}
void shared_stack(benchmark::State& state, std::size_t depth, std::string_view backend) {
    SharedStacks group(1, kStack, backend);
    in_turns(state, depth, {.shared = &group});
}
// Lab 01's resume and yield, which knows nothing of shared stacks.
void plain(benchmark::State& state) {
    lab01::Coroutine co([] {
        for (;;) lab01::yield();
    });
    for (auto _ : state)
        for (int i = 0; i < kTrips; ++i) co.resume();
    count_switches(state);
}

// The owner comes back to its own bytes: nothing is copied.
void shared_owner(benchmark::State& state) {
    SharedStacks group(1, kStack);
    Coroutine owner([] { yield_at_depth(64); }, group);
    for (auto _ : state)
        for (int i = 0; i < kTrips; ++i) owner.resume();
    count_switches(state);
}

// The bytes of shared_stack at the same depth, out and in, between the same places.
void copying(benchmark::State& state, std::size_t depth) {
    SharedStacks group(1, kStack);
    const Pair pair = pair_at(depth, {.shared = &group});
    for (int i = 0; i < 2; ++i)
        for (const auto& each : pair) each->resume();
    const std::size_t bytes = pair[0]->image.size();
    // A stack and images like theirs: where in a page the bytes begin makes a difference.
    const kit::Stack stack(kStack);
    std::byte* live = stack.bounds().top() - bytes;
    std::vector<std::byte> images[2] = {std::vector<std::byte>(Image::capacity_for(bytes)),
                                        std::vector<std::byte>(Image::capacity_for(bytes))};
    for (auto _ : state)
        for (int i = 0; i < kTrips; ++i) {
            std::memcpy(images[i % 2].data(), live, bytes);
            benchmark::ClobberMemory();
            std::memcpy(live, images[1 - i % 2].data(), bytes);
            benchmark::ClobberMemory();
        }
    count_switches(state);
    state.counters["live"] = static_cast<double>(bytes);
}

// cloudwu's schedule: saved at every yield, restored at every resume.
void schedule(benchmark::State& state, std::string_view backend) {
    Schedule all(backend);
    const auto body = [](Schedule& s) {
        for (;;) s.yield();
    };
    const int ids[] = {all.create(body), all.create(body)};
    for (auto _ : state)
        for (int i = 0; i < kTrips; ++i) all.resume(ids[i % 2]);
    count_switches(state);
}

std::string at(const char* what, std::size_t depth) { return std::string(what) + "_" + std::to_string(depth); }

template <class F, class... Arguments>
void add(const std::string& name, F function, Arguments... arguments) {
    benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State& state) { function(state, arguments...); });
}

void add_all() {
    for (const std::size_t depth : kDepths) {
        add(at("private_asm", depth), private_stacks, depth, "asm");
        add(at("shared_asm", depth), shared_stack, depth, "asm");
        add(at("private_ucontext", depth), private_stacks, depth, "ucontext");
        add(at("shared_ucontext", depth), shared_stack, depth, "ucontext");
        add(at("memcpy", depth), copying, depth);
    }
    add("lab01_resume", plain);
    add("shared_owner_asm", shared_owner);
    add("schedule_asm", schedule, "asm");
    add("schedule_ucontext", schedule, "ucontext");
}

}  // namespace

int main(int argc, char** argv) {
    if (argc >= 2 && std::strcmp(argv[1], "--memory") == 0) return memory_main(argc - 2, argv + 2);
    add_all();
    std::vector<testing::Sum> sums;
    std::vector<testing::Ratio> ratios{{"shared_owner_asm", "private_asm_64", {}},
                                       {"private_asm_64", "lab01_resume", {}}};
    for (const std::size_t depth : kDepths) {
        sums.push_back({at("shared_asm", depth), {{1.0, at("memcpy", depth)}, {3.0, at("private_asm", depth)}}});
        ratios.push_back({at("shared_asm", depth), at("private_ucontext", depth), {}});
        ratios.push_back({at("shared_ucontext", depth), at("private_ucontext", depth), {}});
    }
    return testing::run_benchmarks(argc, argv, ratios, {}, sums);
}
