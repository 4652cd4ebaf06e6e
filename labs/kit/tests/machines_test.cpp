// The machines of a scheduler: turns, parking and unparking, the end. Bodies only collect values, which are checked
// afterwards.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>
#include <vector>

#include "labs/kit/machines/lock.h"
#include "labs/kit/machines/machines.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/time/clock.h"
#include "testing/catch.h"

using namespace fiberscope;
using kit::ClockKind;
using kit::Machines;

namespace {

struct Step {
    unsigned machine;
    std::uint64_t at;
    bool operator==(const Step&) const = default;
};

/// Every machine works for its time, repeatedly; returns their order. Under the virtual clock only one runs at a time.
std::vector<Step> steps_of(const std::vector<std::uint64_t>& times, std::uint64_t seed) {
    kit::choose_clock(ClockKind::virtual_);
    std::vector<Step> steps;
    Machines machines(static_cast<unsigned>(times.size()), seed);
    machines.run([&](unsigned i) {
        for (int n = 0; n < 6; ++n) {
            kit::work(times[i]);
            steps.push_back({i, kit::now()});
        }
    });
    return steps;
}

}  // namespace

TEST_CASE("the machine that is furthest behind takes the next step") {
    const std::vector<Step> steps = steps_of({700, 300, 1100}, 1);
    CHECK(steps.size() == 18);
    CHECK(std::is_sorted(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.at < b.at; }));
    INFO("afterwards the caller's time is that of the machine that took longest");
    CHECK(kit::now() == 6600);
}

TEST_CASE("the seed decides whose turn it is among equals, and the same seed decides the same") {
    const std::vector<std::uint64_t> equal(4, 100);
    const std::vector<Step> first = steps_of(equal, 1);
    CHECK(steps_of(equal, 1) == first);
    int others = 0;
    for (std::uint64_t seed = 2; seed < 10; ++seed) others += steps_of(equal, seed) != first ? 1 : 0;
    CHECK(others > 0);
}

TEST_CASE("no machine has no machines, and other threads are not machines") {
    CHECK_THROWS_AS(Machines(0), std::invalid_argument);
    CHECK(Machines::of_this_thread() == nullptr);
    Machines machines(2);
    std::vector<Machines*> seen(2);
    machines.run([&](unsigned i) { seen[i] = Machines::of_this_thread(); });
    CHECK(seen == std::vector<Machines*>(2, &machines));
    CHECK(Machines::of_this_thread() == nullptr);
}

TEST_CASE("an unpark before a park is kept: the next park returns at once, and the one after it does not") {
    for (const ClockKind clock : {ClockKind::virtual_, ClockKind::monotonic}) {
        kit::choose_clock(clock);
        Machines machines(1);
        bool first = false, second = true;
        machines.run([&](unsigned) {
            machines.unpark(0);
            machines.unpark(0);
            first = machines.park();
            second = machines.park(kit::now() + 100'000);
        });
        CHECK(first);
        CHECK_FALSE(second);
    }
}

TEST_CASE("a machine that two others unpark continues after the later of them") {
    kit::choose_clock(ClockKind::virtual_);
    int too_early = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Machines machines(3, seed);
        std::uint64_t woken = 0, last_cause = 0;
        machines.run([&](unsigned i) {
            if (i == 0) {
                machines.park();
                woken = kit::now();
                return;
            }
            if (i == 1) {
                kit::virtual_now() += 5000;
                last_cause = kit::now();
            } else {
                kit::virtual_now() += 10;
            }
            machines.unpark(0);
        });
        too_early += woken < last_cause ? 1 : 0;
    }
    CHECK(too_early == 0);
}

TEST_CASE("a park with a limit ends there, and not before; a limit in the past does not park") {
    for (const ClockKind clock : {ClockKind::virtual_, ClockKind::monotonic}) {
        kit::choose_clock(clock);
        Machines machines(2);
        std::uint64_t until[2] = {}, after[2] = {}, late[2] = {};
        bool unparked[2] = {true, true};
        machines.run([&](unsigned i) {
            kit::work(1000);
            until[i] = kit::now() + 50'000 * (i + 1);
            unparked[i] = machines.park(until[i]);
            after[i] = kit::now();
            machines.park(5);
            late[i] = kit::now();
        });
        for (unsigned i = 0; i < 2; ++i) {
            CHECK_FALSE(unparked[i]);
            CHECK(after[i] >= until[i]);
            if (clock == ClockKind::virtual_) CHECK(after[i] == until[i]);
            if (clock == ClockKind::virtual_) CHECK(late[i] == after[i]);
        }
    }
}

