// Cost of a switch, compared with Boost.Context's fcontext in the same run.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <boost/context/detail/fcontext.hpp>

#include "labs/01_switch_asm/coroutine.h"
#include "labs/kit/memory/stack.h"
#include "testing/measure/ratios.h"

using namespace fiberscope;
using namespace fiberscope::lab01;

namespace {

namespace fctx = boost::context::detail;

// Round trips in each iteration, to make the cost of the loop negligible. Both directions are counted.
constexpr int kTrips = 64;

void count_switches(benchmark::State& state) { state.SetItemsProcessed(state.iterations() * kTrips * 2); }

// Each on its own cache lines: in a benchmark's frame the offsets within a line would differ between processes.
struct Pair {
    alignas(64) Context origin;
    alignas(64) Context away;
};

template <SwitchFunction Switch>
void bounce(void* argument) {
    auto& pair = *static_cast<Pair*>(argument);
    for (;;) Switch(&pair.origin, &pair.away);
}

template <SwitchFunction Switch>
void raw_switch(benchmark::State& state) {
    kit::Stack stack(kit::kDefaultStackSize);
    Pair pair;
    make_context(pair.away, stack.bounds().bottom, stack.bounds().size, bounce<Switch>, &pair);
    for (auto _ : state)
        for (int i = 0; i < kTrips; ++i) Switch(&pair.away, &pair.origin);
    count_switches(state);
}

void fcontext_bounce(fctx::transfer_t from) {
    for (;;) from = fctx::jump_fcontext(from.fctx, nullptr);
}

void fcontext(benchmark::State& state) {
    kit::Stack stack(kit::kDefaultStackSize);
    fctx::transfer_t other{fctx::make_fcontext(stack.bounds().top(), stack.bounds().size, fcontext_bounce), nullptr};
    for (auto _ : state)
        for (int i = 0; i < kTrips; ++i) other = fctx::jump_fcontext(other.fctx, nullptr);
    count_switches(state);
}

#if defined(__x86_64__)
extern "C" {
void fiberscope_end_by_ret(void** next, void** current);
void fiberscope_end_by_jmp(void** next, void** current);
}
using Ending = void (*)(void** next, void** current);

void* home_stack;
void* away_stack;

template <Ending End>
void bounce_by() {
    for (;;) End(&home_stack, &away_stack);
}

// bench_endings_x86_64.S: the same switch, ended by `ret` and by `jmp`.
template <Ending End>
void ending(benchmark::State& state) {
    kit::Stack stack(kit::kDefaultStackSize);
    auto* frame =
        reinterpret_cast<void**>(stack.bounds().top()) - 8;  // six registers, the target, and no return address
    std::fill_n(frame, 8, nullptr);
    frame[6] = reinterpret_cast<void*>(&bounce_by<End>);
    away_stack = frame;
    for (auto _ : state)
        for (int i = 0; i < kTrips; ++i) End(&away_stack, &home_stack);
    count_switches(state);
}
BENCHMARK_TEMPLATE(ending, fiberscope_end_by_ret)->Name("ending_by_ret");
BENCHMARK_TEMPLATE(ending, fiberscope_end_by_jmp)->Name("ending_by_jmp");
#endif

void resume_yield(benchmark::State& state) {
    Coroutine co([] {
        for (;;) yield();
    });
    for (auto _ : state)
        for (int i = 0; i < kTrips; ++i) co.resume();
    count_switches(state);
}

// Create, run to the end, destroy; the stack comes from the pool. Counts coroutines.
void create_run_end(benchmark::State& state) {
    std::uint64_t ran = 0;
    for (auto _ : state) {
        Coroutine co([&ran] { ++ran; });
        co.resume();
    }
    benchmark::DoNotOptimize(ran);
    state.SetItemsProcessed(state.iterations());
}

BENCHMARK_TEMPLATE(raw_switch, _switch)->Name("switch");
BENCHMARK_TEMPLATE(raw_switch, _switch_float)->Name("switch_float");
BENCHMARK(fcontext)->Name("fcontext");
BENCHMARK(resume_yield)->Name("resume_or_yield");
BENCHMARK(create_run_end)->Name("create_run_end");

}  // namespace

int main(int argc, char** argv) {
    return testing::run_benchmarks(argc, argv,
                                   {{"switch", {"fcontext"}, 1.0},
                                    {"resume_or_yield", {"fcontext"}, 1.5},
                                    {"create_run_end", {}, 50.0},
                                    {"switch_float", {"switch"}, {}},
                                    {"ending_by_ret", {"ending_by_jmp"}, {}}});
}
