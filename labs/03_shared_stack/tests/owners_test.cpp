// Step 3.4: K shared stacks with owners, as in libco.
#include <signal.h>

#include <csignal>
#include <memory>
#include <optional>
#include <thread>

#include "labs/03_shared_stack/coroutine.h"
#include "labs/03_shared_stack/schedule.h"
#include "labs/03_shared_stack/tests/groups.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/report/notes.h"
#include "labs/kit/run/backend.h"

using namespace fiberscope;
using namespace fiberscope::lab03;
using namespace fiberscope::lab03::groups;
using kit::MisuseKind;

namespace {

constexpr std::string_view kBoth[] = {"asm", "ucontext"};

}  // namespace

TEST_CASE("3.4 coroutines get the stacks of a group one after the other") {
    INFO("next() returns the stacks in turn, starting with the first");
    SharedStacks& group = group_of(3);
    for (std::size_t i = 0; i < 7; ++i) CHECK(forever(group, yield_for_ever).shared() == &group.stack(i % 3));
    CHECK_THROWS_AS(SharedStacks(0), std::invalid_argument);
}

TEST_CASE("3.4 a stack forgets its owner, and no other coroutine") {
    INFO("forget only a coroutine that is the owner");
    SharedStacks& group = group_of(1);
    SharedStack& stack = group.stack(0);
    Coroutine& owner = forever(group, yield_for_ever);
    Coroutine& other = forever(group, yield_for_ever);
    stack.settle(&owner);
    stack.forget(other);
    CHECK(stack.owner() == &owner);
    stack.forget(owner);
    CHECK(stack.owner() == nullptr);
}

TEST_CASE("3.4 as long as no other coroutine needs the stack, nothing is copied") {
    const Recorded run = record("alone", [] {
        Coroutine& a = forever(group_of(1), yield_for_ever, "a");
        for (int i = 0; i < 3; ++i) a.resume();
    });
    INFO("a coroutine's bytes stay until another one moves in: use plan_lazily at every switch, also at a yield");
    INFO(run.fault);
    REQUIRE(run.fault.empty());
    CHECK(joined(moves_of(run.trace)) == "own a, start a, yield a, resume a, yield a, resume a, yield a");
}

TEST_CASE("3.4 a coroutine that moves in moves the owner out") {
    for (const auto backend : kBoth) {
        const Recorded run = record("two", [&] {
            SharedStacks& group = group_of(1, backend);
            Coroutine& a = forever(group, yield_for_ever, "a");
            Coroutine& b = forever(group, yield_for_ever, "b");
            a.resume();
            b.resume();
            a.resume();
            a.resume();
        });
        INFO("if the stack has another owner, move that one out first: save it, change the owner, restore");
        INFO(kit::told(message("(backend by {0} {1})", backend, run.fault)));
        REQUIRE(run.fault.empty());
        CHECK(
            joined(moves_of(run.trace)) ==
            "own a, start a, yield a, out a, own b, start b, yield b, out b, own a, in a, resume a, yield a, resume a, "
            "yield a");
    }
}

TEST_CASE("3.4 with as many stacks as coroutines nothing is ever copied") {
    const Recorded run = record("three", [] {
        SharedStacks& group = group_of(3);
        std::vector<Coroutine*> all;
        for (int i = 0; i < 3; ++i) all.push_back(&forever(group, yield_for_ever));
        for (int round = 0; round < 3; ++round)
            for (Coroutine* co : all) co->resume();
    });
    INFO(run.fault);
    REQUIRE(run.fault.empty());
    for (std::size_t i = 0; i < run.trace.size(); ++i) REQUIRE(run.trace[i].kind != trace::Kind::copy);
}

TEST_CASE("3.4 a coroutine resumes another on the same stack: both are copied while control is elsewhere") {
    for (const auto backend : kBoth) {
        const Recorded run = record("nested", [&] {
            SharedStacks& group = group_of(1, backend);
            Coroutine& b = forever(group, yield_for_ever, "b");
            Coroutine& a = forever(
                group,
                [&] {
                    b.resume();
                    yield_for_ever();
                },
                "a");
            a.resume();
        });
        INFO("a yield moves too: the coroutine that yields goes out, and its resumer comes in again");
        INFO(kit::told(message("(backend by {0} {1})", backend, run.fault)));
        REQUIRE(run.fault.empty());
        CHECK(joined(moves_of(run.trace)) ==
              "own a, start a, out a, own b, start b, out b, own a, in a, yield b, yield a");
    }
}

TEST_CASE("3.4 three coroutines on two stacks, in every order") {
    INFO("save the owner, then restore the coroutine that comes in, if they differ");
    SharedStacks& group = group_of(2);
    std::vector<std::vector<int>> seen(3);
    std::vector<Coroutine*> all;
    for (std::size_t i = 0; i < 3; ++i)
        all.push_back(&forever(group, [&seen, i] {
            for (int local = 0;; ++local) {
                seen[i].push_back(local);
                yield();
            }
        }));
    const std::size_t order[] = {0, 1, 2, 2, 1, 0, 0, 2, 1, 1, 2, 0};
    for (const std::size_t i : order) all[i]->resume();
    for (const auto& values : seen) CHECK(values == std::vector<int>{0, 1, 2, 3});
}

