// Step 4.17: preemption by a signal.
#define FIBERSCOPE_STEP "4.17"
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <limits>
#include <stdexcept>
#include <vector>

#include "labs/04_scheduler/beyond/preemption/preemption.h"
#include "labs/04_scheduler/tests/support.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

constexpr std::uint64_t kQuantum = 10 * kMicrosecond;

/// A scheduler of one thread whose tasks can be preempted, and their log.
struct Stand {
    explicit Stand(std::uint64_t quantum = kQuantum) : preemption(quantum) {}

    /// `name` works for some quanta in preemptible code, and logs its end.
    void go_hog(const char* name, int quanta) {
        go(name, [this, name, quanta] {
            work_preemptibly(static_cast<std::uint64_t>(quanta) * kQuantum);
            log.emplace_back(name);
        });
    }
    /// `name` logs each of its turns.
    void go_polite(const char* name, int turns) {
        go(name, [this, name, turns] {
            for (int n = 0; n < turns; ++n) {
                log.emplace_back(name);
                yield();
            }
        });
    }
    void run() {
        INFO("the run ends when all tasks have ended, and no task threw");
        CHECK(sched.run().empty());
    }

    Scheduler sched;
    Preemption preemption;
    Log log;
};

// The signal arrives while ordinary code runs: in malloc, say.
[[gnu::noinline]] void tick_in_ordinary_code() { std::raise(SIGURG); }

/// The log of the tasks.
template <class Begin>
Log log_of(const Begin& begin) {
    use_virtual_time();
    Stand stand;
    begin(stand);
    stand.run();
    return stand.log;
}

}  // namespace

TEST_CASE("4.17 a task that never yields is stopped, and the others have their turns") {
    const Log log = log_of([](Stand& stand) {
        stand.go_hog("hog", 4);
        stand.go_polite("polite", 3);
    });
    INFO("on_tick: the tick hit preemptible code of a task that does not forbid it: the task yields by stop()");
    CHECK(log == Log{"polite", "polite", "polite", "hog"});
}

TEST_CASE("4.17 while a stopped task waits for its turn, the signal stops others") {
    const Log log = log_of([](Stand& stand) {
        stand.go_hog("first", 3);
        stand.go_hog("second", 3);
        stand.go_polite("polite", 3);
    });
    INFO(
        "on_tick: a handler that switches leaves with SIGURG blocked. Call unblock_signal() before stop(), or the "
        "task that runs next is never stopped");
    REQUIRE(log.size() == 5);
    CHECK(std::vector(log.begin(), log.begin() + 3) == Log{"polite", "polite", "polite"});
}

TEST_CASE("4.17 code that is not preemptible is not stopped, but asked to yield at its next safe point") {
    const Log log = log_of([](Stand& stand) {
        go([&stand] {
            tick_in_ordinary_code();
            stand.log.emplace_back("after the tick");
            stand.preemption.safe_point();
            stand.log.emplace_back("after its safe point");
        });
        stand.go_polite("polite", 1);
    });
    INFO("on_tick: malloc and locks are not preemptible, so check the pc; store in asked_ which task has to yield");
    CHECK(log == Log{"after the tick", "polite", "after its safe point"});
}

TEST_CASE("4.17 a safe point yields once per tick") {
    const Log log = log_of([](Stand& stand) {
        go([&stand] {
            stand.preemption.safe_point();
            stand.log.emplace_back("not asked");
            tick_in_ordinary_code();
            stand.preemption.safe_point();
            stand.log.emplace_back("asked");
            stand.preemption.safe_point();
            stand.log.emplace_back("has given way");
        });
        stand.go_polite("polite", 3);
    });
    INFO("safe_point: yields only if the task was asked, and clears the request");
    REQUIRE(log.size() == 6);
    CHECK(std::vector(log.begin(), log.begin() + 4) == Log{"not asked", "polite", "asked", "has given way"});
}

TEST_CASE("4.17 only the task that was asked yields at a safe point") {
    const Log log = log_of([](Stand& stand) {
        go([&stand] {
            tick_in_ordinary_code();
            yield();
            stand.preemption.safe_point();
            stand.log.emplace_back("asked");
        });
        go([&stand] {
            stand.preemption.safe_point();
            stand.log.emplace_back("another");
        });
        stand.go_polite("polite", 2);
    });
    INFO("safe_point: the tick was for the task that ran then; this one has used no quantum");
    CHECK(log == Log{"another", "polite", "polite", "asked"});
}

