#include "traces/replay/replay.h"

#include "testing/catch.h"
#include "traces/tests/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

namespace {

std::string members(const SetNow& set) {
    std::string text;
    for (const Member& m : set.members)
        text += (text.empty() ? "" : " ") + (m.co != kNone ? std::to_string(m.co) : "t" + std::to_string(m.timer));
    return text;
}

using Numbers = std::vector<std::uint32_t>;

// main resumes A, A resumes B, B yields to A, A sleeps, main resumes B, which ends.
const Trace& nested() {
    static const Trace trace = read_events({
        R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")",
        R"("t":0,"m":0,"ev":"spawn","co":1,"parent":0,"kind":"task","name":"A")",
        R"("t":0,"m":0,"ev":"spawn","co":2,"parent":0,"kind":"idle","name":"B")",
        R"("t":10,"m":0,"ev":"switch","from":0,"to":1,"why":"start","left":"normal","saved":{"rsp":"top-0x10"},)"
        R"("loaded":{"rsp":"top-0x8"})",
        R"("t":20,"m":0,"ev":"switch","from":1,"to":2,"why":"start","left":"normal","saved":{"rsp":"top-0x20"})",
        R"("t":30,"m":0,"ev":"switch","from":2,"to":1,"why":"yield","left":"suspended","reason":"done for now")",
        R"("t":40,"m":0,"ev":"switch","from":1,"to":0,"why":"yield","left":"sleeping","until":500)",
        R"("t":50,"m":0,"ev":"switch","from":0,"to":2,"why":"resume","left":"normal")",
        R"("t":60,"m":0,"ev":"switch","from":2,"to":0,"why":"exit","left":"dead")",
        R"("t":70,"m":0,"ev":"state","co":0,"from":"running","to":"dead")",
    });
    return trace;
}

}  // namespace

TEST_CASE("states, the running coroutine and the caller stack follow the switches") {
    Replay replay(nested());
    replay.seek(1);
    CHECK(replay.coroutine(0).state == State::running);
    CHECK(replay.coroutine(0).machine == 0);
    CHECK(replay.running(0) == 0);
    CHECK_FALSE(replay.coroutine(1).exists);
    replay.seek(3);
    CHECK(replay.coroutine(1).state == State::new_);
    CHECK(replay.coroutine(1).parent == 0);
    CHECK(replay.coroutine(2).kind == CoKind::idle);
    CHECK(replay.coroutine(1).machine == kNone);
    replay.seek(5);
    CHECK(replay.time() == 20);
    CHECK(replay.coroutine(0).state == State::normal);
    CHECK(replay.coroutine(1).state == State::normal);
    CHECK(replay.coroutine(2).state == State::running);
    CHECK(replay.caller_stack(0) == Numbers{2, 1, 0});
    CHECK(replay.coroutine(2).caller == 1);
    CHECK(replay.coroutine(1).since == 20);
    REQUIRE(replay.forward());
    CHECK(replay.caller_stack(0) == Numbers{1, 0});
    CHECK(replay.coroutine(2).caller == kNone);
    CHECK(replay.trace().text(replay.coroutine(2).reason) == "done for now");
    CHECK(replay.coroutine(1).switches_in == 2);
    CHECK(replay.coroutine(2).last_event == 5);
    CHECK(replay.coroutine(2).last_switch == 5);
    REQUIRE(replay.forward());
    CHECK(replay.coroutine(1).state == State::sleeping);
    CHECK(replay.coroutine(1).until == 500);
    CHECK(replay.caller_stack(0) == Numbers{0});
    replay.seek(99);
    CHECK(replay.at() == 10);
    CHECK(replay.coroutine(2).state == State::dead);
    CHECK(replay.coroutine(0).state == State::dead);
    CHECK(replay.running(0) == kNone);  // ended without a switch
    CHECK_FALSE(replay.forward());
    replay.seek(0);
    CHECK_FALSE(replay.backward());
    CHECK_FALSE(replay.coroutine(0).exists);
}

TEST_CASE("registers are those saved by the last switch away") {
    Replay replay(nested());
    const auto rsp = [&](std::uint32_t co) {
        const auto registers = replay.registers(co);
        return registers.empty() ? "" : std::string(replay.trace().text(registers[0].value).bytes());
    };
    replay.seek(3);
    CHECK(rsp(0).empty());
    replay.seek(4);
    CHECK(rsp(0) == "top-0x10");
    CHECK(rsp(1).empty());
    replay.seek(5);
    CHECK(rsp(1) == "top-0x20");
    replay.seek(7);
    CHECK(rsp(1).empty());  // its last switch recorded none
}

