// What the life of a timer costs in each store and in those of others, with 1,000 to a million set at once; and by how
// much a sleep is longer than asked for.
// `./lab bench 06` runs it in rounds; the medians of the rounds' ratios are printed at the end.
#include <benchmark/benchmark.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <uv.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <map>
#include <memory>
#include <queue>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "labs/06_timers/loop.h"
#include "labs/06_timers/timer.h"
#include "labs/kit/time/units.h"
#include "testing/measure/ratios.h"

using namespace fiberscope;
namespace lab = fiberscope::lab06;

namespace {

using kit::kMillisecond;
constexpr std::uint64_t kLongest = 60'000;  // ms: a minute, as the time-outs of a server

/// The deadlines of `n` timers, ms, the same for all stores.
const std::vector<std::uint64_t>& deadlines(std::size_t n) {
    static std::map<std::size_t, std::vector<std::uint64_t>> all;
    std::vector<std::uint64_t>& those = all[n];
    std::mt19937_64 random(n);
    while (those.size() < n) those.push_back(random() % kLongest + 1);
    return those;
}
/// The same numbers in another order: in which timers are cancelled.
const std::vector<std::uint32_t>& shuffled(std::size_t n) {
    static std::map<std::size_t, std::vector<std::uint32_t>> all;
    std::vector<std::uint32_t>& those = all[n];
    if (those.empty()) {
        for (std::uint32_t i = 0; i < n; ++i) those.push_back(i);
        std::shuffle(those.begin(), those.end(), std::mt19937_64(n + 1));
    }
    return those;
}

// ---- the stores that are compared -----------------------------------------------------------------------------------
// Each has places for n timers: add(i, deadline in ms), cancel(i), and expire_all(), which says how many expired. Where
// the clock can be set it goes to the last deadline in steps, as in a loop that has something else to do as well.

constexpr std::uint64_t kStep = 10;  // ms

class Ours {
  public:
    static constexpr bool kOwnClock = false;
    Ours(const char* name, std::size_t n) : store_(lab::make_store(name)), timers_(n) {}
    void add(std::size_t i, std::uint64_t ms) { store_->add(timers_[i], ms * kMillisecond); }
    void cancel(std::size_t i) { store_->cancel(timers_[i]); }
    std::size_t expire_all() {
        std::size_t n = 0;
        for (std::uint64_t ms = 0; ms <= kLongest; ms += kStep) {
            expired_.clear();
            store_->take_expired(ms * kMillisecond, expired_);
            n += expired_.size();
        }
        return n;
    }

  private:
    std::unique_ptr<lab::TimerStore> store_;
    std::vector<lab::Timer> timers_;
    std::vector<lab::Timer*> expired_;
};

class Multimap {
  public:
    static constexpr bool kOwnClock = false;
    explicit Multimap(std::size_t n) : places_(n) {}
    void add(std::size_t i, std::uint64_t ms) { places_[i] = map_.emplace(ms, i); }
    void cancel(std::size_t i) { map_.erase(places_[i]); }
    std::size_t expire_all() {
        std::size_t n = 0;
        for (std::uint64_t ms = 0; ms <= kLongest; ms += kStep)
            for (; !map_.empty() && map_.begin()->first <= ms; ++n) map_.erase(map_.begin());
        return n;
    }

  private:
    using Map = std::multimap<std::uint64_t, std::size_t>;
    Map map_;
    std::vector<Map::iterator> places_;
};

/// A priority queue cannot let one go that is not its first: cancelled ones stay, are marked, and are thrown away
/// later.
class PriorityQueue {
  public:
    static constexpr bool kOwnClock = false;
    explicit PriorityQueue(std::size_t n) : cancelled_(n) {}
    void add(std::size_t i, std::uint64_t ms) { queue_.emplace(ms, i); }
    void cancel(std::size_t i) { cancelled_[i] = 1; }
    std::size_t expire_all() {
        std::size_t n = 0;
        for (std::uint64_t ms = 0; ms <= kLongest; ms += kStep)
            for (; !queue_.empty() && queue_.top().first <= ms; queue_.pop())
                n += cancelled_[queue_.top().second] != 0 ? 0U : 1U;
        return n;
    }

