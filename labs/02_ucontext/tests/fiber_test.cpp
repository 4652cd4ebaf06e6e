// Step 2.4: sylar's fibers.
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "labs/02_ucontext/fiber.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/testing/recorded.h"
#include "testing/catch.h"

using namespace fiberscope;
using namespace fiberscope::lab02;
using kit::Misuse;
using kit::MisuseKind;
using kit::State;
using kit::testing::misuse_of;
using kit::testing::trace_of;

namespace {

const FiberAttributes kAlone{.name = "alone", .run_in_scheduler = false};

FiberAttributes task(const char* name) { return {.name = name}; }
FiberAttributes outside(const char* name) { return {.name = name, .run_in_scheduler = false}; }

}  // namespace

TEST_CASE("2.4 the fiber of a thread's own context is made on first use, one for each thread") {
    INFO("of_this_thread creates the thread's own fiber once, and that fiber is current until another one runs");
    CHECK(fibers_of_this_thread().own == nullptr);
    Fiber& first = Fiber::of_this_thread();
    Fiber& second = Fiber::of_this_thread();
    const ThreadFibers here = fibers_of_this_thread();
    const Fiber* of_other = nullptr;
    std::thread other([&] { of_other = &Fiber::of_this_thread(); });
    other.join();
    CHECK(&first == &second);
    CHECK(here.own == &first);
    CHECK(here.current == &first);
    INFO("without a scheduler the thread's own context takes its place");
    CHECK(here.scheduler == &first);
    CHECK(&first.core() == kit::this_thread().own);
    INFO("each thread has its own fiber: a variable shared by all threads would hold the fiber of the first");
    CHECK(of_other != &first);
}

TEST_CASE("2.4 a resume or a yield may be the first fiber operation of a thread") {
    EXPECTS("own, scheduler and current are null at first: call of_this_thread() before you use any of them");
    bool ran = false, refused = false;
    Fiber fiber([&] { ran = true; }, kAlone);
    fiber.resume();
    std::thread other([&] { refused = misuse_of([] { Fiber::yield(); }).has_value(); });
    other.join();
    CHECK(ran);
    CHECK(refused);
}

TEST_CASE("2.4 a fiber is ready, running, ready again after a yield, and term at its end") {
    std::vector<FiberStatus> inside;
    Fiber* self = nullptr;
    Fiber fiber(
        [&] {
            inside.push_back(self->status());
            Fiber::yield();
            inside.push_back(Fiber::of_this_thread().status());
        },
        kAlone);
    self = &fiber;
    std::vector<FiberStatus> outside_of_it{fiber.status()};
    fiber.resume();
    outside_of_it.push_back(fiber.status());
    {
        INFO("yield leaves a fiber suspended, which sylar calls ready: only a queue makes it ready");
        CHECK(fiber.core().state() == State::suspended);
    }
    fiber.resume();
    outside_of_it.push_back(fiber.status());
    INFO("a fiber that waits for the fiber that it resumed is running in sylar's terms");
    CHECK(inside == std::vector<FiberStatus>{FiberStatus::running, FiberStatus::running});
    CHECK(outside_of_it == std::vector<FiberStatus>{FiberStatus::ready, FiberStatus::ready, FiberStatus::term});
    CHECK(fiber.core().state() == State::dead);
}

TEST_CASE("2.4 of_this_thread is the thread's own fiber, also inside another one") {
    INFO("of_this_thread() returns the thread's own fiber at every call; the running fiber is `current`");
    const Fiber* thread = &Fiber::of_this_thread();
    const Fiber* inside = nullptr;
    Fiber fiber([&] { inside = &Fiber::of_this_thread(); }, kAlone);
    fiber.resume();
    CHECK(inside == thread);
}

TEST_CASE("2.4 the current fiber is the running one") {
    INFO("set `current` before the switch, in both directions");
    std::vector<const Fiber*> seen;
    const auto look = [&] { seen.push_back(fibers_of_this_thread().current); };
    Fiber fiber(
        [&] {
            look();
            Fiber::yield();
            look();
        },
        kAlone);
    fiber.resume();
    look();
    fiber.resume();
    look();
    const Fiber* thread = &Fiber::of_this_thread();
    CHECK(seen == std::vector<const Fiber*>{&fiber, thread, &fiber, thread});
}

