// Step 3.3: cloudwu's schedule, on both backends.
#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>

#include "labs/03_shared_stack/coroutine.h"
#include "labs/03_shared_stack/tests/schedules.h"
#include "labs/kit/fault/expected.h"

using namespace fiberscope;
using namespace fiberscope::lab03;
using namespace fiberscope::lab03::testing;
using kit::MisuseKind;

namespace {

constexpr std::string_view kBoth[] = {"asm", "ucontext"};

}  // namespace

TEST_CASE("3.3 a backend is chosen by name, and an unknown name lists those that there are") {
    INFO("a schedule looks its backend up by name, and an unknown name is an error with the names that exist");
    Schedule& schedule = forever("asm");
    schedule.create(yield_for_ever);
    CHECK(context_backend_named("asm").register_bytes == sizeof(lab01::Context));
    CHECK(context_backend_named("ucontext").register_bytes == sizeof(lab02::Context));
    CHECK_THROWS_WITH(Schedule("longjmp"), "there is no backend \"longjmp\"; there are \"asm\" and \"ucontext\"");
}

TEST_CASE("3.3 carry_out saves the one that goes out before it puts the other one back") {
    const ContextBackend& asm_ = context_backend_named("asm");
    SharedStack stack(std::size_t{64} * 1024);
    const auto coroutine = [&](const char* name) {
        return std::make_unique<SharedStackCoroutine>(
            asm_, &stack, kit::Stack::borrowed(stack.bounds()), [](void*) {}, [] {}, name);
    };
    const auto fill = [&](std::size_t bytes, int with) { std::memset(stack.bounds().top() - bytes, with, bytes); };
    const auto a = coroutine("a"), b = coroutine("b");
    b->make_first_context();
    fill(96, 'b');
    b->image.save(stack.bounds(), 96);
    fill(64, 'a');
    a->live = 64;
    stack.settle(a.get());

    carry_out({&stack, a.get(), b.get()});
    INFO("first out, then the new owner, then in");
    CHECK(stack.owner() == b.get());
    REQUIRE(a->image.size() == 64);
    CHECK(std::count(a->image.data(), a->image.data() + 64, std::byte{'a'}) == 64);
    CHECK(std::count(stack.bounds().top() - 96, stack.bounds().top(), std::byte{'b'}) == 96);

    b->live = 96;
    carry_out({&stack, b.get(), nullptr});
    INFO("none comes in: the stack has no owner");
    CHECK(stack.owner() == nullptr);
}

TEST_CASE("3.3 the stack that control stands on is copied by the copier, any other one at once") {
    const ContextBackend& asm_ = context_backend_named("asm");
    Copier::ready(asm_);
    SharedStack stack(std::size_t{64} * 1024), other(std::size_t{64} * 1024);
    const auto coroutine = [&](const char* name) {
        return std::make_unique<SharedStackCoroutine>(
            asm_, &stack, kit::Stack::borrowed(stack.bounds()), [](void*) {}, [] {}, name);
    };
    const auto a = coroutine("a"), b = coroutine("b");
    a->live = 64;
    stack.settle(a.get());
    lab01::Context next{};

    void* const copier = leave_copy_go_on({&stack, a.get(), b.get()}, &stack, asm_, &next);
    INFO("the function that decides stands on the stack that changes hands: not a byte of it may change yet");
    CHECK(copier != &next);
    CHECK(stack.owner() == a.get());
    CHECK(a->image.size() == 0);
    CHECK_FALSE(b->has_context());

    {
        INFO("to save is not safe there either: what is written into those frames behind the copy would be lost");
        CHECK(leave_copy_go_on({&stack, a.get(), nullptr}, &stack, asm_, &next) == copier);
        CHECK(a->image.size() == 0);
    }

    const SharedStack* elsewhere[] = {nullptr, &other};
    for (const SharedStack* left : elsewhere) {
        const auto fresh = coroutine("fresh");
        stack.settle(a.get());
        INFO("from elsewhere the copying is done here, which saves a switch");
        CHECK(leave_copy_go_on({&stack, a.get(), fresh.get()}, left, asm_, &next) == &next);
        CHECK(stack.owner() == fresh.get());
        stack.settle(a.get());
        CHECK(a->image.size() == 64);
    }
}

