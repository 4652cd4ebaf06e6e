// Cost of the life of a timer in each store and in a std::priority_queue, with 1,000 and a million timers.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <memory>
#include <numeric>
#include <queue>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "labs/06_timers/timer.h"
#include "labs/kit/time/units.h"
#include "testing/measure/ratios.h"

using namespace fiberscope;
namespace lab = fiberscope::lab06;

namespace {

using kit::kMillisecond;
constexpr std::uint64_t kLongest = 60'000;  // ms: a minute, typical of timeouts in a server

/// Returns the deadlines of `n` timers, ms, the same for all stores.
std::vector<std::uint64_t> deadlines(std::size_t n) {
    std::mt19937_64 random(n);
    std::vector<std::uint64_t> those(n);
    for (std::uint64_t& one : those) one = random() % kLongest + 1;
    return those;
}
/// Returns the order in which timers are cancelled.
std::vector<std::uint32_t> shuffled(std::size_t n) {
    std::vector<std::uint32_t> those(n);
    std::iota(those.begin(), those.end(), 0U);
    std::shuffle(those.begin(), those.end(), std::mt19937_64(n + 1));
    return those;
}

// ---- the stores -----------------------------------------------------------------------------------------------------
// Each holds n timers: add(i, deadline in ms), cancel(i), and expire_all(), which returns the number of expired timers.
// It advances the clock to the last deadline in steps, like a loop that also does other work.

constexpr std::uint64_t kStep = 10;  // ms

class Ours {
  public:
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

/// A priority queue can only remove its first element: cancelled timers are marked and discarded later.
class PriorityQueue {
  public:
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

// ---- measurements ---------------------------------------------------------------------------------------------------

/// Returns the processor time of `act` in seconds, excluding other programs.
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

/// The life of n timers: all are added, every second one is cancelled, and the others expire.
template <class Make>
void measure(benchmark::State& state, Make make, std::size_t n) {
    const std::vector<std::uint64_t> when = deadlines(n);
    const std::vector<std::uint32_t> order = shuffled(n);
    for (auto _ : state) {
        const auto those = make(n);
        std::size_t expired = 0;
        state.SetIterationTime(seconds([&] {
            for (std::size_t i = 0; i < n; ++i) those->add(i, when[i]);
            for (std::size_t i = 0; i < n / 2; ++i) those->cancel(order[i]);
            expired = those->expire_all();
        }));
        if (expired != n - n / 2) state.SkipWithError("not all have expired");
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(n));
}

template <class Those, class... Arguments>
void declare(const std::string& kind, std::size_t n, Arguments... arguments) {
    const auto make = [=](std::size_t many) { return std::make_unique<Those>(arguments..., many); };
    benchmark::RegisterBenchmark(("life_" + kind + "_" + std::to_string(n)).c_str(), [make,
                                                                                      n](benchmark::State& state) {
        measure(state, make, n);
    })->UseManualTime();
}

}  // namespace

int main(int argc, char** argv) {
    for (const std::size_t n : {1'000U, 1'000'000U}) {
        for (const char* name : {"tree", "heap", "wheel", "levels"}) declare<Ours>(name, n, name);
        declare<PriorityQueue>("priority_queue", n);
    }
    return testing::run_benchmarks(argc, argv, {{"life_levels_1000000", {"life_priority_queue_1000000"}, 1.0}});
}
