// What the recorder writes, the reader reads back: both stand on the schema alone and do not know each other.
#include <algorithm>

#include "testing/catch.h"
#include "traces/read/reader.h"
#include "traces/tests/recorded/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

namespace {

std::vector<Event> some_of_every_kind(std::uint32_t set, std::uint32_t timers) {
    std::vector<Event> all{spawn_event(0, CoKind::thread),
                           spawn_event(1, CoKind::task, 0, Backend::ucontext, 8192, 0),
                           switch_event(0, 1, Why::start, State::normal),
                           switch_event(1, 0, Why::yield, State::sleeping, 77),
                           state_event(1, State::sleeping, State::ready, Cause::deadline),
                           set_event(Kind::insert, set, 1, 3),
                           set_event(Kind::remove, set, 1),
                           stack_event(1, StackOp::alloc, 8192),
                           note_event(),
                           note_event(1)};
    const auto add = [&](Kind kind, std::uint32_t co, std::uint32_t other, std::uint32_t in, std::int64_t x,
                         std::int64_t y, auto e1, std::uint8_t e2) {
        Event e = event(kind, co);
        e.other = other;
        e.set = in;
        e.x = x;
        e.y = y;
        e.e1 = byte(e1);
        e.e2 = e2;
        all.push_back(e);
    };
    add(Kind::move, kNone, 4, timers, 2, kAbsent, 0, 0);
    add(Kind::hand, kNone, kNone, timers, 9, kAbsent, 0, 0);
    add(Kind::own, 1, kNone, 0, kAbsent, kAbsent, 0, 0);
    add(Kind::copy, 1, kNone, 0, 100, 128, Direction::out, 0);
    add(Kind::access, 1, 0, 0, 64, kAbsent, 0, 0);
    add(Kind::io, 1, 11, 7, 500, -1, IoPhase::error, byte(Want::write));
    add(Kind::poll, kNone, 3, 7, -1, kAbsent, PollPhase::leave, 0);
    add(Kind::timer, 1, 4, kNone, 50, 10, TimerOp::fire, 0);
    add(Kind::machine, kNone, 2, kNone, 5, kAbsent, MachineOp::steal, 0);
    add(Kind::lock, 1, kNone, kNone, kAbsent, kAbsent, LockOp::wait, byte(LockMode::cond));
    add(Kind::defer, 1, kNone, kNone, 1, kAbsent, DeferOp::run, 0);
    add(Kind::frame, 1, kNone, kNone, kAbsent, kAbsent, FrameOp::return_, 0);
    add(Kind::link, 1, 0, set, 0, kAbsent, link_field::left | link_field::parent | link_field::color, byte(Color::red));
    add(Kind::choice, kNone, 2, kNone, 61, kAbsent, Turn::preemption, 0);
    add(Kind::fault, 1, kNone, kNone, kAbsent, kAbsent, 0, 0);
    return all;
}

bool has_text(const Event& e) {
    constexpr std::array kinds{Kind::spawn, Kind::io, Kind::lock, Kind::defer, Kind::frame, Kind::fault, Kind::note};
    return std::find(kinds.begin(), kinds.end(), e.kind) != kinds.end();
}

}  // namespace

TEST_CASE("every kind of event comes back from the reader as it was recorded") {
    const Directory directory;
    open(directory / "t.json", meta());
    const auto set = declare_set(0, "sleep", Role::sleep, Structure::rbtree, "deadline, ns");
    const auto timers = declare_set(0, "timers", Role::timer, Structure::wheel);
    const std::vector<Event> events = some_of_every_kind(set, timers);
    for (std::size_t i = 0; i < events.size(); ++i)
        record(i + 1, events[i], has_text(events[i]) ? "text \"" + std::to_string(i) + "\"" : "");
    close();

    const Trace trace = read(directory / "t.json");
    CHECK(trace.complete);
    CHECK(trace.head.program == "test");
    REQUIRE(trace.size() == events.size() + 2);
    CHECK(trace.text(trace[0].other) == "deadline, ns");
    for (std::size_t i = 0; i < events.size(); ++i) {
        const Event& in = events[i];
        const Event& out = trace[i + 2];
        INFO("event " << i << ", " << word(in.kind));
        CHECK(out.t == i + 1);
        CHECK(out.kind == in.kind);
        CHECK(out.x == in.x);
        CHECK(out.y == in.y);
        CHECK(out.co == in.co);
        CHECK(out.other == in.other);
        CHECK(out.set == in.set);
        CHECK(out.e1 == in.e1);
        CHECK(out.e2 == in.e2);
        CHECK(out.e3 == in.e3);
        CHECK(trace.text(out.text) == (has_text(in) ? "text \"" + std::to_string(i) + "\"" : ""));
    }
}

TEST_CASE("a trace whose process was killed opens, and says that the rest is missing") {
    const Directory directory;
    in_child([&] {
        open(directory / "t.json", meta());
        for (std::uint64_t i = 0; i < 10'000; ++i) record(i, note_event(), std::to_string(i));
        ::_exit(1);
    });
    const Trace trace = read(directory / "t.json");
    CHECK_FALSE(trace.complete);
    CHECK_FALSE(trace.missing.empty());
    REQUIRE(trace.size() > 10'000 - 4'096);
    CHECK(trace.text(trace[trace.size() - 1].text) == std::to_string(trace.size() - 1));
}
