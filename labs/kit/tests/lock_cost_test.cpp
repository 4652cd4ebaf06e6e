// Locks that cost virtual time: who waits, and how long.
#include <functional>
#include <vector>

#include "labs/kit/machines/lock.h"
#include "labs/kit/machines/lock_cost.h"
#include "labs/kit/machines/machines.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/time/clock.h"
#include "testing/catch.h"

using namespace fiberscope;
using kit::Guard;
using kit::Machines;

namespace {

/// During its lifetime, a lock costs this many ns.
struct Cost {
    explicit Cost(std::uint64_t ns) { kit::choose_lock_cost(ns); }
    ~Cost() { kit::choose_lock_cost(0); }
};

using Body = std::function<void(unsigned)>;

/// The times at which the machines finished `body`.
std::vector<std::uint64_t> ends_of(unsigned count, const Body& body, std::uint64_t seed = 1) {
    kit::choose_clock(kit::ClockKind::virtual_);
    Machines machines(count, seed);
    std::vector<std::uint64_t> ends(count);
    machines.run([&](unsigned i) {
        body(i);
        ends[i] = kit::now();
    });
    return ends;
}

}  // namespace

TEST_CASE("if two machines want a lock at the same time, the second waits for exactly the cost of the first") {
    const Cost cost(30);
    kit::Lock lock;
    std::vector<std::uint64_t> ends = ends_of(2, [&](unsigned) { const Guard held(lock); });
    std::ranges::sort(ends);
    CHECK(ends == std::vector<std::uint64_t>{30, 60});
}

TEST_CASE("a machine that comes when the lock is free again does not wait, and a single one pays too") {
    const Cost cost(30);
    kit::Lock lock, other;
    CHECK(ends_of(2, [&](unsigned i) {
              kit::work(i * 30);
              const Guard held(lock);
          }) == std::vector<std::uint64_t>{30, 60});
    CHECK(ends_of(1, [&](unsigned) {
              for (int n = 0; n < 3; ++n) const Guard held(other);
          }) == std::vector<std::uint64_t>{90});
}

TEST_CASE("the machine that comes first has the lock first, even if it came while another one held it") {
    const Cost cost(100);
    kit::Lock lock;
    CHECK(ends_of(3, [&](unsigned i) {
              kit::work((2 - i) * 10);
              const Guard held(lock);
          }) == std::vector<std::uint64_t>{300, 200, 100});
}

TEST_CASE("without a cost a lock takes no time, and no machine gives up its turn there") {
    kit::Lock lock;
    std::vector<unsigned> order;
    const auto body = [&](unsigned i) {
        kit::virtual_now() += 100;
        const Guard held(lock);
        order.push_back(i);
    };
    CHECK(ends_of(2, body) == std::vector<std::uint64_t>{100, 100});
    CHECK(order == std::vector<unsigned>{0, 1});
}

TEST_CASE("machines that share no lock scale linearly, machines that share one are bounded by it") {
    constexpr unsigned kMachines = 64, kPieces = 640;
    constexpr std::uint64_t kWork = 1000, kCost = 50;
    const Cost cost(kCost);
    const auto makespan = [&](unsigned count, bool shared) {
        std::vector<kit::Lock> locks(count);
        static_cast<void>(ends_of(count, [&](unsigned i) {
            for (unsigned n = i; n < kPieces; n += count) {
                { const Guard held(locks[shared ? 0 : i]); }
                kit::work(kWork);
            }
        }));
        return kit::now();
    };
    CHECK(makespan(1, false) == kPieces * (kWork + kCost));
    CHECK(makespan(1, false) == kMachines * makespan(kMachines, false));
    INFO("the limit is (work + cost) / cost = 21");
    const double speed_up = static_cast<double>(makespan(1, true)) / static_cast<double>(makespan(kMachines, true));
    CHECK(speed_up < 21);
    CHECK(speed_up > 20);
}

TEST_CASE("two machines that take the same two locks in different order do not deadlock") {
    const Cost cost(10);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        kit::Lock a, b;
        int taken = 0;
        static_cast<void>(ends_of(
            2,
            [&](unsigned i) {
                for (int n = 0; n < 10; ++n) {
                    const kit::GuardOfTwo both(i == 0 ? a : b, i == 0 ? b : a);
                    ++taken;
                }
            },
            seed));
        CHECK(taken == 20);
    }
}