TEST_CASE("3.3 the copier serves one move after the other, and goes on where each one says") {
    EXPECTS("the copier carries out its move first, then goes on in the context that this move names, each time");
    for (const ContextBackend& backend : context_backends()) {
        INFO(std::string(backend.name));
        Schedule schedule(backend.name, std::size_t{64} * 1024);
        std::vector<int> ran;
        int ids[3];
        for (int i = 0; i < 3; ++i)
            ids[i] = schedule.create([&ran, i](Schedule& s) {
                for (int round = 0; round < 4; ++round) {
                    volatile int mine = 10 * i + round;
                    s.yield();
                    const int found = mine;
                    ran.push_back(found);
                }
            });
        for (int round = 0; round < 5; ++round)
            for (const int id : ids) schedule.resume(id);
        CHECK(ran == std::vector<int>{0, 10, 20, 1, 11, 21, 2, 12, 22, 3, 13, 23});
    }
}

namespace {

/// Two contexts to which a copier goes on: the one that asks, and another one.
struct TwoPlaces {
    lab01::Context asks, other;
    int times_other = 0;

    static void be_other(void* self) {
        auto& places = *static_cast<TwoPlaces*>(self);
        for (;;) {
            ++places.times_other;
            lab01::_switch(&places.asks, &places.other);
        }
    }
};

}  // namespace

TEST_CASE("3.3 the copier goes on to another context than the last time when it is told so") {
    EXPECTS("each entry of the copier has a new move and a new place to go on: read both anew, each time round");
    const ContextBackend& asm_ = context_backend_named("asm");
    Copier::ready(asm_);
    SharedStack stack(std::size_t{64} * 1024);
    const kit::Stack others(std::size_t{64} * 1024);
    const auto coroutine = [&] {
        return std::make_unique<SharedStackCoroutine>(
            asm_, &stack, kit::Stack::borrowed(stack.bounds()), [](void*) {}, [] {}, "");
    };
    const auto a = coroutine(), b = coroutine();
    for (SharedStackCoroutine* one : {a.get(), b.get()}) one->image.save(stack.bounds(), 64);
    TwoPlaces places;
    lab01::make_context(places.other, others.bounds().bottom, others.bounds().size, &TwoPlaces::be_other, &places);
    std::vector<int> times_other;
    std::vector<const SharedStackCoroutine*> owners;
    for (void* onward : {&places.asks, &places.other, &places.asks, &places.other}) {
        const Move move{&stack, nullptr, owners.size() % 2 == 0 ? a.get() : b.get()};
        void* const copier = Copier::of(asm_).registers_for(move, onward);
        lab01::_switch(static_cast<lab01::Context*>(copier), &places.asks);
        times_other.push_back(places.times_other);
        owners.push_back(stack.owner());
    }
    CHECK(times_other == std::vector<int>{0, 1, 1, 2});
    CHECK(owners == std::vector<const SharedStackCoroutine*>{a.get(), b.get(), a.get(), b.get()});
}

TEST_CASE("3.3 a yield from another stack than the coroutine's is a typed error, and nothing is saved") {
    EXPECTS("require_can_yield comes first, before anything changes");
    for (const auto backend : kBoth) {
        INFO("backend by " << backend << ": require_can_yield, before anything changes");
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
        INFO("backend by " << backend);
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
        INFO("living and require_main come first: behind callers.push the main context is on top no more");
        schedule.resume(id);
        seen.push_back(schedule.status(id));
        CHECK(running == id);
        CHECK(schedule.running() == -1);
        schedule.resume(id);
        INFO("status is cloudwu's word for the state, and DEAD where no coroutine lives: living() would throw");
        seen.push_back(schedule.status(id));
        CHECK(seen == std::vector<Status>{Status::READY, Status::RUNNING, Status::SUSPEND, Status::DEAD});
        INFO("when a coroutine has ended none runs: running() is -1");
        CHECK(schedule.running() == -1);
        EXPECTS("DEAD is the status of every number that no slot has: below 0, and from capacity() on");
        CHECK(schedule.status(-1) == Status::DEAD);
        CHECK(schedule.status(16) == Status::DEAD);
        CHECK(schedule.alive() == 0);
    }
}

