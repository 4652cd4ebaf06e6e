// Cost of a switch that copies the stack, by the number of live bytes and compared with memcpy of the same bytes; and
// the memory of a parked coroutine (`--memory`).
#include <benchmark/benchmark.h>

#include <array>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "labs/01_switch_asm/coroutine.h"
#include "labs/03_shared_stack/coroutine.h"
#include "testing/measure/apart.h"
#include "testing/measure/ratios.h"

using namespace fiberscope;
using namespace fiberscope::lab03;

namespace {

// Round trips in each iteration, to make the cost of the loop negligible. Both directions are counted.
constexpr int kTrips = 64;
constexpr std::size_t kDepths[] = {64, 4096, 65536};
constexpr std::size_t kStack = std::size_t{256} * 1024;

void count_switches(benchmark::State& state) { state.SetItemsProcessed(state.iterations() * kTrips * 2); }

// Yields forever with `bytes` more of the stack in use, by an array whose content does not matter.
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

// Two coroutines take turns: on one shared stack each resume copies one out and the other in.
void in_turns(benchmark::State& state, std::size_t depth, const Attributes& attributes) {
    const Pair pair = pair_at(depth, attributes);
    for (auto _ : state)
        for (int i = 0; i < kTrips; ++i) pair[static_cast<std::size_t>(i % 2)]->resume();
    count_switches(state);
}
void private_stacks(benchmark::State& state, std::size_t depth) { in_turns(state, depth, {.stack_size = kStack}); }
void shared_stack(benchmark::State& state, std::size_t depth) {
    SharedStacks group(1, kStack);
    in_turns(state, depth, {.shared = &group});
}
// Lab 01's resume and yield, without shared stacks.
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

// Copies the bytes of shared_stack at the same depth out and in, between the same addresses: the offset in a page
// matters.
void copying(benchmark::State& state, std::size_t depth) {
    SharedStacks group(1, kStack);
    const Pair pair = pair_at(depth, {.shared = &group});
    for (int i = 0; i < 2; ++i)
        for (const auto& each : pair) each->resume();
    const std::size_t bytes = pair[0]->image.size();
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
}

std::string at(const char* what, std::size_t depth) { return std::string(what) + "_" + std::to_string(depth); }

template <bool kShared>
void park(std::size_t count, std::size_t& parked, const std::function<void()>&) {
    auto& group = *new SharedStacks(1);
    auto& all = *new std::deque<Coroutine>;
    for (; parked < count; ++parked) {
        all.emplace_back([] { yield(); }, kShared ? Attributes{.shared = &group} : Attributes{.stack_size = 4096});
        all.back().resume();
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc >= 2 && std::strcmp(argv[1], "--memory") == 0)
        return testing::parked_main(argc - 2, argv + 2,
                                    {{"one shared stack, _switch", 512, park<true>},
                                     {"private 4 KiB stacks, guarded", 4.5 * 1024, park<false>}});
    std::vector<testing::Bar> bars{{"shared_owner", {"private_64"}, {}}, {"private_64", {"lab01_resume"}, {}}};
    for (const std::size_t depth : kDepths) {
        const auto add = [depth](const char* name, void (*run)(benchmark::State&, std::size_t)) {
            benchmark::RegisterBenchmark(at(name, depth).c_str(), run, depth);
        };
        add("private", private_stacks);
        add("shared", shared_stack);
        add("memcpy", copying);
        // In addition to the copies, three plain resumes.
        const std::string resume = at("private", depth);
        bars.push_back({at("shared", depth), {at("memcpy", depth), resume, resume, resume}, 1.0});
    }
    benchmark::RegisterBenchmark("lab01_resume", plain);
    benchmark::RegisterBenchmark("shared_owner", shared_owner);
    return testing::run_benchmarks(argc, argv, bars);
}
