// Step 2.4: the scheduler of sylar's fibers.
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "labs/02_ucontext/fiber.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/testing/recorded.h"
#include "testing/catch.h"

using namespace fiberscope;
using namespace fiberscope::lab02;
using kit::Misuse;
using kit::MisuseKind;
using kit::State;
using kit::testing::all_of;
using kit::testing::count;
using kit::testing::misuse_of;
using kit::testing::trace_of;

namespace {

FiberAttributes task(const char* name) { return {.name = name}; }
FiberAttributes outside(const char* name) { return {.name = name, .run_in_scheduler = false}; }

// "main>scheduler start", one for each switch.
std::vector<std::string> ways(const trace::Trace& recorded) {
    std::vector<std::string> all;
    for (const trace::Event& e : all_of(recorded, trace::Kind::switch_))
        all.push_back(recorded.name(e.co) + ">" + recorded.name(e.other) + " " +
                      std::string(word(e.first<trace::Why>())));
    return all;
}

}  // namespace

TEST_CASE("2.4 main, scheduler, task, scheduler, main: the sequence in the trace") {
    INFO("a task swaps with the scheduler's fiber, which swaps with the thread's");
    const trace::Trace recorded = trace_of("sequence", [] {
        Scheduler scheduler;
        Fiber work([] {}, task("task"));
        scheduler.schedule(work);
        scheduler.run();
    });
    CHECK(ways(recorded) == std::vector<std::string>{"main>scheduler start", "scheduler>task start",
                                                     "task>scheduler exit", "scheduler>main exit"});
    CHECK(recorded[2].kind == trace::Kind::stack);
    CHECK(recorded[1].first<trace::CoKind>() == trace::CoKind::scheduler);
}

TEST_CASE("2.4 the trace gives the reason of each switch of a fiber") {
    const trace::Trace recorded = trace_of("whys", [] {
        Fiber alone([] { Fiber::yield(); }, outside("alone"));
        alone.resume();
        alone.resume();
    });
    INFO("a fiber that will continue leaves by a yield, a fiber that has ended by an exit");
    CHECK(kit::testing::whys_of(recorded) == std::vector<std::string>{"start", "yield", "resume", "exit"});
}

TEST_CASE("2.4 when a task yields or ends, the fiber of its scheduler is the current one again") {
    INFO("`current` is the fiber to which control returns: the partner, which is not always the thread's own fiber");
    Fiber work([] { Fiber::yield(); }, task("task"));
    std::vector<const Fiber*> current;
    const auto resume_and_look = [&] {
        if (current.empty() || current.back() == fibers_of_this_thread().scheduler) work.resume();
        current.push_back(fibers_of_this_thread().current);
    };
    Fiber scheduler(
        [&] {
            resume_and_look();
            resume_and_look();
        },
        outside("scheduler"));
    Fiber::of_this_thread();
    fibers_of_this_thread().scheduler = &scheduler;
    scheduler.resume();
    CHECK(current == std::vector<const Fiber*>{&scheduler, &scheduler});
}

TEST_CASE("2.4 a task may not resume a fiber, and a scheduler refuses one that swaps with the thread") {
    INFO("inside a task `current` is the task, which is not a partner");
    std::optional<Misuse> by_task;
    Fiber alone([] {}, outside("alone"));
    Fiber first([&] { by_task = misuse_of([&] { alone.resume(); }); }, task("first"));
    Scheduler scheduler;
    scheduler.schedule(first);
    const auto by_scheduler = misuse_of([&] { scheduler.schedule(alone); });
    scheduler.run();
    REQUIRE(by_task.has_value());
    CHECK(by_task->kind() == MisuseKind::child_resumes);
    REQUIRE(by_scheduler.has_value());
    CHECK(by_scheduler->kind() == MisuseKind::child_resumes);
    CHECK(by_scheduler->state() == State::new_);
}

TEST_CASE("2.4 run rethrows an exception of a task, and the other tasks stay queued") {
    INFO("the queue keeps the other tasks when one throws");
    std::string order;
    Scheduler scheduler;
    Fiber bad([] { throw std::runtime_error("from a task"); }, task("bad"));
    Fiber good([&] { order += "good"; }, task("good"));
    scheduler.schedule(bad);
    scheduler.schedule(good);
    {
        INFO(
            "an exception that escapes a task is thrown by its resume: let it leave the loop too, and catch nothing "
            "there");
        CHECK_THROWS_WITH(scheduler.run(), "from a task");
    }
    {
        INFO("it is thrown at once: the tasks after it have not run yet, and the next run continues with them");
        CHECK(order.empty());
    }
    scheduler.run();
    CHECK(order == "good");
}

TEST_CASE("2.4 run rethrows a misuse that escapes a task like any other exception") {
    INFO("a Misuse thrown by a task's resume is an error of the task: let it leave the loop like any other exception");
    Fiber alone([] {}, outside("alone"));
    Fiber bad([&] { alone.resume(); }, task("bad"));
    Scheduler scheduler;
    scheduler.schedule(bad);
    const auto escaped = misuse_of([&] { scheduler.run(); });
    REQUIRE(escaped.has_value());
    CHECK(escaped->kind() == MisuseKind::child_resumes);
    CHECK(escaped->name() == "alone");
}