TEST_CASE("4.17 the last tick determines which task is asked") {
    const Log log = log_of([](Stand& stand) {
        go([] { tick_in_ordinary_code(); });  // ends without a safe point
        go([&stand] {
            tick_in_ordinary_code();
            stand.preemption.safe_point();
            stand.log.emplace_back("asked after it");
        });
        stand.go_polite("polite", 1);
    });
    INFO("on_tick: a pending request must not keep the next tick from asking the task that runs then");
    CHECK(log == Log{"polite", "asked after it"});
}

TEST_CASE("4.17 while a task yields, another one may be asked") {
    const auto run = [](bool is_stopped) {
        return log_of([is_stopped](Stand& stand) {
            go([&stand, is_stopped] {
                if (is_stopped) work_preemptibly(kQuantum);
                if (!is_stopped) tick_in_ordinary_code();
                stand.preemption.safe_point();
                stand.log.emplace_back("first");
            });
            go([&stand] {
                tick_in_ordinary_code();
                yield();
                stand.preemption.safe_point();
                stand.log.emplace_back("second");
            });
            stand.go_polite("polite", 2);
        });
    };
    INFO("safe_point: clear the request before yield(). After it asked_ may already name another task");
    CHECK(run(false) == Log{"polite", "first", "polite", "second"});
    INFO("on_tick: clear the request before stop(). After it asked_ may already name another task");
    CHECK(run(true) == Log{"polite", "first", "polite", "second"});
}

TEST_CASE("4.17 stopping a task clears its pending request") {
    const Log log = log_of([](Stand& stand) {
        go([&stand] {
            tick_in_ordinary_code();
            work_preemptibly(kQuantum);  // here it is stopped
            stand.preemption.safe_point();
            stand.log.emplace_back("one turn later");
        });
        stand.go_polite("polite", 2);
    });
    INFO("on_tick: a task that yields by stop() has fulfilled the request");
    CHECK(log == Log{"polite", "one turn later", "polite"});
}

TEST_CASE("4.17 a task that forbids preemption is not stopped, and yields at a safe point after allowing it again") {
    const Log log = log_of([](Stand& stand) {
        go([&stand] {
            stand.preemption.without([&stand] {
                work_preemptibly(3 * kQuantum);
                stand.log.emplace_back("has held a lock");
            });
            stand.log.emplace_back("after it");
        });
        stand.go_polite("polite", 1);
    });
    INFO("on_tick: a task that forbids it may hold a lock that the others want: it is asked, not stopped");
    CHECK(log == Log{"has held a lock", "polite", "after it"});
}

TEST_CASE("4.17 preemption forbidden twice must be allowed twice") {
    const Log log = log_of([](Stand& stand) {
        go([&stand] {
            stand.preemption.forbid();
            stand.preemption.without([] {});
            work_preemptibly(kQuantum);
            stand.preemption.safe_point();
            stand.log.emplace_back("still forbidden");
            stand.preemption.allow();
            work_preemptibly(kQuantum);
            stand.log.emplace_back("stopped");
        });
        stand.go_polite("polite", 1);
    });
    INFO("forbid and allow count; safe_point does nothing while it is forbidden");
    CHECK(log == Log{"still forbidden", "polite", "stopped"});
}

TEST_CASE("4.17 a safe point while preemption is forbidden leaves the request pending") {
    const Log log = log_of([](Stand& stand) {
        go([&stand] {
            stand.preemption.forbid();
            tick_in_ordinary_code();
            stand.preemption.safe_point();
            stand.log.emplace_back("forbidden");
            stand.preemption.allow();
            stand.preemption.safe_point();
            stand.log.emplace_back("allowed");
        });
        stand.go_polite("polite", 1);
    });
    INFO("safe_point: only a task that yields has fulfilled the request");
    CHECK(log == Log{"forbidden", "polite", "allowed"});
}

TEST_CASE("4.17 a task that allows preemption again continues until its next safe point") {
    const Log log = log_of([](Stand& stand) {
        go([&stand] {
            const auto fails = [] {
                tick_in_ordinary_code();
                throw std::runtime_error("in the lock");
            };
            try {
                stand.preemption.without(fails);
            } catch (const std::runtime_error&) {
                stand.log.emplace_back("has failed");
            }
            stand.preemption.safe_point();
            stand.log.emplace_back("has given way");
        });
        stand.go_polite("polite", 1);
    });
    INFO("allow: only counts, and does not yield: a task also calls it while an exception unwinds it out of a lock");
    CHECK(log == Log{"has failed", "polite", "has given way"});
}

