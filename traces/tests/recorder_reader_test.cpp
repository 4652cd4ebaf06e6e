// Round trip: the reader reads what the recorder writes. Both depend only on the schema.
#include <set>

#include "testing/catch.h"
#include "traces/read/reader.h"
#include "traces/tests/recorded/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

namespace {

/// A node of a tree of set 0, with these fields written.
constexpr Event link(std::uint8_t fields, std::int64_t left, std::int64_t right, std::uint32_t parent, Color color) {
    Event e = event_of<Kind::link, "set", "node", "left", "right", "parent", "color">(0, 4, left, right, parent, color);
    e.e1 = fields;
    return e;
}

/// A node of set 1, whose members are timers; the reader works that out, the recorder ignores it.
constexpr Event timer_link() {
    Event e = event_of<Kind::link, "set", "node", "left">(1, 4, 5);
    e.e1 = link_field::left;
    e.e3 = 1;
    return e;
}

struct Row {
    Event event;
    const char* text;
    const char* line;  ///< the rest of the event's line, after `t` and `m`
};
using namespace link_field;
/// Each kind with all of its fields, and with only the required ones. Set 0 is "ready", set 1 is "ti\"ck", of timers.
const Row kRows[] = {
    {spawn_event(0, CoKind::thread), "main", R"("ev":"spawn","co":0,"kind":"thread","name":"main"})"},
    {spawn_event(3, CoKind::task, 0, Backend::asm_, 65536, 2), "reader",
     R"("ev":"spawn","co":3,"parent":0,"kind":"task","name":"reader","stack":65536,"backend":"asm","reuses":2})"},
    {switch_event(0, 1, Why::start, State::normal), "",
     R"("ev":"switch","from":0,"to":1,"why":"start","left":"normal"})"},
    {switch_event(1, 0, Why::yield, State::waiting, 500), "fd {0} to be readable\t7",
     R"("ev":"switch","from":1,"to":0,"why":"yield","left":"waiting","until":500,)"
     R"("reason":"fd {0} to be readable","values":"7"})"},
    {switch_event(1, 0, Why::yield, State::waiting), "a friend",
     R"("ev":"switch","from":1,"to":0,"why":"yield","left":"waiting","reason":"a friend"})"},
    {state_event(1, State::new_, State::ready), "", R"("ev":"state","co":1,"from":"new","to":"ready"})"},
    {state_event(1, State::suspended, State::dead, Cause::cancel), "boom",
     R"("ev":"state","co":1,"from":"suspended","to":"dead","cause":"cancel","error":"boom"})"},
    {set_event(Kind::insert, 0, 2), "", R"("ev":"insert","set":"ready","co":2})"},
    {timer_in_set_event(Kind::remove, 1, 9, 3), "12 ms",
     R"("ev":"remove","set":"ti\"ck","timer":9,"key":"12 ms","at":3})"},
    {set_event(Kind::move, 0, 2, 0), "", R"("ev":"move","set":"ready","co":2,"at":0})"},
    {hand_event(1, 59), "", R"("ev":"hand","set":"ti\"ck","at":59})"},
    {link(left | color, 5, kAbsent, kNone, Color::red), "",
     R"("ev":"link","set":"ready","node":4,"left":5,"color":"red"})"},
    {link(left | right | parent, kNone, 6, kNone, Color::none), "",
     R"("ev":"link","set":"ready","node":4,"left":null,"right":6,"parent":null})"},
    {link(parent | color, kAbsent, kAbsent, 8, Color::black), "",
     R"("ev":"link","set":"ready","node":4,"parent":8,"color":"black"})"},
    {timer_link(), "", R"("ev":"link","set":"ti\"ck","node":4,"left":5})"},
    {root_event(0, 4), "", R"("ev":"link","set":"ready","root":4})"},
    {root_event(0, kNone), "", R"("ev":"link","set":"ready","root":null})"},
    {own_event(1, 3), "", R"("ev":"own","stack":1,"co":3})"},
    {own_event(1, kNone), "", R"("ev":"own","stack":1,"co":null})"},
    {copy_event(3, Direction::in, 304, 512, 0), "",
     R"("ev":"copy","co":3,"dir":"in","bytes":304,"capacity":512,"stack":0})"},
    {access_event(3, 0, 96, 4), "", R"("ev":"access","co":3,"stack":0,"offset":96,"owner":4})"},
    {stack_event(3, StackOp::reuse, 8192), "", R"("ev":"stack","co":3,"op":"reuse","bytes":8192})"},
    {io_event(3, 7, IoPhase::block, Want::read, 900), "read",
     R"("ev":"io","co":3,"fd":7,"op":"read","phase":"block","want":"read","deadline":900})"},
    {io_event(3, -1, IoPhase::error, Want::none, kAbsent, -1, 104), "send",
     R"("ev":"io","co":3,"fd":-1,"op":"send","phase":"error","result":-1,"errno":104})"},
    {poll_event(PollPhase::enter, -1), "", R"("ev":"poll","phase":"enter","timeout":-1})"},
    {poll_event(PollPhase::leave, kAbsent, 0), "", R"("ev":"poll","phase":"leave","ready":0})"},
    {poll_event(PollPhase::add, kAbsent, kNone, 8), "", R"("ev":"poll","phase":"add","fd":8})"},
    {timer_event(12, TimerOp::refresh, 100, 50, 3), "",
     R"("ev":"timer","timer":12,"op":"refresh","deadline":100,"period":50,"co":3})"},
    {machine_event(MachineOp::steal, 2, 16), "", R"("ev":"machine","op":"steal","victim":2,"count":16})"},
    {machine_event(MachineOp::give, 2, kAbsent, 3), "", R"("ev":"machine","op":"give","victim":2,"to":3})"},
    {machine_event(MachineOp::park), "epoll", R"("ev":"machine","op":"park","object":"epoll"})"},
    {machine_event(MachineOp::wait), "ready", R"("ev":"machine","op":"wait","object":"ready"})"},
    {lock_event(3, LockOp::broadcast, LockMode::cond), "full",
     R"("ev":"lock","co":3,"object":"full","op":"broadcast","mode":"cond"})"},
    {defer_event(3, DeferOp::run, 0), "", R"("ev":"defer","co":3,"op":"run","n":0})"},
    {defer_event(3, DeferOp::run, 0), "visit", R"("ev":"defer","co":3,"op":"run","n":0,"frame":"visit"})"},
    {frame_event(3, FrameOp::at), "visit+3 n=2", R"("ev":"frame","co":3,"op":"at","frames":"visit+3 n=2"})"},
    {event_of<Kind::fault, "co">(3), "stack overflow", R"("ev":"fault","co":3,"text":"stack overflow"})"},
    {note_event(), "hello", R"("ev":"note","text":"hello"})"},
    {note_event(1), "a \"word\", é", R"("ev":"note","co":1,"text":"a \"word\", é"})"},
    {choice_event(61, Turn::preemption, 1), "0, 2",
     R"("ev":"choice","n":61,"turn":"preemption","next":1,"others":"0, 2"})"},
    {choice_event(1, Turn::seen_later, 0), "", R"("ev":"choice","n":1,"turn":"seen_later","next":0})"},
    {name_event(3), "reader", R"("ev":"name","co":3,"name":"reader"})"},
};

}  // namespace