TEST_CASE("a symmetric switch takes the place on the caller stack, or unwinds to it") {
    const Trace trace = read_events({
        R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")",
        R"("t":0,"m":0,"ev":"spawn","co":1,"kind":"task","name":"A")",
        R"("t":0,"m":0,"ev":"spawn","co":2,"kind":"task","name":"B")",
        R"("t":1,"m":0,"ev":"switch","from":0,"to":1,"why":"start","left":"normal")",
        R"("t":2,"m":0,"ev":"switch","from":1,"to":2,"why":"swap","left":"suspended")",
        R"("t":3,"m":0,"ev":"switch","from":2,"to":1,"why":"resume","left":"normal")",
        R"("t":4,"m":0,"ev":"switch","from":1,"to":0,"why":"jump","left":"dead")",
        R"("t":5,"m":0,"ev":"switch","from":0,"to":2,"why":"start","left":"suspended")",
    });
    Replay replay(trace);
    replay.seek(5);
    CHECK(replay.caller_stack(0) == Numbers{2, 0});
    replay.seek(6);
    CHECK(replay.caller_stack(0) == Numbers{1, 2, 0});
    replay.seek(7);
    CHECK(replay.caller_stack(0) == Numbers{0});
    CHECK(replay.coroutine(2).caller == kNone);
    replay.seek(8);
    CHECK(replay.caller_stack(0) == Numbers{2});
}

TEST_CASE("a wheel has its slots and its hand, and a member the time since which it is in its slot") {
    const Trace trace = read_events({
        R"("t":0,"m":0,"ev":"set","set":"w","role":"timer","structure":"wheel","slots":256)",
        R"("t":1,"m":0,"ev":"insert","set":"w","timer":1,"at":7)",
        R"("t":1,"m":0,"ev":"hand","set":"w","at":5)",
        R"("t":1,"m":0,"ev":"move","set":"w","timer":1,"at":9)",
    });
    Replay replay(trace);
    replay.seek(2);
    CHECK(replay.sets()[0].slots == 256);
    CHECK(replay.sets()[0].hand == kAbsent);
    CHECK(replay.sets()[0].members[0].placed == 1);
    replay.seek(4);
    CHECK(replay.sets()[0].hand == 5);
    CHECK(replay.sets()[0].members[0].at == 9);
    CHECK(replay.sets()[0].members[0].inserted == 1);
    CHECK(replay.sets()[0].members[0].placed == 3);
}

TEST_CASE("the nodes of a tree of timers are not coroutines") {
    const Trace trace = read_events({
        R"("t":0,"m":0,"ev":"link","set":"timers","node":9,"left":12)",
        R"("t":0,"m":0,"ev":"link","set":"sleepers","node":1,"parent":2)",
        R"("t":0,"m":0,"ev":"set","set":"timers","role":"timer","structure":"rbtree")",
        R"("t":0,"m":0,"ev":"set","set":"sleepers","role":"sleep","structure":"rbtree")",
    });
    CHECK(trace.coroutines() == 3);
    CHECK(trace.timers() == 13);
}

TEST_CASE("a tree's links are replayed, and its members are in key order") {
    const Trace trace = read_events({
        R"("t":0,"m":0,"ev":"set","set":"sleepers","role":"sleep","structure":"rbtree")",
        R"("t":1,"m":0,"ev":"link","set":"sleepers","node":4,"left":null,"right":null,"parent":null,"color":"black")",
        R"("t":1,"m":0,"ev":"link","set":"sleepers","root":4)",
        R"("t":1,"m":0,"ev":"insert","set":"sleepers","co":4,"key":"40 ns")",
        R"("t":2,"m":0,"ev":"link","set":"sleepers","node":2,"left":null,"right":null,"parent":4,"color":"red")",
        R"("t":2,"m":0,"ev":"link","set":"sleepers","node":4,"left":2)",
        R"("t":2,"m":0,"ev":"insert","set":"sleepers","co":2,"key":"20 ns")",
        R"("t":3,"m":0,"ev":"link","set":"sleepers","node":4,"left":null)",
        R"("t":3,"m":0,"ev":"remove","set":"sleepers","co":2,"key":"20 ns")",
    });
    Replay replay(trace);
    replay.seek(7);
    const SetNow& set = replay.sets()[0];
    CHECK(set.root == 4);
    CHECK(members(set) == "2 4");
    REQUIRE(set.nodes.size() == 2);
    CHECK(set.nodes[0].id == 2);
    CHECK(set.nodes[0].parent == 4);
    CHECK(set.nodes[0].color == Color::red);
    CHECK(set.nodes[1].left == 2);
    replay.seek(6);  // linked, but not yet a member
    CHECK(members(replay.sets()[0]) == "4");
    CHECK(replay.sets()[0].nodes.size() == 2);
    replay.seek(8);
    CHECK(replay.sets()[0].before.id == 4);
    CHECK(replay.sets()[0].before.left == 2);
    replay.seek(9);
    CHECK(replay.sets()[0].before.id == kNone);
    CHECK(members(replay.sets()[0]) == "4");
    CHECK(replay.sets()[0].nodes.size() == 1);
}

