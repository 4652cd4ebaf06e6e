// Step 4.8: deferred calls, and Gs of the system.
#include <stdexcept>

#include "labs/04_scheduler/tests/go.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

TEST_CASE("4.8 deferred calls are made at the end of a G, the last one first") {
    INFO("defer pushes on a stack of the G; its end pops one call after the other, and each may switch");
    use_virtual_time();
    Scheduler sched(Settings{.strategy = "go"});
    Log log;
    go(
        [&] {
            defer([&] { log.emplace_back("first"); });
            defer([&] {
                yield();
                log.emplace_back("second");
            });
            log.emplace_back("body");
        },
        "g");
    CHECK(sched.run().empty());
    CHECK(log == Log{"body", "second", "first"});
}

TEST_CASE("4.8 deferred calls are made also when a G fails, and all of them when one of them fails") {
    INFO("a call that throws does not stop those below it; the last failure is the one that is told");
    use_virtual_time();
    Scheduler sched(Settings{.strategy = "go"});
    Log log;
    go(
        [&] {
            defer([&] { log.emplace_back("closes"); });
            defer([] { throw std::runtime_error("the second failure"); });
            throw std::runtime_error("the first failure");
        },
        "g");
    const std::vector<Failure> failures = sched.run();
    CHECK(log == Log{"closes"});
    REQUIRE(failures.size() == 1);
    CHECK(failures[0].what == "the second failure");
}

TEST_CASE("4.8 a call that is deferred by a deferred call is made next") {
    INFO("look at the top of the stack again after each call");
    use_virtual_time();
    Scheduler sched(Settings{.strategy = "go"});
    Log log;
    go(
        [&] {
            defer([&] { log.emplace_back("outer"); });
            defer([&] { defer([&] { log.emplace_back("inner"); }); });
        },
        "g");
    CHECK(sched.run().empty());
    CHECK(log == Log{"inner", "outer"});
}

TEST_CASE("4.8 run does not wait for Gs of the system, and goes on with them") {
    INFO("the end of run counts the program's Gs, and not those of the system, which stay where they are");
    use_virtual_time();
    Scheduler sched(Settings{.strategy = "go", .machines = 2});
    int beats = 0;
    go_system(
        [&] {
            for (;; ++beats) sleep_for(10 * kMicrosecond);
        },
        {.name = "monitor", .stack_size = kit::kDefaultStackSize});
    go([] { sleep_for(55 * kMicrosecond); }, "g");
    CHECK(sched.run().empty());
    CHECK(beats == 5);
    go([] { sleep_for(20 * kMicrosecond); }, "another");
    CHECK(sched.run().empty());
    CHECK(beats >= 7);
}

TEST_CASE("4.8 deferred calls are made whatever a G throws, and when it is unwound with its scheduler") {
    INFO("catch everything at the end of a G, and make its calls when it is unwound too");
    use_virtual_time();
    Log log;
    {
        Scheduler sched(Settings{.strategy = "go"});
        go(
            [&] {
                defer([&] { log.emplace_back("after 42"); });
                sleep_for(10 * kMicrosecond);  // the other one begins
                throw 42;
            },
            "thrower");
        go_system([&] {
            defer([&] { log.emplace_back("unwound"); });
            park("nothing");
        });
        CHECK(sched.run().size() == 1);
    }
    CHECK(log == Log{"after 42", "unwound"});
}
