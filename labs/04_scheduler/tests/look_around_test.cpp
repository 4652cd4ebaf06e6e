// Steps 4.6 to 4.8 in real time: a machine that finds nothing looks around before it parks, and leaves short tasks
// alone.
#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "labs/04_scheduler/machines.h"
#include "labs/04_scheduler/netco.h"
#include "labs/04_scheduler/netco_api.h"
#include "labs/04_scheduler/tests/support.h"
#include "labs/kit/testing/child.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

constexpr int kLives = kit::kUnderSanitizer ? 1'000 : 20'000;

struct Counted {
    std::uint64_t wakes = 0;
    std::uint64_t ran = 0;
};

/// A root spawns very many short tasks, on two machines.
Counted short_lives(const char* strategy, bool wake_always) {
    record_nothing(kRealTime);
    Scheduler sched(Settings{.strategy = strategy, .machines = 2, .wake_always = wake_always});
    std::atomic<std::uint64_t> ran{0};
    sched.go([&] {
        for (int i = 0; i < kLives; ++i) {
            go([&] { ran.fetch_add(1, std::memory_order_relaxed); });
            if (i % 64 == 0) yield();
        }
    });
    static_cast<void>(sched.run());
    Counted counted{0, ran};
    const SchedulerLock held(sched.shared());
    counted.wakes = sched.shared().wakes();
    return counted;
}

constexpr int kNewOnes = 1'000;

struct NewTask {
    int ran_on = -1;        // processor
    bool was_kept = false;  // right after it was created, the processor still kept its new tasks
};

/// Returns what happened to kNewOnes tasks for `processor`, which the first of two processors creates after very many
/// short ones. The second is busy meanwhile, so its speed does not matter.
std::vector<NewTask> new_ones_after_short_ones(int processor) {
    record_nothing(kRealTime);
    Scheduler sched(Settings{.strategy = "netco", .machines = 2});
    std::atomic<bool> occupied{false}, over{false};
    std::vector<NewTask> tasks(kNewOnes);
    netco_api::co_go(
        [&] {
            occupied = true;
            while (!over) std::this_thread::yield();
        },
        netco_api::kStackSize, 1);
    netco_api::co_go(
        [&] {
            while (!occupied) std::this_thread::yield();
            for (int i = 1; i <= kLives; ++i) {
                go([] {});
                if (i % 64 == 0) yield();
            }
            for (NewTask& task : tasks) {
                netco_api::co_go([&task] { task.ran_on = static_cast<int>(kit::thread_state().machine); },
                                 netco_api::kStackSize, processor);
                task.was_kept = Netco::keeps(*Scheduler::here());
            }
            over = true;
        },
        netco_api::kStackSize, 0);
    static_cast<void>(sched.run());
    return tasks;
}

}  // namespace

TEST_CASE("4.6 short-lived tasks wake few machines") {
    INFO("unpark another machine only if there is more to do than this one takes");
    const Counted counted = short_lives("sylar", false);
    CHECK(counted.ran == kLives);
    INFO("a wake-up costs more than a thousand short-lived tasks");
    if (!kit::kUnderSanitizer) CHECK(counted.wakes < kLives / 50);
}

TEST_CASE("4.7 a processor whose tasks are short keeps its new tasks") {
    // Keeping ends only with time: if a task is kept after its creation, it was kept at its creation. If the OS
    // preempts the thread in a task, that task was long: another round.
    constexpr double kSeconds = 1.2;  // of CPU time
    constexpr std::size_t kEnough = kNewOnes / 10;
    std::size_t kept = 0;
    std::size_t elsewhere = 0;
    while (kept < kEnough && kit::processor_seconds() < kSeconds) {
        for (const NewTask& task : new_ones_after_short_ones(netco_api::kAnyProcessor)) {
            if (!task.was_kept) continue;
            ++kept;
            if (task.ran_on != 0) ++elsewhere;
        }
    }
    INFO("handing over a short task takes longer than running it: while keeps(here), it stays here");
    CHECK((kept >= kEnough || kit::kUnderSanitizer));  // otherwise every task is slow
    CHECK(elsewhere == 0);
}

TEST_CASE("4.7 a task for a named processor goes there, even while this processor keeps its short tasks") {
    INFO("choose a processor that was named before you ask which processor keeps its short tasks");
    for (int round = 0; round < 5; ++round) {
        const std::vector<NewTask> tasks = new_ones_after_short_ones(1);
        CHECK(std::all_of(tasks.begin(), tasks.end(), [](const NewTask& task) { return task.ran_on == 1; }));
    }
}

TEST_CASE("4.8 short-lived tasks wake few machines") {
    INFO("unpark another machine only if there is more to do than this one takes");
    const Counted counted = short_lives("go", false);
    CHECK(counted.ran == kLives);
    if (!kit::kUnderSanitizer) CHECK(counted.wakes < kLives / 50);
}

namespace {

/// Returns whether the second machine runs a task that is queued after a long one.
bool other_machine_helps(const char* strategy) {
    record_nothing(kRealTime);
    Scheduler sched(Settings{.strategy = strategy, .machines = 2});
    std::atomic<bool> second{false}, gave_up{false};
    sched.go([&] {
        for (int i = 0; i < 2000; ++i) {
            go([] {});
            if (i % 64 == 0) yield();
        }
        for (int i = 0; i < 4; ++i) go([&] { second = true; });
        const std::uint64_t begin = kit::now();
        while (!second && !gave_up) gave_up = kit::now() - begin > 1'500'000 * kMicrosecond;
    });
    static_cast<void>(sched.run());
    return second && !gave_up;
}

}  // namespace

TEST_CASE("4.6 a task queued after a long one is run by the other machine, even if earlier tasks were short") {
    INFO("a machine that leaves short tasks to another must come back by itself");
    CHECK(other_machine_helps("sylar"));
}

TEST_CASE("4.8 a task queued after a long one is run by the other machine, even if earlier tasks were short") {
    INFO("a machine that leaves short tasks to another must come back by itself");
    CHECK(other_machine_helps("go"));
}