TEST_CASE("2.4 reset runs another function on the stack of a finished fiber") {
    INFO("reset starts a new life on the same stack");
    std::vector<std::string> order;
    const std::size_t stacks = kit::stacks_in_use();
    Fiber fiber([&] { order.push_back("first"); }, kAlone);
    fiber.resume();
    const auto* bottom = fiber.core().stack().bottom;
    fiber.reset([&] {
        order.push_back("second");
        Fiber::yield();
        order.push_back("third");
    });
    CHECK(fiber.status() == FiberStatus::ready);
    CHECK(fiber.core().state() == State::new_);
    CHECK(fiber.core().stack().bottom == bottom);
    CHECK(kit::stacks_in_use() == stacks + 1);
    fiber.resume();
    fiber.resume();
    CHECK(order == std::vector<std::string>{"first", "second", "third"});
}

TEST_CASE("2.4 only a finished fiber may be reset") {
    INFO("the frames of a fiber that has not ended are still on its stack");
    Fiber fiber([] { Fiber::yield(); }, outside("unfinished"));
    const auto of_new = misuse_of([&] { fiber.reset([] {}); });
    fiber.resume();
    const auto of_suspended = misuse_of([&] { fiber.reset([] {}); });
    std::optional<kit::Misuse> of_running;
    Fiber* itself = nullptr;
    Fiber runs([&] { of_running = misuse_of([&] { itself->reset([] {}); }); }, outside("running"));
    itself = &runs;
    runs.resume();
    REQUIRE(of_running.has_value());
    CHECK(of_running->name() == "running");
    {
        INFO("a fiber that has not started is not TERM either: its function would be lost without having run");
        REQUIRE(of_new.has_value());
    }
    {
        INFO("the step from its state to a new one is illegal: throw kit::Misuse(core(), State::new_)");
        CHECK(of_new->kind() == MisuseKind::illegal_step);
    }
    REQUIRE(of_suspended.has_value());
    CHECK(of_suspended->name() == "unfinished");
}

TEST_CASE("2.4 resuming a finished fiber, or a running one, is a typed error") {
    INFO("check first whether it has finished or is running, then which fiber resumes it, before anything changes");
    std::optional<Misuse> itself;
    Fiber* self = nullptr;
    Fiber fiber([&] { itself = misuse_of([&] { self->resume(); }); }, outside("narcissus"));
    self = &fiber;
    fiber.resume();
    const auto dead = misuse_of([&] { fiber.resume(); });
    REQUIRE(itself.has_value());
    CHECK(itself->kind() == MisuseKind::resume_of_running);
    REQUIRE(dead.has_value());
    CHECK(dead->kind() == MisuseKind::resume_of_dead);
    CHECK(dead->name() == "narcissus");
}

TEST_CASE("2.4 of several reasons to refuse a resume, the fiber's own comes before that of its resumer") {
    INFO("a fiber that has ended is dead for every resumer: check for TERM first, then for RUNNING, then for a child");
    Fiber ended([] {}, outside("ended"));
    ended.resume();
    std::optional<Misuse> refused;
    Fiber child([&] { refused = misuse_of([&] { ended.resume(); }); }, outside("child"));
    child.resume();
    REQUIRE(refused.has_value());
    CHECK(refused->kind() == MisuseKind::resume_of_dead);
    CHECK(refused->name() == "ended");
}

TEST_CASE("2.4 the fiber of a thread's own context can be neither resumed nor reset") {
    INFO(
        "it is running, or waits for a fiber that it resumed: refuse it like any running fiber, and do not just "
        "return");
    const auto kinds = [] {
        Fiber& own = Fiber::of_this_thread();
        std::vector<MisuseKind> refused;
        for (const auto& misuse : {misuse_of([&] { own.resume(); }), misuse_of([&] { own.reset([] {}); })})
            if (misuse.has_value()) refused.push_back(misuse->kind());
        return refused;
    };
    const std::vector<MisuseKind> both{MisuseKind::resume_of_running, MisuseKind::illegal_step};
    std::vector<MisuseKind> inside;
    Fiber fiber([&] { inside = kinds(); }, kAlone);
    fiber.resume();
    CHECK(kinds() == both);
    CHECK(inside == both);
}