  private:
    using Entry = std::pair<std::uint64_t, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
    std::vector<char> cancelled_;
};

/// libevent's timers: a heap of pointers. Its clock cannot be set: the deadlines are µs here, and waited for; what is
/// timed is the call that finds all of them due, with their callbacks.
class Libevent {
  public:
    static constexpr bool kOwnClock = true;
    explicit Libevent(std::size_t n) : base_(event_base_new()), events_(n) {
        const auto count = [](int, short, void* expired) { ++*static_cast<std::size_t*>(expired); };
        for (event& one : events_) evtimer_assign(&one, base_, count, &expired_);
    }
    ~Libevent() {
        for (event& one : events_) event_del(&one);
        event_base_free(base_);
    }
    Libevent(const Libevent&) = delete;
    Libevent& operator=(const Libevent&) = delete;
    void add(std::size_t i, std::uint64_t ms) {
        const timeval in{0, static_cast<suseconds_t>(ms)};
        event_add(&events_[i], &in);
    }
    void cancel(std::size_t i) { event_del(&events_[i]); }
    std::size_t expire_all() {
        event_base_loop(base_, EVLOOP_NONBLOCK);
        return expired_;
    }

  private:
    event_base* base_;
    std::vector<event> events_;
    std::size_t expired_ = 0;
};

/// libuv's timers: a heap of nodes that lie in the timers and are linked. The same holds for its clock, which counts
/// ms.
class Libuv {
  public:
    static constexpr bool kOwnClock = true;
    explicit Libuv(std::size_t n) : timers_(n) {
        uv_loop_init(&loop_);
        for (uv_timer_t& one : timers_) {
            uv_timer_init(&loop_, &one);
            one.data = &expired_;
        }
    }
    ~Libuv() {
        for (uv_timer_t& one : timers_) uv_close(reinterpret_cast<uv_handle_t*>(&one), nullptr);
        uv_run(&loop_, UV_RUN_DEFAULT);
        uv_loop_close(&loop_);
    }
    Libuv(const Libuv&) = delete;
    Libuv& operator=(const Libuv&) = delete;
    void add(std::size_t i, std::uint64_t ms) {
        const auto count = [](uv_timer_t* timer) { ++*static_cast<std::size_t*>(timer->data); };
        uv_timer_start(&timers_[i], count, ms / 1000, 0);
    }
    void cancel(std::size_t i) { uv_timer_stop(&timers_[i]); }
    std::size_t expire_all() {
        uv_run(&loop_, UV_RUN_NOWAIT);
        return expired_;
    }