TEST_CASE("3.3 two coroutines with stacks of different depth keep their locals") {
    for (const auto backend : kBoth) {
        INFO("backend by " << backend);
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
        CHECK(schedule.image(deep).capacity() > 9000);
    }
}

TEST_CASE("3.3 at each yield the live bytes are saved, whatever the depth") {
    INFO("save what is live at this yield: a deeper one needs more, the next one less again");
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
    INFO("an image is as large as what was live at the last yield");
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
        INFO("what leaves the stack is saved at once, and the stack has no owner then; the dead are not saved");
        INFO("backend by " << backend << " " << run.fault);
        REQUIRE(run.fault.empty());
        CHECK(joined(moves_of(run.trace)) ==
              "own a, start a, out a, own -, yield a, own b, start b, out b, own -, yield b, own a, in a, resume a, "
              "own -, "
              "exit a");
    }
}

TEST_CASE("3.3 a coroutine that ends is not saved, and then the stack has no owner") {
    EXPECTS("no bytes of a dead coroutine are live: the stack has no owner then");
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
    EXPECTS("a schedule has one main context to come back to: refuse others, before anything changes, running() too");
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
    INFO("whether one of this schedule runs is in running_: on the stack of callers may stand one of another schedule");
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
    INFO("refuse a use on another thread");
    Schedule& schedule = forever("asm");
    const int id = schedule.create(yield_for_ever, "homely");
    std::optional<kit::Misuse> misuse;
    std::thread other([&] { misuse = misuse_of([&] { schedule.resume(id); }); });
    other.join();
    REQUIRE(misuse.has_value());
    CHECK(misuse->kind() == MisuseKind::bound_to_thread);
    schedule.resume(id);
    CHECK(schedule.status(id) == Status::SUSPEND);
    INFO("also while one of its coroutines runs: on the other thread there is none");
    const int runs = schedule.create([&](Schedule& s) {
        misuse.reset();
        std::thread([&] { misuse = misuse_of([&] { s.resume(id); }); }).join();
    });
    schedule.resume(runs);
    REQUIRE(misuse.has_value());
    CHECK(misuse->kind() == MisuseKind::bound_to_thread);
}

TEST_CASE("3.3 an exception that leaves a function is rethrown by resume, and its slot is free") {
    INFO("the end comes first, then the exception is thrown again; the slot is free");
    Schedule& schedule = forever("ucontext");
    const int id = schedule.create([](Schedule& s) {
        s.yield();
        throw std::runtime_error("from inside");
    });
    schedule.resume(id);
    CHECK_THROWS_WITH(schedule.resume(id), "from inside");
    CHECK(schedule.status(id) == Status::DEAD);
    CHECK(schedule.alive() == 0);
}

TEST_CASE("3.3 what comes after a yield does not run in a schedule that is closed") {
    EXPECTS("stop_if_unwinding comes after the switch: control comes back there when the schedule is closed");
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

TEST_CASE("3.3 closing a schedule unwinds suspended coroutines, and runs no new one") {
    for (const auto backend : kBoth) {
        int unwound = 0;
        bool ran = false;
        {
            Schedule schedule(backend);
            struct Counts {
                int& n;
                ~Counts() { ++n; }
            };
            for (int i = 0; i < 3; ++i)
                schedule.create([&](Schedule& s) {
                    const Counts local{unwound};
                    yield_for_ever(s);
                });
            for (int i = 0; i < 3; ++i) schedule.resume(i);
            schedule.create([&](Schedule&) { ran = true; });
        }
        INFO("backend by " << backend);
        CHECK(unwound == 3);
        CHECK_FALSE(ran);
    }
}
