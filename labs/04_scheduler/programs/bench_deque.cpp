// Step 4.19: a deque alone, beside a queue with a lock and beside Boost.Fiber's deque of the same kind.
// `deque_owner`: a G in and out again by its owner, eight at a time. `deque_robbed`: 1,024 Gs go in, and come out again
// by the owner and by a thief on another thread. `order_…`: the ways to keep the store of `bottom` before the load of
// `top`, alone.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <atomic>
#include <boost/fiber/all.hpp>
#include <boost/fiber/detail/context_spmc_queue.hpp>
#include <chrono>
#include <thread>
#include <vector>

#include "labs/04_scheduler/beyond/deque.h"

namespace {

using namespace fiberscope;
using Clock = std::chrono::steady_clock;
constexpr std::size_t kGs = 1024, kAtOnce = 8;

/// Gs of a scheduler that does not run them.
struct Gs {
    Gs() {
        for (std::size_t i = 0; i < kGs; ++i) {
            sched.go([] {});
            all.push_back(sched.ready().pop());
        }
    }
    ~Gs() {
        for (lab04::Task* g : all) sched.ready().push(*g);
    }
    Gs(const Gs&) = delete;
    Gs& operator=(const Gs&) = delete;

    lab04::Scheduler sched{lab04::Settings{}};
    std::vector<lab04::Task*> all;
};

struct Ours : Gs {
    void push(std::size_t i) { deque.insert(*all[i]); }
    bool pop() { return deque.take_newest() != nullptr; }
    bool steal() { return deque.take_oldest() != nullptr; }
    lab04::Deque deque{kGs};
};

/// Step 4.8's.
struct Locked : Gs {
    void push(std::size_t i) {
        const kit::Guard held(queue.lock);
        queue.runnable.push(*all[i]);
    }
    bool pop() {
        const kit::Guard held(queue.lock);
        return queue.runnable.pop() != nullptr;
    }
    bool steal() { return pop(); }
    lab04::LocalQueue queue{0, "machine 0"};
};

struct Boost {
    void push(std::size_t) { deque.push(one); }
    bool pop() { return deque.pop() != nullptr; }
    bool steal() { return deque.steal() != nullptr; }
    // A context of no thread, which is never run; steal looks into it.
    boost::fibers::context* const one =
        boost::fibers::make_worker_context(boost::fibers::launch::post, boost::fibers::default_stack(), [] {}).detach();
    boost::fibers::detail::context_spmc_queue deque{kGs};
};

template <class Deque>
void owner_alone(benchmark::State& state) {
    Deque deque;
    for (auto _ : state) {
        for (std::size_t i = 0; i < kAtOnce; ++i) deque.push(i);
        for (std::size_t i = 0; i < kAtOnce; ++i) benchmark::DoNotOptimize(deque.pop());
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kAtOnce));
}

template <class Deque>
void robbed(benchmark::State& state) {
    Deque deque;
    std::atomic<std::size_t> stolen{0};
    std::atomic<bool> over{false};
    std::thread thief([&] {
        while (!over.load(std::memory_order_relaxed))
            if (deque.steal()) stolen.fetch_add(1, std::memory_order_release);
    });
    for (auto _ : state) {
        const std::size_t before = stolen.load(std::memory_order_acquire);
        const Clock::time_point from = Clock::now();
        for (std::size_t i = 0; i < kGs; ++i) deque.push(i);
        std::size_t popped = 0;
        while (popped + stolen.load(std::memory_order_acquire) - before < kGs) popped += deque.pop() ? 1 : 0;
        state.SetIterationTime(std::chrono::duration<double>(Clock::now() - from).count());
    }
    over = true;
    thief.join();
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kGs));
}

struct SeqCst {
    static void store(std::atomic<long>& word, long value) { word.store(value, std::memory_order_seq_cst); }
};
struct Release {
    static void store(std::atomic<long>& word, long value) { word.store(value, std::memory_order_release); }
};
struct Fence {
    static void store(std::atomic<long>& word, long value) {
        word.store(value, std::memory_order_release);
        std::atomic_thread_fence(std::memory_order_seq_cst);
    }
};
#if defined(__x86_64__)
struct Mfence {
    static void store(std::atomic<long>& word, long value) {
        word.store(value, std::memory_order_release);
        asm volatile("mfence" ::: "memory");
    }
};
#endif

template <class Order>
void ordered(benchmark::State& state) {
    alignas(64) std::atomic<long> bottom{0};
    alignas(64) std::atomic<long> top{0};
    for (auto _ : state)
        for (std::size_t i = 0; i < kAtOnce; ++i) {
            Order::store(bottom, static_cast<long>(i));
            benchmark::DoNotOptimize(top.load(std::memory_order_seq_cst));
        }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kAtOnce));
}

BENCHMARK(ordered<SeqCst>)->Name("order_seq_cst");
BENCHMARK(ordered<Fence>)->Name("order_fence");
#if defined(__x86_64__)
BENCHMARK(ordered<Mfence>)->Name("order_mfence");
#endif
BENCHMARK(ordered<Release>)->Name("order_none");
BENCHMARK(owner_alone<Ours>)->Name("deque_owner");
BENCHMARK(owner_alone<Locked>)->Name("deque_owner_locked");
BENCHMARK(owner_alone<Boost>)->Name("deque_owner_boost");
BENCHMARK(robbed<Ours>)->Name("deque_robbed")->UseManualTime();
BENCHMARK(robbed<Locked>)->Name("deque_robbed_locked")->UseManualTime();
BENCHMARK(robbed<Boost>)->Name("deque_robbed_boost")->UseManualTime();

}  // namespace