TEST_CASE("2.4 a child fiber may not resume another") {
    INFO("only its partner may resume a fiber: compare `current` with the partner, and change it only after that");
    std::optional<Misuse> refused;
    Fiber other([] {}, outside("other"));
    Fiber child(
        [&] {
            refused = misuse_of([&] { other.resume(); });
            Fiber::yield();
        },
        outside("child"));
    child.resume();
    INFO("a refusal changes nothing: the child is still running, and yields");
    CHECK(child.status() == FiberStatus::ready);
    child.resume();
    REQUIRE(refused.has_value());
    CHECK(refused->kind() == MisuseKind::child_resumes);
    CHECK(refused->name() == "other");
    CHECK(refused->state() == State::new_);
    CHECK(child.status() == FiberStatus::term);
    other.resume();
    CHECK(other.status() == FiberStatus::term);
}

TEST_CASE("2.4 yield outside a fiber is a typed error") {
    INFO("the thread's fiber has nothing to yield to");
    const auto refused = misuse_of([] { Fiber::yield(); });
    REQUIRE(refused.has_value());
    CHECK(refused->kind() == MisuseKind::yield_outside);
}

TEST_CASE("2.4 resume rethrows the exception of a fiber's function, and reset clears it") {
    INFO("resume rethrows the exception that escaped the function, once");
    Fiber fiber([] { throw std::runtime_error("from a fiber"); }, kAlone);
    CHECK_THROWS_WITH(fiber.resume(), "from a fiber");
    CHECK(fiber.status() == FiberStatus::term);
    fiber.reset([] {});
    CHECK_NOTHROW(fiber.resume());
}

TEST_CASE("2.4 destroying a suspended fiber runs the destructors of its locals") {
    INFO("after its yield the fiber must check whether it is being unwound: stop_if_unwinding");
    struct Counted {
        int& alive;
        explicit Counted(int& n) : alive(n) { ++alive; }
        ~Counted() { --alive; }
    };
    int alive = 0;
    {
        Fiber fiber(
            [&] {
                Counted local(alive);
                Fiber::yield();
                alive = -100;
            },
            task("suspended"));
        fiber.resume();
        CHECK(alive == 1);
    }
    CHECK(alive == 0);
    CHECK(fibers_of_this_thread().current == fibers_of_this_thread().own);
}

TEST_CASE("2.4 a fiber that swallows its unwinding and yields again is unwound again") {
    int swallowed = 0;
    bool destroyed = false;
    {
        Fiber fiber(
            [&] {
                struct Local {
                    bool& gone;
                    ~Local() { gone = true; }
                } const local{destroyed};
                while (swallowed < 20) try {
                        Fiber::yield();
                    } catch (...) {
                        ++swallowed;
                    }
            },
            kAlone);
        fiber.resume();
    }
    INFO("resume_until_term repeats until the fiber is TERM, however often it yields again");
    CHECK(swallowed == 20);
    CHECK(destroyed);
}

TEST_CASE("2.4 after a refused resume the running fiber is still the current one") {
    INFO("change `current` only after the last check that can refuse");
    Fiber dead([] {}, outside("dead")), other([] { Fiber::yield(); }, outside("other"));
    dead.resume();
    const Fiber* thread = &Fiber::of_this_thread();
    REQUIRE(misuse_of([&] { dead.resume(); }).has_value());
    CHECK(fibers_of_this_thread().current == thread);
    CHECK_FALSE(misuse_of([&] { other.resume(); }).has_value());
    const Fiber* inside = nullptr;
    Fiber* self = nullptr;
    Fiber itself(
        [&] {
            misuse_of([&] { self->resume(); });
            misuse_of([&] { dead.resume(); });
            misuse_of([&] { other.resume(); });
            inside = fibers_of_this_thread().current;
        },
        outside("itself"));
    self = &itself;
    itself.resume();
    CHECK(inside == &itself);
}
