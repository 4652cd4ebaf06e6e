// What nothing can undercut, in the same run: of a yield the two switches, as `switch` of lab 01's bench measures them;
// of a life a plain call.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "labs/kit/run/backend.h"
#include "labs/kit/run/core.h"
#include "labs/kit/run/thread_state.h"

using namespace fiberscope;

// Lab 01's. This lab knows no more of it than its name.
extern "C" void _switch(void* next, void* current);

namespace {

struct Pair {
    alignas(16) std::byte origin[1024], away[1024];  // more than any registers need
};

// The coroutine is entered behind the kit's back, once, and never ends: to the kit it stays new.
void two_switches(benchmark::State& state) {
    constexpr int kTrips = 64;  // an iteration, so that its loop weighs nothing
    Pair pair;
    const auto bounce = [&pair] {
        for (;;) _switch(pair.origin, pair.away);
    };
    const std::unique_ptr<std::byte[]> place(new std::byte[kit::asm_backend.size]);
    kit::this_thread();
    kit::Core& core = kit::asm_backend.create(place.get(), bounce, {});
    _switch(&kit::registers_of<std::byte>(core), pair.origin);
    for (auto _ : state)
        for (int i = 0; i < kTrips; ++i) _switch(pair.away, pair.origin);
    state.SetItemsProcessed(state.iterations() * kTrips);
    kit::asm_backend.destroy(core);
}

[[gnu::noinline]] void called(std::uint64_t& ran) {
    ++ran;
    benchmark::ClobberMemory();
}
void plain_call(benchmark::State& state) {
    constexpr int kCalls = 256;
    std::uint64_t ran = 0;
    for (auto _ : state)
        for (int i = 0; i < kCalls; ++i) called(ran);
    state.SetItemsProcessed(state.iterations() * kCalls);
}

BENCHMARK(two_switches)->Name("yield_two_switches");
BENCHMARK(plain_call);

}  // namespace
