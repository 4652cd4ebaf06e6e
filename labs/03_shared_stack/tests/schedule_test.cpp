// Step 3.3: cloudwu's schedule, on both backends.
#include <optional>
#include <stdexcept>
#include <thread>

#include "labs/03_shared_stack/coroutine.h"
#include "labs/03_shared_stack/tests/schedules.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/report/notes.h"

using namespace fiberscope;
using namespace fiberscope::lab03;
using namespace fiberscope::lab03::testing;
using kit::MisuseKind;

namespace {

constexpr std::string_view kBoth[] = {"asm", "ucontext"};

}  // namespace

TEST_CASE("3.3 a yield on a stack other than the coroutine's is a typed error, and nothing is saved") {
    EXPECTS("require_can_yield comes first, before anything changes");
    for (const auto backend : kBoth) {
        INFO(kit::told(message("backend by {0}: require_can_yield, before anything changes", backend)));
        Schedule& schedule = forever(backend);
        std::optional<kit::Misuse> refused;
        const int id = schedule.create([&](Schedule& s) {
            std::thread elsewhere([&] { refused = misuse_of([&] { s.yield(); }); });
            elsewhere.join();
            s.yield();
        });
        schedule.resume(id);
        REQUIRE(refused.has_value());
        CHECK(refused->kind() == MisuseKind::stack_too_deep);
        CHECK(schedule.status(id) == Status::SUSPEND);
    }
}

TEST_CASE("3.3 a coroutine is READY, RUNNING, SUSPEND and DEAD") {
    for (const auto backend : kBoth) {
        INFO(kit::told(message("backend by {0}", backend)));
        Schedule& schedule = forever(backend);
        std::vector<Status> seen;
        int running = -2;
        const int id = schedule.create([&](Schedule& s) {
            seen.push_back(s.status(0));
            running = schedule.running();
            s.yield();
        });
        {
            INFO("the first coroutine of a schedule has number 0: the search for a slot begins at alive()");
            REQUIRE(id == 0);
        }
        seen.push_back(schedule.status(id));
        INFO("call living and require_main first: after callers.push the main context is no longer on top");
        {
            EXPECTS(
                "a coroutine without a context gets its first one: check has_context(), since the state has already "
                "changed");
            schedule.resume(id);
        }
        seen.push_back(schedule.status(id));
        CHECK(running == id);
        CHECK(schedule.running() == -1);
        schedule.resume(id);
        INFO("status returns cloudwu's name for the state, and DEAD if there is no coroutine: living() would throw");
        seen.push_back(schedule.status(id));
        CHECK(seen == std::vector<Status>{Status::READY, Status::RUNNING, Status::SUSPEND, Status::DEAD});
        INFO("after the end of a coroutine none is running: running() is -1");
        CHECK(schedule.running() == -1);
        EXPECTS("the status of every number without a slot is DEAD: below 0, and from capacity() on");
        CHECK(schedule.status(-1) == Status::DEAD);
        CHECK(schedule.status(16) == Status::DEAD);
        CHECK(schedule.alive() == 0);
    }
}

TEST_CASE("3.3 two coroutines with stacks of different depth keep their locals") {
    for (const auto backend : kBoth) {
        INFO(kit::told(message("backend by {0}", backend)));
        Schedule& schedule = forever(backend);
        std::vector<bool> intact;
        const auto body = [&](std::size_t depth) {
            return [&intact, depth](Schedule& s) {
                bool all = true;
                for (int i = 0; i < 20; ++i) all = with_depth(depth, [&] { s.yield(); }) && all;
                intact.push_back(all);
                yield_for_ever(s);
            };
        };
        const int deep = schedule.create(body(9000)), shallow = schedule.create(body(300));
        for (int i = 0; i < 21; ++i) {
            schedule.resume(deep);
            schedule.resume(shallow);
        }
        CHECK(intact == std::vector<bool>{true, true});
        INFO("a restored image keeps its memory for the next save");
        CHECK(schedule.image(deep).capacity() > 9000);
    }
}

TEST_CASE("3.3 at each yield the live bytes are saved, whatever the depth") {
    INFO("save the bytes that are live at this yield: a deeper one needs more, the next one less again");
    Schedule& schedule = forever("asm");
    const int id = schedule.create([](Schedule& s) {
        for (const std::size_t depth : {300U, 6000U, 1000U, 300U}) with_depth(depth, [&] { s.yield(); });
        yield_for_ever(s);
    });
    std::vector<std::size_t> sizes, capacities;
    for (int i = 0; i < 4; ++i) {
        schedule.resume(id);
        sizes.push_back(schedule.image(id).size());
        capacities.push_back(schedule.image(id).capacity());
    }
    CHECK(sizes[1] > 6000);
    CHECK(sizes[2] < sizes[1]);
    INFO("the size of an image is the number of live bytes at the last yield");
    CHECK(sizes[3] == sizes[0]);
    CHECK(capacities[3] == capacities[1]);
}