TEST_CASE("an unparked machine continues when the other one unparks it, and not at the limit") {
    kit::choose_clock(ClockKind::virtual_);
    Machines machines(2);
    std::uint64_t at = 0;
    bool unparked = false;
    machines.run([&](unsigned i) {
        if (i == 1) {
            unparked = machines.park(1'000'000);
            at = kit::now();
        } else {
            kit::work(700);
            machines.unpark(1);
            kit::work(5000);
        }
    });
    CHECK(unparked);
    CHECK(at == 700);
    CHECK(kit::now() == 5700);
}

TEST_CASE("on a machine, idle_until ends early when it is unparked") {
    kit::choose_clock(ClockKind::virtual_);
    Machines machines(2);
    std::uint64_t at = 0;
    machines.run([&](unsigned i) {
        if (i == 1) {
            kit::idle_until(90'000);
            at = kit::now();
        } else {
            kit::work(300);
            machines.unpark(1);
        }
    });
    CHECK(at == 300);
}

TEST_CASE("if all machines are parked forever, run throws instead of waiting") {
    for (const ClockKind clock : {ClockKind::virtual_, ClockKind::monotonic}) {
        kit::choose_clock(clock);
        Machines machines(3);
        CHECK_THROWS_AS(machines.run([&](unsigned) { machines.park(); }), kit::AllParked);
        INFO("also when the last machine that could have unparked them has ended");
        CHECK_THROWS_AS(machines.run([&](unsigned i) {
            if (i != 2) machines.park();
            kit::work(2000);
        }),
                        kit::AllParked);
        INFO("afterwards they can run again");
        std::atomic<int> ran{0};
        machines.run([&](unsigned) { ++ran; });
        CHECK(ran == 3);
    }
}

TEST_CASE("an exception of one body is rethrown by run; the parked machines are unwound") {
    for (const ClockKind clock : {ClockKind::virtual_, ClockKind::monotonic}) {
        kit::choose_clock(clock);
        Machines machines(4);
        std::atomic<int> came_back{0};
        std::atomic<bool> begun{false}, unwound{false};
        struct Unwound {
            std::atomic<bool>& done;
            ~Unwound() { done = true; }
        };
        CHECK_THROWS_AS(machines.run([&](unsigned i) {
            if (i == 3) {
                kit::work(3000);
                while (clock == ClockKind::monotonic && !begun) std::this_thread::yield();
                throw std::runtime_error("a broken machine");
            }
            const Unwound local{unwound};
            begun = true;
            machines.park(i == 1 ? kit::now() + 60'000'000'000 : kit::kNever);
            ++came_back;
        }),
                        std::runtime_error);
        CHECK(came_back == 0);
        CHECK(unwound);
    }
}

TEST_CASE("on real threads two machines that unpark each other alternately lose no unpark") {
    kit::choose_clock(ClockKind::monotonic);
    constexpr int kTurns = 5'000;
    Machines machines(2);
    int passes[2] = {};
    machines.run([&](unsigned i) {
        for (; passes[i] < kTurns; ++passes[i]) {
            if (i == 0) machines.unpark(1);
            machines.park();
            if (i == 1) machines.unpark(0);
        }
    });
    CHECK(passes[0] == kTurns);
    CHECK(passes[1] == kTurns);
}

TEST_CASE("only one machine holds the lock at a time") {
    constexpr int kThreads = 4, kTimes = 5'000;
    kit::Lock lock;
    int count = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i)
        threads.emplace_back([&] {
            for (int n = 0; n < kTimes; ++n) {
                lock.lock();
                ++count;
                lock.unlock();
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(count == kThreads * kTimes);
    bool taken_twice = true;
    const bool taken = lock.try_lock();
    if (taken) {
        std::thread([&] { taken_twice = lock.try_lock(); }).join();
        lock.unlock();
    }
    CHECK(taken);
    CHECK_FALSE(taken_twice);
}

TEST_CASE("machines: a second run begins at the time of its caller on every machine") {
    INFO("under the virtual clock each thread has its own time: no machine begins before the machine that started it");
    kit::choose_clock(ClockKind::virtual_);
    kit::work(5000);
    std::vector<std::uint64_t> began(3);
    Machines machines(3, 1);
    machines.run([&](unsigned machine) { began[machine] = kit::now(); });
    for (const std::uint64_t at : began) CHECK(at >= 5000);
}

TEST_CASE("a thread that sleeps at a lock is woken when the lock is released") {
    static kit::Lock lock;  // must outlive a thread that is not woken
    static std::atomic<int> got{0};
    lock.lock();
    std::vector<std::thread> waiting;
    for (int i = 0; i < 2; ++i)
        waiting.emplace_back([] {
            lock.lock();
            ++got;
            lock.unlock();
        });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));  // so that they sleep
    lock.unlock();
    for (int look = 0; look < 500 && got < 2; ++look) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    const bool all_woken = got == 2;
    for (std::thread& thread : waiting) all_woken ? thread.join() : thread.detach();
    CHECK(all_woken);
}
