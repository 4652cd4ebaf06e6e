// Step 4.19: the deque alone, on one thread: its two ends, its growth, and the wrap-around of the ring.
#include "labs/04_scheduler/beyond/deque/tests/deque.h"

#include <deque>
#include <random>

#include "labs/kit/report/notes.h"
#include "labs/kit/testing/shrink_failures.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using namespace fiberscope::lab04::testing;

TEST_CASE("4.19 the owner pops the newest, and a thief steals the oldest") {
    INFO("push and pop work at the bottom, steal at the top");
    Numbered some(4);
    some.push(0, 3);
    CHECK(some.deque.size() == 4);
    CHECK(some.pop() == 3);
    CHECK(some.steal() == 0);
    CHECK(some.steal() == 1);
    INFO("the last one is taken once, at either end");
    CHECK(some.pop() == 2);
    CHECK(some.steal() == kNone);
    CHECK(some.pop() == kNone);
    some.push(3);
    CHECK(some.steal() == 3);
    CHECK(some.pop() == kNone);
    CHECK(some.deque.size() == 0);
}

TEST_CASE("4.19 a pop of an empty deque changes nothing") {
    INFO("pop first decrements bottom: if the deque is empty it must restore it");
    Numbered some(2);
    for (int i = 0; i < 3; ++i) CHECK(some.pop() == kNone);
    CHECK(some.steal() == kNone);
    some.push(0);
    CHECK(some.deque.size() == 1);
    CHECK(some.steal() == 0);
    for (int i = 0; i < 3; ++i) CHECK(some.pop() == kNone);
    some.push(1);
    CHECK(some.pop() == 1);
}

TEST_CASE("4.19 popping the last G leaves an empty deque that can be used again") {
    INFO("the machine that takes the last one moves top past it, and bottom is set to top");
    Numbered some(3);
    some.push(0);
    CHECK(some.pop() == 0);
    CHECK(some.deque.size() == 0);
    CHECK(some.steal() == kNone);
    some.push(1, 2);
    CHECK(some.deque.size() == 2);
    CHECK(some.steal() == 1);
    CHECK(some.steal() == 2);
}

TEST_CASE("4.19 the ring wraps around: slots that thieves have emptied are reused") {
    INFO(
        "the slot is the position modulo the capacity; the ring is full when bottom - top is the capacity, not "
        "before");
    Numbered some(20, 4);
    some.push(0, 2);
    for (int i = 3; i < 20; ++i) {
        some.push(i);
        CHECK(some.steal() == i - 3);
    }
    CHECK(some.deque.ring().capacity() == 4);
    for (const int left : {19, 18, 17}) CHECK(some.pop() == left);
    CHECK(some.pop() == kNone);
}

TEST_CASE("4.19 a full ring grows first, and the new G goes into the larger ring") {
    Numbered some(5, 4);
    some.push(0, 3);
    some.push(4);
    INFO("push: if bottom - top equals the capacity, no slot is free");
    REQUIRE(some.deque.ring().capacity() == 8);
    INFO("push: after grow, ring() is another one");
    CHECK(some.gs.number(some.deque.ring().get(4)) == 4);
}

TEST_CASE("4.19 a full ring grows, and each G is found at its position") {
    for (const int gone : {0, 1, 3, 6}) {
        Numbered some(30, 4);
        INFO(kit::told(message(
            "after {0} have been stolen: grow copies the positions from top to bottom - 1, and a position has another "
            "slot in a larger ring",
            gone)));
        for (int i = 0; i < gone; ++i) {
            some.push(i);
            CHECK(some.steal() == i);
        }
        some.push(gone, gone + 3);
        CHECK(some.deque.ring().capacity() == 4);
        some.push(gone + 4);
        CHECK(some.deque.ring().capacity() == 8);
        some.push(gone + 5, gone + 8);
        CHECK(some.deque.ring().capacity() == 16);
        CHECK(some.pop() == gone + 8);
        for (int i = gone; i < gone + 8; ++i) CHECK(some.steal() == i);
        CHECK(some.steal() == kNone);
    }
}

TEST_CASE("4.19 grow leaves the old ring as it is, as a thief may still read it") {
    INFO("add_ring gives a second ring; the old one is not changed, and it lives as long as the deque");
    Numbered some(5, 4);
    some.push(0, 3);
    const Ring& old = some.deque.ring();
    some.push(4);
    REQUIRE(&some.deque.ring() != &old);
    for (int i = 0; i < 4; ++i) CHECK(some.gs.number(old.get(i)) == i);
    CHECK(some.gs.number(some.deque.ring().get(4)) == 4);
}

namespace {

enum class Op : std::uint8_t { push, pop, steal };
const char* word(Op op) { return op == Op::push ? "push" : op == Op::pop ? "pop" : "steal"; }

/// Returns the rule that these operations break, or "". Each G is pushed once, in order of the numbers.
std::string rule_broken_by(const std::vector<Op>& ops) {
    Numbered some(static_cast<int>(std::ranges::count(ops, Op::push)), 2);
    std::deque<int> model;
    int next = 0;
    for (const Op op : ops) {
        if (op == Op::push) {
            model.push_back(next);
            some.push(next++);
            continue;
        }
        const int expected = model.empty() ? kNone : op == Op::pop ? model.back() : model.front();
        if (const int got = op == Op::pop ? some.pop() : some.steal(); got != expected)
            return std::string(word(op)) + " gives g" + std::to_string(expected) + ", not g" + std::to_string(got);
        if (model.empty()) continue;
        op == Op::pop ? model.pop_back() : model.pop_front();
    }
    return some.deque.size() == model.size() ? "" : "bottom - top is the number of Gs";
}

}  // namespace

TEST_CASE("4.19 random operations give the same results as a std::deque") {
    std::minstd_rand random(3);
    std::vector<Op> all;
    for (int i = 0; i < 2000; ++i) all.push_back(random() % 7 < 4 ? Op::push : random() % 2 ? Op::pop : Op::steal);
    const std::vector<Op> few = kit::testing::shrink_failures(all, rule_broken_by);
    INFO(kit::told(message("by one thread, shortened (-1 is none): {0}",
                           Value::of(kit::testing::list_in_words(few, [](Op op) { return std::string(word(op)); })))));
    CHECK(kit::testing::rule_broken_here(few.empty() ? all : few, rule_broken_by) == "");
}
