// Step 3.3: the copying at a switch, and on whose stack it runs.
#include <algorithm>
#include <cstring>
#include <memory>

#include "labs/03_shared_stack/coroutine.h"
#include "labs/03_shared_stack/tests/schedules.h"
#include "labs/kit/fault/expected.h"

using namespace fiberscope;
using namespace fiberscope::lab03;
using namespace fiberscope::lab03::testing;

TEST_CASE("3.3 carry_out saves the outgoing coroutine before it restores the incoming one") {
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
    INFO("if no coroutine comes in, the stack has no owner");
    CHECK(stack.owner() == nullptr);
}

TEST_CASE("3.3 the current stack is copied by the copier, any other stack directly") {
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
    INFO("the function that decides runs on the stack that changes its owner: not a byte of it may change yet");
    CHECK(copier != &next);
    CHECK(stack.owner() == a.get());
    CHECK(a->image.size() == 0);
    CHECK_FALSE(b->has_context());

    {
        INFO("saving is not safe there either: writes to those frames after the copy would be lost");
        CHECK(leave_copy_go_on({&stack, a.get(), nullptr}, &stack, asm_, &next) == copier);
        CHECK(a->image.size() == 0);
    }
    {
        INFO("restoring is not safe there either, even if nothing goes out: it would overwrite those frames");
        CHECK(leave_copy_go_on({&stack, nullptr, b.get()}, &stack, asm_, &next) == copier);
        CHECK(stack.owner() == a.get());
    }

    const SharedStack* elsewhere[] = {nullptr, &other};
    for (const SharedStack* left : elsewhere) {
        const auto fresh = coroutine("fresh");
        stack.settle(a.get());
        INFO("from another stack the copying is done here, which saves a switch");
        CHECK(leave_copy_go_on({&stack, a.get(), fresh.get()}, left, asm_, &next) == &next);
        CHECK(stack.owner() == fresh.get());
        stack.settle(a.get());
        CHECK(a->image.size() == 64);
    }
}

TEST_CASE("3.3 the copier carries out one move after another, and continues with the context of each") {
    EXPECTS("each time, the copier carries out its move first, then continues with the registers given for this move");
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

/// Two contexts with which a copier continues: the one that uses it, and another one.
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

TEST_CASE("3.3 the copier may continue with a different context each time") {
    EXPECTS("each entry of the copier has a new move_ and a new onward_: read both again in each iteration");
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