  private:
    uv_loop_t loop_{};
    std::vector<uv_timer_t> timers_;
    std::size_t expired_ = 0;
};

// ---- what is measured -----------------------------------------------------------------------------------------------

/// What `act` takes, in s of processor time: what others do on the machine meanwhile does not count.
template <class Act>
double seconds(Act act) {
    const auto spent = [] {
        timespec t{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    };
    const double begin = spent();
    act();
    return spent() - begin;
}

template <class Those>
double add_all(Those& those, std::size_t n) {
    const std::vector<std::uint64_t>& when = deadlines(n);
    return seconds([&] {
        for (std::size_t i = 0; i < n; ++i) those.add(i, when[i]);
    });
}

template <class Those>
double cancel_half(Those& those, std::size_t n) {
    const std::vector<std::uint32_t>& order = shuffled(n);
    return seconds([&] {
        for (std::size_t i = 0; i < n / 2; ++i) those.cancel(order[i]);
    });
}

template <class Those>
double expire_rest(Those& those, std::size_t rest, benchmark::State& state) {
    if (Those::kOwnClock) std::this_thread::sleep_for(std::chrono::microseconds(kLongest + 5'000));
    std::size_t expired = 0;
    const double took = seconds([&] { expired = those.expire_all(); });
    if (expired != rest) state.SkipWithError("not all have expired");
    return took;
}

/// The life of n timers: all are added, every second one is cancelled, and the others expire.
template <class Make>
void measure(benchmark::State& state, Make make, std::size_t n) {
    for (auto _ : state) {
        const auto those = make(n);
        const double add = add_all(*those, n), cancel = cancel_half(*those, n);
        state.SetIterationTime(add + cancel + expire_rest(*those, n - n / 2, state));
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(n));
}

/// Threads that keep all processors busy, as long as it lives.
class Load {
  public:
    explicit Load(unsigned threads) {
        for (unsigned i = 0; i < threads; ++i)
            threads_.emplace_back([this] {
                while (!over_.load(std::memory_order_relaxed)) {
                }
            });
    }
    ~Load() {
        over_.store(true, std::memory_order_relaxed);
        for (std::thread& thread : threads_) thread.join();
    }
    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;

  private:
    std::atomic<bool> over_{false};
    std::vector<std::thread> threads_;
};

/// By how much longer than 2 ms a sleep in epoll takes: of 200 the one below which `percent` of them lie.
void overshoot(benchmark::State& state, std::size_t percent, bool loaded) {
    const Load load(loaded ? 2 * std::thread::hardware_concurrency() : 0);
    lab::TimedSource source;
    for (auto _ : state) {
        std::vector<std::uint64_t> late;
        for (int i = 0; i < 200; ++i) {
            const std::uint64_t until = kit::now() + 2 * kMillisecond;
            static_cast<void>(source.wait(until));
            late.push_back(kit::now() - until);
        }
        std::sort(late.begin(), late.end());
        state.SetIterationTime(static_cast<double>(late[late.size() * percent / 100]) * 1e-9);
    }
    state.SetItemsProcessed(state.iterations());
}

// ---- the table ------------------------------------------------------------------------------------------------------

// A repetition of one with a clock of its own sleeps until all are due: few of them, because Google Benchmark would add
// repetitions until the time that is measured, which is without the sleep, is long enough.
constexpr int kSleepingIterations = 4;

template <class Those, class Make>
void declare(const std::string& kind, Make make, std::size_t n) {
    auto* declared = benchmark::RegisterBenchmark(("life_" + kind + "_" + std::to_string(n)).c_str(),
                                                  [make, n](benchmark::State& state) { measure(state, make, n); });
    declared->UseManualTime();
    if (n >= 100'000)
        declared->Iterations(1);
    else if (Those::kOwnClock)
        declared->Iterations(kSleepingIterations);
}

template <class Those>
void declare(const std::string& kind, std::size_t n) {
    declare<Those>(
        kind, [](std::size_t many) { return std::make_unique<Those>(many); }, n);
}

void declare_all(std::size_t n) {
    for (const char* name : {"tree", "heap", "wheel", "levels"})
        declare<Ours>(
            name, [name](std::size_t many) { return std::make_unique<Ours>(name, many); }, n);
    declare<Multimap>("multimap", n);
    declare<PriorityQueue>("priority_queue", n);
    declare<Libevent>("libevent", n);
    declare<Libuv>("libuv", n);
}

}  // namespace

int main(int argc, char** argv) {
    for (const std::size_t n : {1'000U, 10'000U, 100'000U, 1'000'000U}) declare_all(n);
    for (const std::size_t percent : {50U, 99U})
        for (const bool loaded : {false, true}) {
            const std::string name = (loaded ? "overshoot_loaded_p" : "overshoot_p") + std::to_string(percent);
            benchmark::RegisterBenchmark(name.c_str(),
                                         [=](benchmark::State& state) { overshoot(state, percent, loaded); })
                ->UseManualTime()
                ->Iterations(1);
        }
    return testing::run_benchmarks(argc, argv,
                                   {
                                       {"life_levels_1000000", "life_multimap_1000000", 1.0},
                                       {"life_levels_1000000", "life_priority_queue_1000000", 1.0},
                                       {"life_levels_1000000", "life_libevent_1000000", 1.0},
                                       {"life_levels_1000000", "life_libuv_1000000", 1.0},
                                       {"life_wheel_1000000", "life_levels_1000000", {}},
                                       {"life_tree_1000000", "life_multimap_1000000", {}},
                                       {"life_heap_1000000", "life_libevent_1000000", {}},
                                   });
}