TEST_CASE("3.3 saved at once, restored at once: the order of a run with two coroutines") {
    for (const auto backend : kBoth) {
        const Recorded run = record("eager", [&] {
            Schedule& schedule = forever(backend);
            const int a = schedule.create([](Schedule& s) { s.yield(); }, "a");
            const int b = schedule.create([](Schedule& s) { s.yield(); }, "b");
            schedule.resume(a);
            schedule.resume(b);
            schedule.resume(a);
        });
        INFO("a coroutine that leaves the stack is saved at once, unless it is dead, and the stack then has no owner");
        INFO(kit::told(message("(backend by {0} {1})", backend, run.fault)));
        REQUIRE(run.fault.empty());
        CHECK(joined(moves_of(run.trace)) ==
              "own a, start a, out a, own -, yield a, own b, start b, out b, own -, yield b, own a, in a, resume a, "
              "own -, "
              "exit a");
    }
}

TEST_CASE("3.3 a coroutine that ends is not saved, and then the stack has no owner") {
    EXPECTS("no bytes of a dead coroutine are live: the stack then has no owner");
    Schedule& schedule = forever("ucontext");
    int ran = 0;
    const int id = schedule.create([&](Schedule&) { ++ran; });
    schedule.resume(id);
    CHECK(ran == 1);
    CHECK(schedule.stack().owner() == nullptr);
    CHECK(schedule.status(id) == Status::DEAD);
    CHECK_THROWS_AS(schedule.resume(id), std::out_of_range);
    CHECK_THROWS_AS(schedule.resume(99), std::out_of_range);
    CHECK_THROWS_AS(schedule.resume(-1), std::out_of_range);
    CHECK(schedule.status(99) == Status::DEAD);
}

TEST_CASE("3.3 only the main context resumes") {
    EXPECTS("a schedule returns to one main context: refuse others before anything changes, including running()");
    Schedule& schedule = forever("asm");
    std::optional<kit::Misuse> misuse;
    const int other = schedule.create(yield_for_ever, "other");
    const int id = schedule.create([&](Schedule& s) {
        misuse = misuse_of([&] { s.resume(other); });
        yield_for_ever(s);
    });
    schedule.resume(id);
    REQUIRE(misuse.has_value());
    CHECK(misuse->kind() == MisuseKind::child_resumes);
    CHECK(misuse->name() == "other");
    CHECK(schedule.status(other) == Status::READY);
    CHECK(schedule.status(id) == Status::SUSPEND);
}

TEST_CASE("3.3 a yield outside a coroutine is a typed error") {
    INFO("if no coroutine runs, yield must refuse");
    Schedule& schedule = forever("asm");
    schedule.create(yield_for_ever);
    const auto misuse = misuse_of([&] { schedule.yield(); });
    REQUIRE(misuse.has_value());
    CHECK(misuse->kind() == MisuseKind::yield_outside);
    INFO(
        "running_ says whether a coroutine of this schedule is running: the stack of callers may hold one of another "
        "schedule");
    std::optional<kit::Misuse> in_other;
    Schedule& other = forever("asm");
    const int id = other.create([&](Schedule& s) {
        try {
            in_other = misuse_of([&] { schedule.yield(); });
        } catch (const std::exception&) {
        }
        yield_for_ever(s);
    });
    other.resume(id);
    REQUIRE(in_other.has_value());
    CHECK(in_other->kind() == MisuseKind::yield_outside);
}

TEST_CASE("3.3 a schedule belongs to its thread") {
    EXPECTS("refuse use on another thread: call require_main at every resume, whether or not a coroutine is running");
    Schedule& schedule = forever("asm");
    const int id = schedule.create(yield_for_ever, "homely");
    std::optional<kit::Misuse> misuse;
    std::thread other([&] { misuse = misuse_of([&] { schedule.resume(id); }); });
    other.join();
    REQUIRE(misuse.has_value());
    CHECK(misuse->kind() == MisuseKind::bound_to_thread);
    schedule.resume(id);
    CHECK(schedule.status(id) == Status::SUSPEND);
    INFO("even while one of its coroutines is running, on its own thread");
    const int runs = schedule.create([&](Schedule& s) {
        misuse.reset();
        std::thread([&] { misuse = misuse_of([&] { s.resume(id); }); }).join();
    });
    schedule.resume(runs);
    REQUIRE(misuse.has_value());
    CHECK(misuse->kind() == MisuseKind::bound_to_thread);
}

TEST_CASE("3.3 code after a yield does not run when the schedule is closed") {
    EXPECTS("call stop_if_unwinding after the switch: control comes back there when the schedule is closed");
    std::string order;
    {
        Schedule schedule("asm");
        schedule.create([&](Schedule& s) {
            order += "began";
            s.yield();
            order += ", went on";
        });
        schedule.resume(0);
    }
    CHECK(order == "began");
}
