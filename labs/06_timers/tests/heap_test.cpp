// Step 6.2: the heap. Its manager is in manager_test.cpp.
#define FIBERSCOPE_STEP "6.2"
#define FIBERSCOPE_STORE HeapStore
#include "labs/06_timers/heap_store.h"

#include "labs/06_timers/tests/stores.h"
#include "traces/replay/replay.h"

namespace {

std::uint64_t deadline_of(const trace::Trace& recorded, const trace::Member& member) {
    return std::stoull(std::string(recorded.text(member.key).bytes()));
}

/// What is wrong with the heap of a replay, in words; empty: nothing.
std::string fault_of_heap(const trace::Replay& replay) {
    for (const trace::SetNow& set : replay.sets())
        for (std::size_t i = 0; i < set.members.size(); ++i) {
            if (set.members[i].at != static_cast<std::int64_t>(i))
                return "no timer stands in place " + std::to_string(i);
            const trace::Member& parent = set.members[i == 0 ? 0 : (i - 1) / 2];
            if (deadline_of(replay.trace(), parent) > deadline_of(replay.trace(), set.members[i]))
                return "place " + std::to_string(i) + " expires before its parent";
        }
    return {};
}

}  // namespace

TEST_CASE("6.2 what is never due, or nearly, stands behind what is due soon") {
    Stand<HeapStore> stand;
    INFO("compare the deadlines, not the sign of their difference: it is too large for a signed number");
    for (const std::uint64_t deadline : {kNever, kNever - 1, std::uint64_t{1} << 63, 5 * kMillisecond})
        stand.add(deadline);
    CHECK(stand.store.next_deadline() == 5 * kMillisecond);
    CHECK(stand.expired(5 * kMillisecond) == Numbers{3});
    CHECK(stand.store.next_deadline() == std::uint64_t{1} << 63);
}

TEST_CASE("6.2 one that is cancelled in the middle leaves a heap behind, upwards too") {
    Stand<HeapStore> stand;
    // As an array: 1, 10, 2, 11, 12, 3, 4. When 11 goes, 4 comes into its place, under 10.
    for (const std::uint64_t ms : {1U, 10U, 2U, 11U, 12U, 3U, 4U}) stand.add(ms * kMillisecond);
    INFO("11 ms goes and 4 ms comes into its place: earlier than its new parent of 10 ms, so it must rise");
    CHECK(stand.store.cancel(stand.timers[3]));
    CHECK(stand.timers[6].place == 1);
    CHECK(stand.timers[1].place == 3);
    CHECK(stand.expired(5 * kMillisecond) == Numbers{0, 2, 5, 6});
    CHECK(stand.expired(20 * kMillisecond) == Numbers{1, 4});
}

TEST_CASE("6.2 one that rises after a removal passes an equal deadline that was added later") {
    Stand<HeapStore> stand;
    // As an array, by numbers: 6, 3, 5, 1, 4, 2, 0. When 1 goes, 0 comes into its place, under 3: both are due at 4 ms.
    for (const std::uint64_t ms : {4U, 6U, 6U, 4U, 4U, 3U, 2U}) stand.add(ms * kMillisecond);
    INFO(
        "the parent is due at the same time, but was added later: compare the order too, when one rises and when one "
        "sinks");
    CHECK(stand.store.cancel(stand.timers[1]));
    CHECK(stand.expired(6 * kMillisecond) == Numbers{6, 5, 0, 3, 4, 2});
}

TEST_CASE("6.2 the trace shows a whole heap after every operation") {
    const trace::Trace recorded = trace_of_forty_timers<HeapStore>();
    trace::Replay replay(recorded);
    std::string fault;
    while (fault.empty() && replay.forward())
        if (recorded[replay.at() - 1].kind == trace::Kind::timer) fault = fault_of_heap(replay);
    INFO("each timer stands in the place that the trace names, and no parent expires after its children");
    INFO("event " << replay.at());
    CHECK(fault == "");
    CHECK(count(recorded, trace::Kind::move, "timers") > 50);
    CHECK(count(recorded, trace::TimerOp::fire) == 30);
}

TEST_CASE("6.2 to set a timer or to take one moves no more others than the heap is high, in the trace") {
    constexpr std::uint64_t kTimers = 255, kHeight = 8;
    const trace::Trace recorded = trace_of("moves", [] {
        Stand<HeapStore> stand;
        for (std::uint64_t i = 0; i < kTimers; ++i) stand.add((kTimers - i) * kMicrosecond);  // each is the first
        stand.expired(kSecond);
    });
    INFO("one that rises passes its parents, and one that sinks passes its earlier children: one of each level");
    CHECK(count(recorded, trace::TimerOp::fire) == kTimers);
    CHECK(count(recorded, trace::Kind::move) <= 2 * kTimers * kHeight);
}

TEST_CASE("6.2 where the first one goes, the last one moves once, in the trace") {
    constexpr std::size_t kTimers = 7;
    const trace::Trace recorded = trace_of("one_goes", [] {
        Stand<HeapStore> stand;
        for (std::uint64_t i = 1; i <= kTimers; ++i) stand.add(i * kMicrosecond);
        stand.expired(kMicrosecond);
    });
    INFO("its place is looked for with a hole, into which the others move; it is put down where it stays");
    const std::size_t moves = count(recorded, trace::Kind::move);
    CHECK(moves > 0);
    CHECK(moves <= 3);
}

TEST_CASE("6.2 in the trace what a clock that is set back lets expire is due by that clock, and time goes on") {
    const trace::Trace recorded = trace_of("set_back", [] {
        HeapStore store;
        Timer timer;
        store.add(timer, kSecond);
        std::vector<Timer*> all;
        store.take_all(kMillisecond, all);
    });
    INFO("a timer that is taken before its deadline fires at the time to which the clock was set back");
    const trace::Event& last = recorded[recorded.size() - 1];
    REQUIRE(last.kind == trace::Kind::timer);
    CHECK(last.first<trace::TimerOp>() == trace::TimerOp::fire);
    CHECK(last.x == kMillisecond);
    CHECK(last.t == kMillisecond);
}
