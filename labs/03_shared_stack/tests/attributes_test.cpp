// Step 3.5: the stack of a coroutine, and its release.
#include <memory>
#include <stdexcept>
#include <thread>

#include "labs/03_shared_stack/coroutine.h"
#include "labs/03_shared_stack/tests/support.h"
#include "labs/kit/report/notes.h"

using namespace fiberscope;
using namespace fiberscope::lab03;

namespace {

void yield_for_ever() {
    for (;;) yield();
}

struct Counts {
    int& alive;
    explicit Counts(int& n) : alive(n) { ++alive; }
    ~Counts() { --alive; }
    Counts(const Counts&) = delete;
};

}  // namespace

TEST_CASE("3.5 without a group a coroutine has a private stack, of 128 KiB by default") {
    INFO("0 is 128 KiB; other sizes are rounded up to whole pages of 4096, up to kLargestStack");
    CHECK(place_for({}).shared == nullptr);
    CHECK(place_for({}).stack_size == std::size_t{128} * 1024);
    CHECK(place_for({.name = {}, .stack_size = 0}).stack_size == std::size_t{128} * 1024);
    CHECK(place_for({.name = {}, .stack_size = 1}).stack_size == 4096);
    CHECK(place_for({.name = {}, .stack_size = 4096}).stack_size == 4096);
    CHECK(place_for({.name = {}, .stack_size = 70000}).stack_size == std::size_t{18} * 4096);
    CHECK(place_for({.name = {}, .stack_size = kLargestStack + 1}).stack_size == kLargestStack);
    INFO("rounding up must not overflow");
    CHECK(place_for({.name = {}, .stack_size = SIZE_MAX}).stack_size == kLargestStack);
    const Coroutine co([] {}, Attributes{.name = "large", .stack_size = std::size_t{1} << 20});
    CHECK(co.stack().size == std::size_t{1} << 20);
    CHECK(co.shared() == nullptr);
}

TEST_CASE("3.5 with a group a coroutine gets the group's next stack, whatever the stack size") {
    INFO("with a group, take its next stack: size and backend are those of the group");
    SharedStacks group(2, std::size_t{64} * 1024, "ucontext");
    const Coroutine one([] {}, Attributes{.stack_size = 4096, .shared = &group});
    const Coroutine two([] {}, Attributes{.shared = &group});
    CHECK(one.shared() == &group.stack(0));
    CHECK(two.shared() == &group.stack(1));
    CHECK(one.stack().size == std::size_t{64} * 1024);
    CHECK(&one.backend() == &context_backend_named("ucontext"));
    INFO("the backend is ignored there, even if it is unknown");
    CHECK_NOTHROW(place_for({.shared = &group, .backend = "longjmp"}));
}

TEST_CASE("3.5 a function that swallows the unwinding and yields again is unwound again") {
    SharedStacks group(1);
    int swallowed = 0;
    Coroutine co(
        [&] {
            while (swallowed < 3) try {
                    yield();
                } catch (...) {
                    ++swallowed;
                }
        },
        group);
    co.resume();
    co.release();
    INFO("release resumes it until it is dead");
    CHECK(swallowed == 3);
    CHECK(co.done());
}

TEST_CASE("3.5 private and shared coroutines resume each other") {
    for (const ContextBackend& backend : context_backends()) {
        SharedStacks group(1, std::size_t{64} * 1024, backend.name);
        const std::size_t size = std::size_t{256} * 1024;
        std::string order;
        Coroutine shared(
            [&] {
                for (;;) {
                    order += 's';
                    yield();
                }
            },
            Attributes{.shared = &group});
        Coroutine alone(
            [&] {
                for (;;) {
                    shared.resume();
                    order += 'p';
                    yield();
                }
            },
            Attributes{.stack_size = size, .backend = backend.name});
        Coroutine outer(
            [&] {
                for (;;) {
                    alone.resume();
                    order += 'o';
                    yield();
                }
            },
            Attributes{.shared = &group});
        for (int i = 0; i < 3; ++i) outer.resume();
        INFO(kit::told(message("backend by {0}", backend.name)));
        CHECK(order == "spospospo");
    }
}

TEST_CASE("3.5 release unwinds a suspended coroutine on a shared stack, wherever its bytes are") {
    INFO("resume it to unwind, which moves its bytes in; then it is dead, without an image");
    for (const ContextBackend& backend : context_backends()) {
        SharedStacks group(1, std::size_t{256} * 1024, backend.name);
        int alive = 0;
        const auto body = [&] {
            const Counts local(alive);
            with_depth(5000, [] { yield(); });
        };
        Coroutine moved_out(body, Attributes{.shared = &group});
        Coroutine owner(body, Attributes{.shared = &group});
        moved_out.resume();
        owner.resume();
        CHECK(alive == 2);
        CHECK(moved_out.image.size() > 5000);
        moved_out.release();
        INFO(kit::told(message("backend by {0}", backend.name)));
        CHECK(alive == 1);
        CHECK(moved_out.done());
        CHECK(moved_out.image.capacity() == 0);
        {
            INFO("a released coroutine is dead: its stack must not keep it as its owner");
            CHECK(group.stack(0).owner() == nullptr);
        }
        moved_out.release();
        owner.release();
        CHECK(alive == 0);
        CHECK(group.stack(0).owner() == nullptr);
    }
}

TEST_CASE("3.5 releasing a coroutine that is not the owner keeps the owner") {
    INFO("only the release of the owner leaves a stack without one: compare before you set the owner to null");
    SharedStacks group(1);
    bool ran = false;
    Coroutine fresh([&] { ran = true; }, Attributes{.shared = &group});
    int local_seen = 0;
    Coroutine owner(
        [&] {
            volatile int local = 7;
            yield();
            local_seen = local;
        },
        Attributes{.shared = &group});
    owner.resume();
    fresh.release();
    {
        INFO("a coroutine that has never run has nothing to unwind: release must not start it");
        REQUIRE_FALSE(ran);
    }
    CHECK(group.stack(0).owner() == &owner);
    owner.resume();
    CHECK(local_seen == 7);
}

TEST_CASE("3.5 releasing from inside another coroutine on the same stack leaves the other one running") {
    INFO("unwinding moves the bytes of the running coroutine out, and they must come back");
    SharedStacks group(1);
    int alive = 0;
    std::size_t images = 1;
    std::string order;
    Coroutine inner(
        [&] {
            const Counts local(alive);
            yield_for_ever();
        },
        Attributes{.shared = &group});
    Coroutine outer(
        [&] {
            volatile int local = 42;
            inner.resume();
            inner.release();
            images = inner.image.capacity();
            order += alive == 0 && local == 42 ? "unwound" : "wrong";
            yield();
            order += local == 42 ? ", went on" : ", wrong";
        },
        Attributes{.shared = &group});
    outer.resume();
    outer.resume();
    CHECK(order == "unwound, went on");
    INFO("the image is released, whichever coroutine owns the stack by then");
    CHECK(images == 0);
}