TEST_CASE("3.4 a dead owner is forgotten: the next one is restored, and nothing of the dead one is saved") {
    const Recorded run = record("dead", [] {
        SharedStacks& group = group_of(1);
        Coroutine& a = forever(group, yield_for_ever, "a");
        Coroutine& b = forever(
            group, [] {}, "b");
        a.resume();
        b.resume();
        a.resume();
    });
    INFO("the stack forgets a dead owner: nothing of it is saved, and the next one comes in");
    INFO(run.fault);
    REQUIRE(run.fault.empty());
    CHECK(joined(moves_of(run.trace)) ==
          "own a, start a, yield a, out a, own b, start b, exit b, own -, own a, in a, resume a, yield a");
}

TEST_CASE("3.4 a coroutine that ends inside another is not saved") {
    const Recorded run = record("dead-nested", [] {
        SharedStacks& group = group_of(1);
        Coroutine& b = forever(
            group, [] {}, "b");
        Coroutine& a = forever(
            group,
            [&] {
                b.resume();
                yield_for_ever();
            },
            "a");
        a.resume();
    });
    INFO(
        "a coroutine that ends leaves by an exit and is not saved; a resumer on the same stack comes in again: the "
        "plan is the "
        "same");
    INFO(run.fault);
    REQUIRE(run.fault.empty());
    CHECK(joined(moves_of(run.trace)) == "own a, start a, out a, own b, start b, own a, in a, exit b, yield a");
}

TEST_CASE("3.4 a coroutine at the address of a dead one is a new one") {
    SharedStacks& group = group_of(1);
    int ended = 0;
    bool forgotten = true, intact = true;
    Coroutine& witness = forever(group, [&] {
        for (volatile int local = 0;;) {
            intact = intact && local == ended;
            yield();
            local = local + 1;
        }
    });
    witness.resume();
    for (int i = 0; i < 20; ++i) {
        const auto brief = std::make_unique<Coroutine>([&] { ++ended; }, group);
        brief->resume();
        forgotten = forgotten && group.stack(0).owner() == nullptr;
        witness.resume();
    }
    INFO("a dead coroutine was still the owner of the stack");
    CHECK(forgotten);
    CHECK(ended == 20);
    CHECK(intact);
}

namespace {

std::optional<kit::Misuse> refused_elsewhere;
std::size_t depth_elsewhere = 0;
void (*act_elsewhere)() = nullptr;
void act_in_handler(int) {
    refused_elsewhere = kit::testing::misuse_of(act_elsewhere);
    depth_elsewhere = kit::this_thread().callers.depth();
}

/// Calls `act` in a signal handler, on the signal stack, of a coroutine on a shared stack, which then continues.
void check_refused_elsewhere(void (*act)()) {
    if constexpr (kit::kUnderSanitizer) {
        SUCCEED("a sanitizer does not support exceptions on a signal stack");
        return;
    }
    act_elsewhere = act;
    INFO("the test needs an alternate signal stack");
    static std::byte stack[64 * 1024];
    stack_t elsewhere{};
    elsewhere.ss_sp = stack;
    elsewhere.ss_size = sizeof stack;
    REQUIRE(sigaltstack(&elsewhere, nullptr) == 0);
    struct sigaction action {};
    action.sa_handler = act_in_handler;
    action.sa_flags = SA_ONSTACK;
    REQUIRE(sigaction(SIGUSR1, &action, nullptr) == 0);
    bool went_on = false;
    Coroutine& co = forever(group_of(1), [&] {
        std::raise(SIGUSR1);
        went_on = true;
        yield_for_ever();
    });
    co.resume();
    INFO(
        "a handler runs on its own stack: the live bytes of the coroutine cannot be saved from there "
        "(require_can_yield)");
    REQUIRE(refused_elsewhere.has_value());
    CHECK(refused_elsewhere->kind() == MisuseKind::stack_too_deep);
    CHECK(depth_elsewhere == 1);
    CHECK(went_on);
    CHECK(co.state() == kit::State::suspended);
}

}  // namespace

TEST_CASE("3.4 a yield while control is on another stack is a typed error, and nothing changes") {
    EXPECTS(
        "the live bytes of a coroutine cannot be saved from another stack: call require_can_yield before "
        "callers.pop()");
    check_refused_elsewhere([] { yield(); });
}

TEST_CASE("3.4 status is RUNNING for a coroutine that waits for another one") {
    INFO("running() returns its number, so it is not DEAD: the state normal counts as RUNNING");
    Schedule schedule("asm");
    SharedStacks group(1);
    Status meanwhile = Status::DEAD;
    int running = -1, id = -1;
    id = schedule.create([&](Schedule&) {
        Coroutine own(
            [&] {
                meanwhile = schedule.status(id);
                running = schedule.running();
            },
            group);
        own.resume();
    });
    schedule.resume(id);
    CHECK(meanwhile == Status::RUNNING);
    CHECK(running == id);
}
