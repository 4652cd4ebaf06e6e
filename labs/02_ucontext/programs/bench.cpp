// Cost of swapcontext, compared with the bare system call that it makes.
#include <benchmark/benchmark.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <vector>

#include "labs/02_ucontext/context.h"
#include "labs/02_ucontext/fiber.h"
#include "labs/02_ucontext/pool.h"
#include "labs/kit/memory/stack.h"
#include "testing/measure/ratios.h"

using namespace fiberscope;

namespace {

// Round trips in each iteration, to make the cost of the loop negligible. Both directions are counted.
constexpr int kTrips = 64;

void count_switches(benchmark::State& state) { state.SetItemsProcessed(state.iterations() * kTrips * 2); }

struct Pair {
    lab02::Context origin, away;
};

void swap_back(void* argument) {
    auto& pair = *static_cast<Pair*>(argument);
    for (;;) pair.origin.swap_to_me(&pair.away);
}

void swap(benchmark::State& state) {
    kit::Stack stack(kit::kDefaultStackSize);
    Pair pair;
    pair.away.make(stack.bounds().bottom, stack.bounds().size, swap_back, &pair);
    for (auto _ : state)
        for (int i = 0; i < kTrips; ++i) pair.away.swap_to_me(&pair.origin);
    count_switches(state);
}

// The work of swapcontext that `_switch` does not do. First: it sets the signal mask and gets the old one.
struct SignalMask {
    sigset_t mask, old;
    SignalMask() { pthread_sigmask(SIG_SETMASK, nullptr, &mask); }
    void set() { syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, &old, 8); }
};
// Second: on x86_64 it saves and loads the whole x87 environment and mxcsr. On aarch64 the kept registers are ordinary
// ones, and the mask takes a second call.
struct FloatEnvironment {
    alignas(16) unsigned char x87[28];
    unsigned mxcsr = 0;
    void set([[maybe_unused]] SignalMask& mask) {
#if defined(__x86_64__)
        asm volatile("fnstenv %0; fldenv %0; stmxcsr %1; ldmxcsr %1" : "+m"(x87), "+m"(mxcsr));
#else
        mask.set();
#endif
    }
};

template <bool WithMask, bool WithFloat>
void parts_of_a_swap(benchmark::State& state) {
    SignalMask mask;
    FloatEnvironment environment;
    for (auto _ : state)
        for (int i = 0; i < kTrips * 2; ++i) {
            if constexpr (WithMask) mask.set();
            if constexpr (WithFloat) environment.set(mask);
        }
    count_switches(state);
}

void fiber_resume_yield(benchmark::State& state) {
    lab02::Fiber fiber(
        [] {
            for (;;) lab02::Fiber::yield();
        },
        {.name = {}, .run_in_scheduler = false});
    for (auto _ : state)
        for (int i = 0; i < kTrips; ++i) fiber.resume();
    count_switches(state);
}

constexpr std::size_t kObject = 1280;
constexpr std::size_t kLive = 32;

// Takes and releases in batches, so that neither side can reuse the same block all the time. Counts blocks.
template <class Take, class Release>
void batches(benchmark::State& state, Take take, Release release) {
    std::vector<void*> live(kLive);
    for (auto _ : state) {
        for (void*& block : live) benchmark::DoNotOptimize(block = take());
        for (void* block : live) release(block);
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kLive));
}

void from_pool(benchmark::State& state) {
    lab02::MemoryPool pool(kObject, 16, false);
    batches(
        state, [&] { return pool.take(); }, [&](void* block) { pool.release(block); });
}
void from_heap(benchmark::State& state) {
    batches(
        state, [] { return ::operator new(kObject); }, [](void* block) { ::operator delete(block); });
}

BENCHMARK(swap)->Name("swap");
BENCHMARK_TEMPLATE(parts_of_a_swap, true, false)->Name("rt_sigprocmask");
BENCHMARK_TEMPLATE(parts_of_a_swap, false, true)->Name("float_environment");
BENCHMARK_TEMPLATE(parts_of_a_swap, true, true)->Name("mask_and_float");
BENCHMARK(fiber_resume_yield)->Name("fiber_resume_or_yield");
BENCHMARK(from_pool)->Name("pool_block");
BENCHMARK(from_heap)->Name("heap_block");

}  // namespace

int main(int argc, char** argv) {
    return testing::run_benchmarks(argc, argv,
                                   {{"swap", {"mask_and_float"}, 1.2},
                                    {"rt_sigprocmask", {"swap"}, {}},
                                    {"float_environment", {"swap"}, {}},
                                    {"fiber_resume_or_yield", {"swap"}, 1.2},
                                    {"pool_block", {"heap_block"}, 1.0}});
}
