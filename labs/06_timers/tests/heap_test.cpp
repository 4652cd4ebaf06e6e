// Step 6.2: the heap. Its manager is in manager_test.cpp.
#define FIBERSCOPE_STEP "6.2"
#define FIBERSCOPE_STORE HeapStore
#include "labs/06_timers/heap_store.h"

#include "labs/06_timers/tests/stores.h"
#include "labs/kit/report/notes.h"
#include "traces/replay/replay.h"

namespace {

std::uint64_t deadline_of(const trace::Trace& recorded, const trace::Member& member) {
    return std::stoull(std::string(recorded.text(member.key).bytes()));
}

/// Describes the error in the heap of a replay; empty if it is correct.
std::string fault_of_heap(const trace::Replay& replay) {
    for (const trace::SetNow& set : replay.sets())
        for (std::size_t i = 0; i < set.members.size(); ++i) {
            if (set.members[i].at != static_cast<std::int64_t>(i)) return "no timer in place " + std::to_string(i);
            const trace::Member& parent = set.members[i == 0 ? 0 : (i - 1) / 2];
            if (deadline_of(replay.trace(), parent) > deadline_of(replay.trace(), set.members[i]))
                return "place " + std::to_string(i) + " expires before its parent";
        }
    return {};
}

/// The places of the timers, by number.
std::vector<std::size_t> places_of(const Stand<HeapStore>& stand) {
    std::vector<std::size_t> places;
    for (const Numbered& timer : stand.timers) places.push_back(timer.place);
    return places;
}

void add_all(Stand<HeapStore>& stand, std::initializer_list<std::uint64_t> milliseconds) {
    for (const std::uint64_t ms : milliseconds) stand.add(ms * kMillisecond);
}

/// Lets all timers expire and returns their numbers in order of expiry.
Numbers all_of(Stand<HeapStore>& stand) {
    Numbers all = stand.expired(kSecond);
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace

TEST_CASE("6.2 no timer is lost in the heap, and none is in it twice") {
    EXPECTS("sink terminates: the children of place p are at 2 * p + 1 and 2 * p + 2, after p");
    Stand<HeapStore> sinking, rising;
    add_all(sinking, {10, 20, 30, 40, 50});
    sinking.store.cancel(sinking.timers[0]);
    {
        INFO(
            "sink has lost a timer: its entry is a reference, and the first put overwrites array_[place], so "
            "pass a copy; at the end the entry is put into the hole");
        for (std::size_t i = 1; i < sinking.timers.size(); ++i) {
            const bool is_first = sinking.store.next_deadline() == sinking.timers[i].deadline;
            REQUIRE((sinking.timers[i].place == 0) == is_first);
        }
        REQUIRE(all_of(sinking) == Numbers{1, 2, 3, 4});
    }
    add_all(rising, {20, 10});
    INFO(
        "rise has lost a timer: its entry is a reference, and the first put overwrites array_[place], so pass a "
        "copy; at the end the entry is put into the hole");
    CHECK(all_of(rising) == Numbers{0, 1});
}

TEST_CASE("6.2 a timer that is earlier than all others rises to the top") {
    Stand<HeapStore> stand;
    INFO("rise: as long as its parent expires later, the parent moves down into the hole, up to place 0");
    for (std::uint64_t ms = 80; ms > 0; ms -= 10) {
        stand.add(ms * kMillisecond);
        CHECK(stand.timers.back().place == 0);
    }
    CHECK(stand.expired(10 * kMillisecond) == Numbers{7});
}

TEST_CASE("6.2 a timer that rises passes its parents, and no other timer") {
    Stand<HeapStore> stand;
    add_all(stand, {40, 30, 20, 10});
    INFO("the parent of place p is at (p - 1) / 2");
    CHECK(places_of(stand) == std::vector<std::size_t>{3, 2, 1, 0});
}

TEST_CASE("6.2 the timer that fills the hole at the top sinks") {
    Stand<HeapStore> stand;
    add_all(stand, {10, 20, 30});
    stand.expired(15 * kMillisecond);
    INFO("sink: the last timer fills the hole at the top; as long as a child expires earlier, the child moves up");
    CHECK(stand.store.next_deadline() == 20 * kMillisecond);
}

TEST_CASE("6.2 of two children the earlier one moves up") {
    Stand<HeapStore> stand;
    add_all(stand, {10, 30, 20, 40});
    stand.expired(15 * kMillisecond);
    INFO("sink compares both children: the right one moves up if it is earlier, even if it is the last of all");
    CHECK(stand.store.next_deadline() == 20 * kMillisecond);
}

TEST_CASE("6.2 a timer sinks until no child expires earlier, and no further") {
    Stand<HeapStore> deep, middle;
    add_all(deep, {10, 20, 30, 40, 50, 60, 70, 80});
    deep.expired(15 * kMillisecond);
    {
        INFO("sink continues at the old place of the child that has moved up");
        CHECK(places_of(deep) == std::vector<std::size_t>{0, 0, 2, 1, 4, 5, 6, 3});
    }
    add_all(middle, {10, 20, 30, 40, 50, 60, 35});
    middle.expired(15 * kMillisecond);
    INFO("sink stops when the earlier child does not expire before the entry");
    CHECK(middle.timers[6].place == 1);
}

TEST_CASE("6.2 a timer that is cancelled leaves its own place") {
    Stand<HeapStore> stand;
    add_all(stand, {10, 20, 30, 40, 50});
    stand.store.cancel(stand.timers[1]);
    INFO("remove: the hole is the place of the removed timer, timer.place, not the top");
    CHECK(stand.store.next_deadline() == 10 * kMillisecond);
    CHECK(all_of(stand) == Numbers{0, 2, 3, 4});
}

TEST_CASE("6.2 timers that are never or hardly ever due come after those due soon") {
    Stand<HeapStore> stand;
    INFO("compare the deadlines, not the sign of their difference, which may overflow a signed number");
    for (const std::uint64_t deadline : {kNever, kNever - 1, std::uint64_t{1} << 63, 5 * kMillisecond})
        stand.add(deadline);
    CHECK(stand.store.next_deadline() == 5 * kMillisecond);
    CHECK(stand.expired(5 * kMillisecond) == Numbers{3});
    CHECK(stand.store.next_deadline() == std::uint64_t{1} << 63);
}

TEST_CASE("6.2 a cancel in the middle leaves a valid heap, upwards too") {
    Stand<HeapStore> stand;
    // As an array: 1, 10, 2, 11, 12, 3, 4. When 11 is removed, 4 takes its place, under 10.
    for (const std::uint64_t ms : {1U, 10U, 2U, 11U, 12U, 3U, 4U}) stand.add(ms * kMillisecond);
    INFO(
        "4 ms takes the place of 11 ms and is earlier than its new parent of 10 ms, so it must rise, as a copy: "
        "the first put overwrites array_[place]");
    CHECK(stand.store.cancel(stand.timers[3]));
    CHECK(stand.timers[6].place == 1);
    CHECK(stand.timers[1].place == 3);
    CHECK(stand.expired(5 * kMillisecond) == Numbers{0, 2, 5, 6});
    CHECK(stand.expired(20 * kMillisecond) == Numbers{1, 4});
}

TEST_CASE("6.2 a timer that rises after a removal passes an equal deadline that was added later") {
    Stand<HeapStore> stand;
    // As an array of numbers: 6, 3, 5, 1, 4, 2, 0. When 1 is removed, 0 takes its place, under 3; both are due at 4 ms.
    for (const std::uint64_t ms : {4U, 6U, 6U, 4U, 4U, 3U, 2U}) stand.add(ms * kMillisecond);
    INFO(
        "the parent is due at the same time, but was added later: compare the order too, both in rise and in "
        "sink");
    CHECK(stand.store.cancel(stand.timers[1]));
    CHECK(stand.expired(6 * kMillisecond) == Numbers{6, 5, 0, 3, 4, 2});
}

TEST_CASE("6.2 the trace shows a valid heap after every operation") {
    const trace::Trace recorded = trace_of_forty_timers<HeapStore>();
    trace::Replay replay(recorded);
    std::string fault;
    while (fault.empty() && replay.forward())
        if (recorded[replay.at() - 1].kind == trace::Kind::timer) fault = fault_of_heap(replay);
    INFO("each timer is at its place in the trace, and no parent expires after its children");
    INFO(kit::told(message("event {0}", replay.at())));
    CHECK(fault == "");
    CHECK(count(recorded, trace::Kind::move, "timers") > 50);
    CHECK(count(recorded, trace::TimerOp::fire) == 30);
}

TEST_CASE("6.2 in the trace, setting or taking a timer moves at most as many others as the heap has levels") {
    constexpr std::uint64_t kTimers = 255, kHeight = 8;
    const trace::Trace recorded = trace_of("moves", [] {
        Stand<HeapStore> stand;
        for (std::uint64_t i = 0; i < kTimers; ++i) stand.add((kTimers - i) * kMicrosecond);  // each becomes the first
        stand.expired(kSecond);
    });
    INFO("a timer that rises passes its parents, one that sinks its earlier children: one in each level");
    CHECK(count(recorded, trace::TimerOp::fire) == kTimers);
    CHECK(count(recorded, trace::Kind::move) <= 2 * kTimers * kHeight);
}

TEST_CASE("6.2 in the trace the last timer moves once when the first is removed") {
    constexpr std::size_t kTimers = 7;
    const trace::Trace recorded = trace_of("one_goes", [] {
        Stand<HeapStore> stand;
        for (std::uint64_t i = 1; i <= kTimers; ++i) stand.add(i * kMicrosecond);
        stand.expired(kMicrosecond);
    });
    INFO("find its place by moving the others into the hole, and write it once, at its final place");
    const std::size_t moves = count(recorded, trace::Kind::move);
    CHECK(moves > 0);
    CHECK(moves <= 3);
}
