// Step 3.3: the slots of cloudwu's schedule.
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "labs/03_shared_stack/tests/schedules.h"
#include "labs/kit/fault/expected.h"
#include "labs/kit/testing/allocations.h"
#include "labs/kit/testing/clock.h"

using namespace fiberscope;
using namespace fiberscope::lab03;
using namespace fiberscope::lab03::testing;

TEST_CASE("3.3 the schedule has 16 slots, and twice as many when all are taken") {
    INFO("when all slots are taken, double their number");
    Schedule& schedule = forever("asm");
    for (int i = 0; i < 16; ++i) CHECK(schedule.create(yield_for_ever) == i);
    CHECK(schedule.capacity() == 16);
    CHECK(schedule.create(yield_for_ever) == 16);
    CHECK(schedule.capacity() == 32);
    for (int i = 17; i < 33; ++i) CHECK(schedule.create(yield_for_ever) == i);
    CHECK(schedule.capacity() == 64);
    CHECK(schedule.alive() == 33);
    for (int round = 0; round < 2; ++round)
        for (int i = 0; i < 33; ++i) schedule.resume(i);
    CHECK(schedule.status(32) == Status::SUSPEND);
}

TEST_CASE("3.3 the slot of a dead coroutine is reused before the slots are doubled") {
    INFO("search all slots once before doubling");
    Schedule& schedule = forever("asm");
    for (int i = 0; i < 16; ++i)
        schedule.create([i](Schedule& s) {
            if (i != 5) yield_for_ever(s);
        });
    schedule.resume(5);
    CHECK(schedule.status(5) == Status::DEAD);
    CHECK(schedule.alive() == 15);
    CHECK(schedule.create(yield_for_ever) == 5);
    CHECK(schedule.status(5) == Status::READY);
    CHECK(schedule.capacity() == 16);
}

TEST_CASE("3.3 a coroutine keeps its number when earlier ones have ended") {
    INFO("a coroutine's number is the index of its slot, which may exceed the number of living coroutines");
    Schedule& schedule = forever("asm");
    for (int i = 0; i < 6; ++i)
        schedule.create([i](Schedule& s) {
            if (i == 4) yield_for_ever(s);
        });
    for (int i = 0; i < 5; ++i) schedule.resume(i);
    CHECK(schedule.alive() == 2);
    CHECK(schedule.status(4) == Status::SUSPEND);
    CHECK(schedule.status(5) == Status::READY);
    CHECK(schedule.status(3) == Status::DEAD);
    schedule.resume(4);
    CHECK(schedule.status(4) == Status::SUSPEND);
}

TEST_CASE("3.3 the search for a free slot begins at the number of living coroutines, as in cloudwu") {
    INFO("a coroutine that has ended is no longer alive: decrement alive_, and empty its slot");
    Schedule& schedule = forever("asm");
    std::vector<int> ids;
    for (int i = 0; i < 12; ++i)
        ids.push_back(schedule.create([i](Schedule& s) {
            if (i != 2 && i != 10) yield_for_ever(s);
        }));
    for (const int id : ids) schedule.resume(id);
    REQUIRE(schedule.alive() == 10);
    INFO("start at slot alive(): a search from slot 0 would visit all living coroutines at every creation");
    CHECK(schedule.create(yield_for_ever) == 10);
    CHECK(schedule.create(yield_for_ever) == 12);
}

namespace {

/// Leaves old bytes in the block that is allocated next in this size.
[[gnu::noinline]] void leave_old_bytes(std::size_t size) {
    std::vector<std::unique_ptr<volatile unsigned char[]>> pieces;
    for (int i = 0; i < 16; ++i) pieces.emplace_back(new volatile unsigned char[size]);
    for (const auto& piece : pieces)
        for (std::size_t i = 0; i < size; ++i) piece[i] = 0x5a;
}

}  // namespace

TEST_CASE("3.3 a coroutine may create so many others that the slots are doubled, and then end") {
    EXPECTS("a running coroutine may double the slots, which moves them: after the switch look them up again");
    Schedule& schedule = forever("asm");
    for (int i = 0; i < 3; ++i) schedule.create(yield_for_ever);
    const int id = schedule.create([](Schedule& s) {
        for (int i = 0; i < 20; ++i) s.create(yield_for_ever);
        leave_old_bytes(Schedule::kFirstCapacity * 2 * sizeof(void*));  // the previous slots
    });
    schedule.resume(id);
    REQUIRE(schedule.capacity() == 32);
    CHECK(schedule.status(id) == Status::DEAD);
    CHECK(schedule.alive() == 23);
}

TEST_CASE("3.3 a trace shows whose slot a coroutine reuses") {
    const Recorded run = record("reuses", [] {
        Schedule& schedule = forever("asm");
        const int first = schedule.create([](Schedule&) {}, "first");
        for (int i = 1; i < 16; ++i) schedule.create(yield_for_ever);
        schedule.resume(first);
        schedule.create(yield_for_ever, "second");
    });
    INFO(run.fault);
    REQUIRE(run.fault.empty());
    std::int64_t first = -1, reused = -2;
    for (std::size_t i = 0; i < run.trace.size(); ++i) {
        const auto& e = run.trace[i];
        if (e.kind != trace::Kind::spawn) continue;
        if (run.trace.name(e.co) == std::string("first")) first = e.co;
        if (run.trace.name(e.co) == std::string("second")) reused = e.y;
    }
    INFO("given: when a coroutine reuses the slot of a dead one, the trace names the dead one");
    CHECK(reused == first);
}

TEST_CASE("3.3 a coroutine that waits for a coroutine that it has resumed is RUNNING") {
    INFO("a `normal` coroutine has resumed another: cloudwu has no name for it, and calls it RUNNING");
    Schedule& schedule = forever("asm");
    Status waits{};
    const int id = schedule.create([&](Schedule& s) {
        kit::Core& self = *kit::this_thread().current;
        kit::set_state(self, kit::State::normal);
        waits = s.status(0);
        kit::set_state(self, kit::State::running);
        yield_for_ever(s);
    });
    schedule.resume(id);
    CHECK(waits == Status::RUNNING);
    CHECK(schedule.status(id) == Status::SUSPEND);
}
