// Steps 4.6 to 4.8: tasks from threads that are not machines. Step 4.4: tasks left by a thread that ends. Steps 4.6 and
// 4.7: no machine deadlocks on a lock that it holds.
#include <atomic>
#include <latch>
#include <string>
#include <thread>

#include "labs/04_scheduler/netco_api.h"
#include "labs/04_scheduler/sylar.h"
#include "labs/04_scheduler/tests/support.h"
#include "labs/kit/testing/child.h"
#include "labs/kit/testing/usual_turns.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

namespace {

/// Runs until `given` is true, or for some seconds; meanwhile another thread calls `give`, which has returned when this
/// does.
void run_beside(Scheduler& sched, const std::function<void()>& give, const std::atomic<bool>& given) {
    constexpr int kMostLooks = 50'000;
    std::jthread other;
    sched.go(
        [&] {
            other = std::jthread([&] {
                kit::this_thread();
                give();
            });
            for (int looks = 0; looks < kMostLooks && !given; ++looks) sleep_for(10 * kMicrosecond);
        },
        {.name = "keeps it running", .stack_size = kit::kDefaultStackSize});
    static_cast<void>(sched.run());
}

}  // namespace

TEST_CASE("4.7 co_go by a thread without processors gives the task to the processors that run") {
    record_nothing();
    for (const int processor : {0, 1}) {
        use_real_time();
        Scheduler sched(Settings{.strategy = "netco", .machines = 2});
        std::atomic<bool> ran{false}, has_its_own{true};
        std::atomic<int> machine{99};
        const auto task = [&] {
            machine = static_cast<int>(running_task().sched->machine());
            ran = true;
        };
        run_beside(
            sched,
            [&] {
                netco_api::co_go(task, netco_api::kStackSize, processor);
                has_its_own = Scheduler::here() != nullptr;
            },
            ran);
        INFO("a second set of processors would never run, and nobody would notice");
        CHECK_FALSE(has_its_own);
        INFO("a named processor is used, also from another thread");
        CHECK(machine == processor);
    }
}

TEST_CASE("4.7 co_go by another thread before the run: the task runs with the others") {
    INFO("a task from another thread goes into the new list of a processor, under its lock");
    netco_api::co_init(2);
    int ran = 0;
    std::thread([&] { netco_api::co_go([&] { ++ran; }); }).join();
    netco_api::co_go([&] { ++ran; }, netco_api::kStackSize, 0);
    netco_api::co_run();
    CHECK(ran == 2);
}

TEST_CASE("4.6 schedule by a thread without a scheduler gives the task to sylar's running scheduler") {
    INFO("a thread without a scheduler gives its task to the running one, and creates none of its own");
    record_nothing(kRealTime);
    Scheduler sched(Settings{.strategy = "sylar", .machines = 2});
    std::atomic<bool> ran{false}, has_its_own{true};
    std::atomic<unsigned> machine{99};
    const auto task = [&] {
        machine = running_task().machine;
        ran = true;
    };
    run_beside(
        sched,
        [&] {
            schedule(task, 1);
            has_its_own = Scheduler::here() != nullptr;
        },
        ran);
    CHECK_FALSE(has_its_own);
    CHECK(machine == 1);
}

namespace {

constexpr int kGivers = 3, kGivenByEach = 200;

/// Returns the number of tasks from several threads that have run; 0 if one is left.
int run_of_several_threads(const char* strategy) {
    record_nothing(kRealTime);
    Scheduler sched(Settings{.strategy = strategy, .machines = 2});
    std::atomic<int> ran{0};
    std::atomic<bool> all{false};
    run_beside(
        sched,
        [&] {
            std::vector<std::thread> givers;
            for (int t = 0; t < kGivers; ++t)
                givers.emplace_back([&] {
                    for (int i = 0; i < kGivenByEach; ++i)
                        go_from_outside(strategy, [&] {
                            if (++ran == kGivers * kGivenByEach) all = true;
                        });
                });
            for (std::thread& giver : givers) giver.join();
        },
        all);
    return sched.alive() == 0 ? ran.load() : 0;
}

}  // namespace

TEST_CASE("4.6 tasks from several threads at once each run once") {
    INFO("access the list of tasks only under the scheduler's lock; a new task wakes a parked machine");
    CHECK(run_of_several_threads("sylar") == kGivers * kGivenByEach);
}

TEST_CASE("4.7 tasks from several threads at once each run once") {
    INFO("access the list of new tasks only under its processor's lock; a new task wakes the processor");
    CHECK(run_of_several_threads("netco") == kGivers * kGivenByEach);
}

TEST_CASE("4.8 tasks from several threads at once each run once") {
    INFO("access the global queue only under the scheduler's lock; a new task wakes a parked machine");
    CHECK(run_of_several_threads("go") == kGivers * kGivenByEach);
}

namespace {

constexpr int kTasks = 300;  // more than the stacks and slots that a thread keeps

struct Counts {
    int& unwound;
    ~Counts() { ++unwound; }
};

/// Thread-local, and constructed before everything that the kit keeps for the thread.
Handle& kept_by_thread() {
    thread_local Handle kept;
    return kept;
}

std::string ended_with_tasks() {
    int unwound = 0;
    std::thread([&] {
        kept_by_thread();
        for (int i = 0; i < kTasks; ++i)
            kept_by_thread() = go([&unwound] {
                const Counts local{unwound};
                park("for good");
            });
        try {
            static_cast<void>(Scheduler::of_this_thread().run());
        } catch (const Stuck&) {
        }
    }).join();
    return std::to_string(unwound);
}

}  // namespace

TEST_CASE("4.4 a thread may end while tasks of its own scheduler are parked: they are unwound") {
    INFO("the scheduler that `go` installs lives until the thread ends");
    CHECK(kit::answered_by_child(ended_with_tasks, std::to_string(kTasks), std::chrono::seconds(5)));
}

namespace {

/// Returns whether a machine that runs two tasks deadlocks on a lock that it holds.
struct LocksOfTwo {
    explicit LocksOfTwo(const char* strategy) {
        const auto recorded = kit::testing::record("own_locks", [&] {
            const kit::testing::OwnLocks watch;
            Scheduler sched(Settings{.strategy = strategy});
            go([] { go([] { yield(); }, "child"); }, "parent");
            static_cast<void>(sched.run());
        });
        are_waited_for = kit::testing::OwnLocks::says(recorded.fault);
        for (std::size_t i = 0; i < recorded.trace.size(); ++i) {
            const trace::Event& e = recorded.trace[i];
            a_task_ran |= e.kind == trace::Kind::switch_ && recorded.trace.name(e.other) == "parent";
        }
    }
    bool are_waited_for = false;
    bool a_task_ran = false;
};

}  // namespace

TEST_CASE("4.6 the scheduler's lock is free while a task runs") {
    INFO("resume_unlocked releases the lock while the task runs: go in a task acquires it, and would deadlock");
    const LocksOfTwo own_locks("sylar");
    CHECK_FALSE(own_locks.are_waited_for);
    CHECK(own_locks.a_task_ran);
}

TEST_CASE("4.7 a processor does not deadlock on a lock that it holds") {
    INFO("wake_all takes the lock of each processor, its own too: release it first, and also while a task runs");
    const LocksOfTwo own_locks("netco");
    CHECK_FALSE(own_locks.are_waited_for);
    CHECK(own_locks.a_task_ran);
}