namespace {

/// Returns the errno that preemptible code sees after it has been stopped `stops` times.
FIBERSCOPE_PREEMPTIBLE int error_after(int stops) {
    errno = EDOM;
    work_preemptibly(static_cast<std::uint64_t>(stops) * kQuantum);
    return errno;
}

}  // namespace

TEST_CASE("4.17 a task that was stopped finds errno as it left it") {
    const Log log = log_of([](Stand& stand) {
        go([&stand] { stand.log.push_back(error_after(2) == EDOM ? "as it was" : "changed"); });
        go([&stand] {
            stand.log.emplace_back("another task");
            errno = ERANGE;
        });
    });
    INFO("errno belongs to the thread and is not in a register: the handler restores it, like the registers");
    CHECK(log == Log{"another task", "as it was"});
}

TEST_CASE("4.17 a tick while no task runs stops no task") {
    Stand stand;
    tick_in_ordinary_code();
    work_preemptibly(kQuantum);
    stand.go_polite("polite", 1);
    stand.go_hog("hog", 1);
    stand.run();
    work_preemptibly(2 * kQuantum);
    INFO("on_tick: if no task runs (running() is null), there is nothing to do");
    CHECK(stand.log == Log{"polite", "hog"});
    CHECK(stand.preemption.stops() == 1);
}

TEST_CASE("4.17 a tick while no task runs does not clear the request of a sleeping task") {
    struct Ticking : SimulatedSource {
        std::span<Event> wait(std::uint64_t until) override {
            tick_in_ordinary_code();
            return SimulatedSource::wait(until);
        }
    } source;
    use_virtual_time();
    Scheduler sched(Settings{.source = &source});
    Preemption preemption(kQuantum);
    Log log;
    go([&] {
        tick_in_ordinary_code();
        sleep_for(kMicrosecond);
        go([&] { log.emplace_back("polite"); });
        preemption.safe_point();
        log.emplace_back("asked");
    });
    CHECK(sched.run().empty());
    INFO("on_tick: if no task runs (running() is null), there is nothing to do: asked_ is not changed");
    CHECK(log == Log{"polite", "asked"});
}

#ifndef FIBERSCOPE_TSAN  // ThreadSanitizer delays a signal until its thread calls the C library
namespace {

/// Loops until it is told to end, and calls nothing.
FIBERSCOPE_PREEMPTIBLE void spin_until(const volatile bool& enough) {
    while (!enough) {
    }
}

/// Values that a compiler keeps in registers of every kind: integers, floating-point numbers, flags.
FIBERSCOPE_PREEMPTIBLE std::uint64_t chain(std::uint64_t rounds) {
    std::uint64_t a = 1, b = 2, c = 3, d = 4, e = 5;
    double x = 1.0, y = 1.5, z = 2.5;
    for (std::uint64_t i = 0; i < rounds; ++i) {
        a = a * 6364136223846793005U + b;
        b = (b << 13U | b >> 51U) ^ c;
        c = c + (a < d ? d : e);
        d = d ^ a >> 7U;
        e = e * 31U + i;
        x = x * 0.75 + y;
        y = y * 0.5 + z;
        z = z < 1000.0 ? z * 1.25 : z - 999.0;
    }
    return a ^ b ^ c ^ d ^ e ^ static_cast<std::uint64_t>((x + y + z) * 1e9);
}

}  // namespace

TEST_CASE("4.17 the system's timer stops a loop that makes no calls") {
    use_real_time();
    Stand stand(200 * kMicrosecond);
    volatile bool enough = false;
    go([&enough] { spin_until(enough); }, "spins");
    go([&enough] { enough = true; }, "ends it");
    stand.run();
    INFO("on_tick: the loop that spins ends only when the other task has run, which needs a stop");
    CHECK(stand.preemption.stops() >= 1);
}

TEST_CASE("4.17 a stopped task continues with all its registers unchanged") {
    use_real_time();
    constexpr int kMost = 40;
    volatile std::uint64_t rounds = 1'000'000;
    const std::uint64_t right = chain(rounds);
    Stand stand(50 * kMicrosecond);
    int wrong = 0;
    for (int i = 0; i < 2; ++i)
        go([&] {
            for (int n = 0; n < kMost && stand.preemption.stops() < 4; ++n) wrong += chain(rounds) == right ? 0 : 1;
        });
    stand.run();
    INFO("on_tick: two tasks that compute the same are stopped meanwhile, and have the same result");
    CHECK(stand.preemption.stops() >= 4);
    CHECK(wrong == 0);
}
#endif