TEST_CASE("images and totals of shared stacks are replayed") {
    const Trace trace = read_events({
        R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")",
        R"("t":0,"m":0,"ev":"spawn","co":1,"kind":"task","name":"A","backend":"shared")",
        R"("t":1,"m":0,"ev":"own","stack":2,"co":1)",
        R"("t":2,"m":0,"ev":"copy","co":1,"dir":"out","bytes":3000000000,"capacity":4294967296,"stack":2)",
        R"("t":2,"m":0,"ev":"own","stack":2,"co":null)",
        R"("t":3,"m":0,"ev":"copy","co":1,"dir":"in","bytes":3000000000,"capacity":4294967296,"stack":2)",
        R"("t":4,"m":0,"ev":"copy","co":1,"dir":"out","bytes":3000000001,"capacity":4294967296,"stack":2)",
        R"("t":5,"m":0,"ev":"state","co":1,"from":"new","to":"dead")",
    });
    Replay replay(trace);
    CHECK(replay.coroutine(1).stack == kNone);
    replay.seek(3);
    CHECK(replay.coroutine(1).stack == 2);
    CHECK(replay.coroutine(1).owns);
    CHECK(replay.coroutine(1).copied == kAbsent);
    replay.seek(5);
    CHECK_FALSE(replay.coroutine(1).owns);
    CHECK(replay.coroutine(1).saved);
    CHECK(replay.coroutine(1).copied == 3000000000);
    CHECK(replay.coroutine(1).capacity == 4294967296);
    replay.seek(6);
    CHECK_FALSE(replay.coroutine(1).saved);
    CHECK(replay.coroutine(1).capacity == 4294967296);
    replay.seek(7);
    CHECK(replay.shared_stack(2).bytes_out == 6000000001);
    CHECK(replay.shared_stack(2).copies_out == 2);
    CHECK(replay.shared_stack(2).bytes_in == 3000000000);
    CHECK(replay.shared_stack(2).copies_in == 1);
    replay.seek(8);
    CHECK(replay.coroutine(1).last_copy == kNone);
    CHECK(replay.coroutine(1).capacity == kAbsent);
    CHECK(replay.shared_stack(2).bytes_out == 6000000001);
    CHECK(replay.shared_stack(7).copies_out == 0);
    replay.seek(3);
    CHECK(replay.shared_stack(2).bytes_out == 0);
    CHECK(replay.shared_stack(2).copies_out == 0);
}

TEST_CASE("stretches cover the whole life of a coroutine, whatever the playhead") {
    Replay replay(nested());
    const auto a = replay.stretches(1);
    REQUIRE(a.size() == 5);
    const State states[] = {State::new_, State::running, State::normal, State::running, State::sleeping};
    const std::uint64_t from[] = {0, 10, 20, 30, 40};
    for (std::size_t i = 0; i < 5; ++i) {
        CHECK(a[i].state == states[i]);
        CHECK(a[i].from == from[i]);
        CHECK(a[i].to == (i < 4 ? from[i + 1] : 70));
        CHECK(a[i].machine == (a[i].state == State::running ? 0 : kNone));
    }
    CHECK(a[1].event == 3);
    CHECK(replay.stretches(77).empty());
}

TEST_CASE("a set belongs to the machine that it was assigned to, forward and back") {
    const Trace trace =
        read_events({R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")",
                     R"("t":1,"m":0,"ev":"set","set":"P 0","role":"ready","structure":"queue","owner":0)",
                     R"("t":1,"m":0,"ev":"set","set":"P 1","role":"ready","structure":"queue","owner":1)",
                     R"("t":2,"m":0,"ev":"machine","op":"give","victim":0,"to":2)",
                     R"("t":3,"m":0,"ev":"machine","op":"give","victim":0,"to":3)",
                     R"("t":4,"m":0,"ev":"machine","op":"give","victim":2,"to":0)"});
    Replay replay(trace);
    const auto owners = [&](std::size_t at) {
        replay.seek(at);
        return std::pair(replay.sets()[0].owner, replay.sets()[1].owner);
    };
    CHECK(owners(3) == std::pair<std::int64_t, std::int64_t>(0, 1));
    CHECK(owners(4) == std::pair<std::int64_t, std::int64_t>(2, 1));
    CHECK(owners(5) == std::pair<std::int64_t, std::int64_t>(2, 1));
    CHECK(owners(6) == std::pair<std::int64_t, std::int64_t>(0, 1));
    CHECK(owners(4) == std::pair<std::int64_t, std::int64_t>(2, 1));
}