TEST_CASE("every kind of event is written as the format says, and comes back from the reader as it was recorded") {
    const Scratch scratch;
    open(scratch / "t.json", meta());
    declare_set(0, "ready", Role::ready, Structure::queue);
    declare_set(0, "ti\"ck", Role::timer, Structure::wheel, "deadline, ns");
    for (const Row& row : kRows) record(7, row.event, row.text);
    close();
    const auto lines = event_lines(file_text(scratch / "t.json"));
    const Trace trace = read(scratch / "t.json");
    CHECK(trace.complete);
    CHECK(trace.head.program == "test");
    REQUIRE(lines.size() == std::size(kRows) + 2);
    REQUIRE(trace.size() == lines.size());
    CHECK(trace.text(trace[1].other) == "deadline, ns");
    std::set<Kind> kinds{Kind::set};
    for (std::size_t i = 0; i < std::size(kRows); ++i) {
        const Event& in = kRows[i].event;
        const Event& out = trace[i + 2];
        kinds.insert(in.kind);
        INFO(lines[i + 2]);
        CHECK(lines[i + 2] == R"({"t":7,"m":0,)" + std::string(kRows[i].line));
        CHECK(out.t == 7);
        CHECK(out.kind == in.kind);
        CHECK(out.x == in.x);
        CHECK(out.y == in.y);
        CHECK(out.co == in.co);
        CHECK(out.other == in.other);
        CHECK(out.set == in.set);
        CHECK(out.e1 == in.e1);
        CHECK(out.e2 == in.e2);
        CHECK(out.e3 == in.e3);
        CHECK(trace.text(out.text) == kRows[i].text);
    }
    CHECK(kinds.size() == kKinds);
}