TEST_CASE("2.4 a single task goes through the queue too when it yields") {
    INFO("one turn for each place in the queue: tasks scheduled meanwhile run before the task's next turn");
    std::string order;
    Scheduler scheduler;
    Fiber late([&] { order += "late "; }, task("late"));
    Fiber alone(
        [&] {
            Fiber::yield();
            scheduler.schedule(late);
            order += "schedules ";
            Fiber::yield();
            order += "alone";
        },
        task("alone"));
    scheduler.schedule(alone);
    scheduler.run();
    CHECK(order == "schedules late alone");
}

TEST_CASE("2.4 in the trace each turn of a task goes through the queue, even if it is alone") {
    const trace::Trace recorded = trace_of("turns", [] {
        Scheduler scheduler;
        Fiber alone(
            [] {
                for (int i = 0; i < 3; ++i) Fiber::yield();
            },
            task("alone"));
        scheduler.schedule(alone);
        scheduler.run();
    });
    INFO("a task that waits for its turn is ready and queued, which a trace shows: push it, then pop it");
    CHECK(count(recorded, trace::Kind::insert) == 4);
    CHECK(count(recorded, trace::Kind::remove) == 4);
}

TEST_CASE("2.4 after a run that ended by an exception, the thread can resume fibers again") {
    INFO("run restores the thread's previous scheduler, however it ends");
    Scheduler sched;
    Fiber bad([] { throw std::runtime_error("bad"); });
    sched.schedule(bad);
    CHECK_THROWS_AS(sched.run(), std::runtime_error);
    bool ran = false;
    Fiber next([&] { ran = true; });
    CHECK_FALSE(misuse_of([&] { next.resume(); }).has_value());
    CHECK(ran);
}

TEST_CASE("2.4 a fiber that is term, running or queued already is not scheduled") {
    INFO("the queue accepts a fiber only once, and only if it can run");
    Scheduler sched;
    const auto is_refused = [&](Fiber& fiber) {
        const auto misuse = misuse_of([&] { sched.schedule(fiber); });
        return misuse.has_value() && misuse->kind() == MisuseKind::illegal_step;
    };
    bool while_running = false;
    Fiber* self = nullptr;
    Fiber fiber([&] { while_running = is_refused(*self); });
    self = &fiber;
    sched.schedule(fiber);
    CHECK(is_refused(fiber));
    sched.run();
    CHECK(while_running);
    CHECK(is_refused(fiber));
}

TEST_CASE("2.4 tasks run first come, first served, and a task that yields goes to the end") {
    INFO("a task that has yielded is ready: it goes to the end of the queue");
    std::string order;
    const auto letter = [&](char c, int times) {
        return [&order, c, times] {
            for (int i = 0; i < times; ++i) {
                order += c;
                if (i + 1 < times) Fiber::yield();
            }
        };
    };
    Scheduler scheduler;
    Fiber a(letter('a', 3), task("a")), b(letter('b', 1), task("b")), c(letter('c', 2), task("c"));
    for (Fiber* fiber : {&a, &b, &c}) scheduler.schedule(*fiber);
    scheduler.run();
    INFO("run ends when the queue is empty, not after the tasks that were queued at first");
    CHECK(order == "abcaca");
    CHECK(a.status() == FiberStatus::term);
    CHECK(fibers_of_this_thread().scheduler == &Fiber::of_this_thread());
}

TEST_CASE("2.4 a fiber may continue on another thread") {
    INFO("call fibers_of_this_thread() again after every switch");
    std::vector<const kit::Core*> threads;
    Fiber fiber(
        [&] {
            threads.push_back(fibers_of_this_thread().own->core().state() == State::normal ? kit::this_thread().own
                                                                                           : nullptr);
            Fiber::yield();
            threads.push_back(kit::this_thread().own);
        },
        outside("alone"));
    fiber.resume();
    const kit::Core* second = nullptr;
    bool current_is_own = false;
    std::thread other([&] {
        second = kit::this_thread().own;
        fiber.resume();
        current_is_own = fibers_of_this_thread().current == &Fiber::of_this_thread();
    });
    other.join();
    REQUIRE(threads.size() == 2);
    CHECK(threads[0] == kit::this_thread().own);
    CHECK(threads[1] == second);
    CHECK(current_is_own);
    INFO("after a yield the fiber may be on another thread: call fibers_of_this_thread() again");
    CHECK(fibers_of_this_thread().current == &Fiber::of_this_thread());
    CHECK(fiber.status() == FiberStatus::term);
}

TEST_CASE("2.4 in the trace a task is spawned into the queue once, and returns to it for another cause") {
    const trace::Trace recorded = trace_of("causes", [] {
        Scheduler scheduler;
        Fiber work([] { Fiber::yield(); }, task("task"));
        scheduler.schedule(work);
        scheduler.run();
    });
    std::vector<std::string> causes;
    for (std::size_t i = 0; i < recorded.size(); ++i)
        if (recorded[i].kind == trace::Kind::state && recorded[i].second<State>() == State::ready)
            causes.push_back(std::string(word(recorded[i].first<State>())) + " by " +
                             std::string(word(recorded[i].third<trace::Cause>())));
    INFO("given: only a new task becomes ready by being spawned");
    REQUIRE(!causes.empty());
    CHECK(causes.front() == "new by spawned");
    for (std::size_t i = 1; i < causes.size(); ++i) CHECK(causes[i].find("spawned") == std::string::npos);
    CHECK(causes.size() == 2);
}
