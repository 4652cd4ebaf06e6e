#include "traces/check/checker.h"

#include "testing/catch.h"
#include "traces/replay/natural_order.h"
#include "traces/tests/support.h"
#include "traces/words/names.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

namespace {

constexpr const char* kMain = R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")";
constexpr const char* kPing = R"("t":0,"m":0,"ev":"spawn","co":1,"parent":0,"kind":"task","name":"ping")";
constexpr const char* kPong = R"("t":0,"m":0,"ev":"spawn","co":2,"parent":0,"kind":"task","name":"pong")";
constexpr const char* kReady = R"("t":0,"m":0,"ev":"set","set":"ready","role":"ready","structure":"queue")";
constexpr const char* kPingReady = R"("t":1,"m":0,"ev":"state","co":1,"from":"new","to":"ready","cause":"spawned")";
constexpr const char* kInsertPing = R"("t":1,"m":0,"ev":"insert","set":"ready","co":1)";
constexpr const char* kToPing = R"("t":2,"m":0,"ev":"switch","from":0,"to":1,"why":"start","left":"normal")";
constexpr const char* kToPing3 = R"("t":4,"m":0,"ev":"switch","from":0,"to":1,"why":"start","left":"normal")";
constexpr const char* kNote = R"("t":9,"m":0,"ev":"note","text":"after")";

/// English words in a Chinese sentence, except names of coroutines and sets, which may occur in both.
bool is_all_chinese(const std::string& why) {
    const std::string chinese = fiberscope::formatted(why, fiberscope::Language::chinese);
    for (const char* word : {" is ", " the ", "the ", " but ", " has ", " and ", " are ", " it ", "timer "})
        if (chinese.find(word) != std::string::npos) return false;
    return chinese != fiberscope::english_of(why);
}

/// The second to last event of `events` must be the first broken one; all before it must be valid.
void breaks(int invariant, const std::vector<std::string>& events, const std::string& why) {
    std::vector<std::string> all = events;
    all.push_back(kNote);
    const auto broken = check(read_events(all));
    INFO(events.back());
    REQUIRE(broken);
    INFO(fiberscope::english_of(broken->why));
    CHECK(broken->invariant == invariant);
    CHECK(broken->event == events.size() - 1);
    CHECK(broken->line == events.size() + 3);
    CHECK(fiberscope::english_of(broken->why).find(why) != std::string::npos);
    INFO(fiberscope::formatted(broken->why, fiberscope::Language::chinese));
    CHECK(is_all_chinese(broken->why));
}

void holds(const std::vector<std::string>& events) {
    const auto broken = check(read_events(events));
    if (broken) FAIL("event " << broken->event << " breaks " << broken->invariant << ": " << broken->why);
}

}  // namespace

TEST_CASE("names of coroutines stay as they are in another language, those of sets are as in the viewer") {
    const auto chinese = [](const std::vector<std::string>& events) {
        return fiberscope::formatted(check(read_events(events))->why, fiberscope::Language::chinese);
    };
    CHECK(chinese({kMain, R"("t":0,"m":0,"ev":"set","set":"timers","role":"timer","structure":"heap")",
                   R"("t":1,"m":0,"ev":"remove","set":"timers","timer":2)"}) ==
          "定时器 2 从定时器集合中移出，但它不在里面");
    CHECK(chinese({kMain, R"("t":0,"m":0,"ev":"spawn","co":1,"parent":0,"kind":"task","name":"dead")", kToPing,
                   R"("t":3,"m":0,"ev":"switch","from":1,"to":0,"why":"exit","left":"ready")"}) ==
          "dead 退出，状态却是就绪");
}

TEST_CASE("traces of programs that keep every invariant are found sound") {
    holds({});
    holds({kMain, kPing, kToPing, R"("t":3,"m":0,"ev":"switch","from":1,"to":0,"why":"exit","left":"dead")"});
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        const Trace trace = read_text(scheduler_trace({.seed = seed, .events = 3000, .coroutines = 5 + seed * 4}));
        const auto broken = check(trace);
        if (broken)
            FAIL("seed " << seed << ", event " << broken->event << " breaks " << broken->invariant << ": "
                         << broken->why);
    }
    CHECK_FALSE(check(read_text(mixed_trace({.seed = 1, .events = 5000, .coroutines = 100}))));
    CHECK_FALSE(check(read_text(large_queue_trace(5000, 300))));
}

TEST_CASE("random events end in a verdict") {
    for (std::uint32_t seed = 1; seed <= 50; ++seed)
        CHECK(check(read_text(random_trace({.seed = seed, .events = 300, .coroutines = 5}))));
}

TEST_CASE("invariant 1: spawns and declarations come first, and steps are legal") {
    breaks(1, {kMain, R"("t":1,"m":0,"ev":"switch","from":0,"to":1,"why":"start","left":"normal")"},
           "coroutine 1 is named");
    breaks(1, {kMain, R"("t":1,"m":0,"ev":"note","text":"-","co":3)"}, "coroutine 3 is named");
    breaks(1, {kMain, R"("t":0,"m":0,"ev":"spawn","co":1,"parent":7,"kind":"task","name":"x")"}, "coroutine 7");
    breaks(1, {kMain, kPing, kPing}, "a second time");
    breaks(1, {kMain, kPing, kInsertPing}, "the set ready is used");
    breaks(1, {kMain, R"("t":1,"m":0,"ev":"hand","set":"wheel","at":1)"}, "the set wheel is used");
    breaks(1, {kMain, kReady, kReady}, "the set ready is declared a second time");
    breaks(1, {kMain, kPing, R"("t":1,"m":0,"ev":"state","co":1,"from":"new","to":"sleeping")"},
           "from new to sleeping");
    breaks(1, {kMain, kPing, R"("t":1,"m":0,"ev":"state","co":1,"from":"ready","to":"dead")"},
           "recorded as ready, but it is new");
    breaks(1,
           {kMain, kPing, kToPing, R"("t":3,"m":0,"ev":"switch","from":1,"to":0,"why":"exit","left":"dead")",
            R"("t":4,"m":0,"ev":"switch","from":0,"to":1,"why":"resume","left":"normal")"},
           "ping goes from dead to running");
    breaks(1,
           {kMain, R"("t":0,"m":0,"ev":"set","set":"s","role":"sleep","structure":"rbtree")",
            R"("t":1,"m":0,"ev":"link","set":"s","node":0,"left":5)"},
           "coroutine 5");
}

TEST_CASE("invariant 2: each machine runs one coroutine") {
    breaks(2, {kMain, kPing, kPong, R"("t":1,"m":0,"ev":"switch","from":1,"to":2,"why":"start","left":"normal")"},
           "machine 0 runs main");
    breaks(2,
           {kMain, R"("t":1,"m":1,"ev":"spawn","co":1,"kind":"thread","name":"second")",
            R"("t":2,"m":1,"ev":"switch","from":1,"to":0,"why":"resume","left":"normal")"},
           "main, which runs on machine 0");
    breaks(2, {kMain, R"("t":1,"m":0,"ev":"spawn","co":1,"kind":"thread","name":"second")"},
           "machine 0 runs main already");
    breaks(2, {kMain, kPing, R"("t":1,"m":0,"ev":"state","co":1,"from":"new","to":"running")"}, "without a switch");
    breaks(2, {kMain, R"("t":1,"m":0,"ev":"state","co":0,"from":"running","to":"ready")"}, "without a switch");
    breaks(2, {kMain, kPing, R"("t":1,"m":0,"ev":"state","co":0,"from":"running","to":"dead")", kToPing},
           "runs no coroutine");
    breaks(2, {kMain, R"("t":1,"m":0,"ev":"switch","from":0,"to":0,"why":"swap","left":"suspended")"},
           "the same coroutine");
}

TEST_CASE("invariant 2: a machine that is in a call runs nothing else") {
    const char* const call = R"("t":3,"m":0,"ev":"machine","op":"call")";
    const char* const back = R"("t":5,"m":0,"ev":"machine","op":"return")";
    const char* const exits = R"("t":6,"m":0,"ev":"switch","from":1,"to":0,"why":"exit","left":"dead")";
    holds({kMain, kPing, kToPing, call, back, exits});
    breaks(2, {kMain, kPing, kToPing, call, exits}, "machine 0 is in a call that blocks it");
    breaks(2, {kMain, kPing, kToPing, call, call}, "machine 0 is in a call that blocks it");
    breaks(2, {kMain, kPing, kToPing, call, R"("t":4,"m":0,"ev":"machine","op":"park")"}, "is in a call");
    breaks(2, {kMain, kPing, kToPing, back}, "machine 0 is back from a call, but was in none");
}

TEST_CASE("invariant 2: a machine that is parked does not switch") {
    const char* const park = R"("t":3,"m":0,"ev":"machine","op":"park","object":"epoll")";
    const char* const unpark = R"("t":5,"m":0,"ev":"machine","op":"unpark")";
    const char* const exits = R"("t":6,"m":0,"ev":"switch","from":1,"to":0,"why":"exit","left":"dead")";
    holds({kMain, kPing, kToPing, park, unpark, exits});
    breaks(2, {kMain, kPing, kToPing, park, exits}, "machine 0 is parked");
}

TEST_CASE("invariant 2: a switch says truly why it is made") {
    const char* back = R"("t":3,"m":0,"ev":"switch","from":1,"to":0,"why":"yield","left":"suspended")";
    const char* resume = R"("t":4,"m":0,"ev":"switch","from":0,"to":1,"why":"resume","left":"normal")";
    holds({kMain, kPing, kToPing, back, resume});
    breaks(2, {kMain, kPing, kToPing, back, kToPing3}, "ping is started, but was entered before");
    breaks(2, {kMain, kPing, resume}, "ping is resumed, but was never started");
    breaks(2, {kMain, kPing, kToPing, R"("t":3,"m":0,"ev":"switch","from":1,"to":0,"why":"exit","left":"suspended")"},
           "ping exits, but is left suspended");
    const char* from_ping = R"("t":3,"m":0,"ev":"switch","from":1,"to":2,"why":"start","left":"normal")";
    breaks(2,
           {kMain, kPing, kPong, kToPing, from_ping,
            R"("t":4,"m":0,"ev":"switch","from":2,"to":0,"why":"yield","left":"suspended")"},
           "pong yields to main, but ping resumed it");
    breaks(2,
           {kMain, kPing, kPong, kToPing, back,
            R"("t":4,"m":0,"ev":"switch","from":0,"to":2,"why":"yield","left":"suspended")"},
           "nothing resumed it");
    const char* swap = R"("t":3,"m":0,"ev":"switch","from":1,"to":2,"why":"swap","left":"suspended")";
    holds({kMain, kPing, kPong, kToPing, swap,
           R"("t":4,"m":0,"ev":"switch","from":2,"to":0,"why":"yield","left":"suspended")"});
    breaks(2,
           {kMain, kPing, kPong, kToPing, swap,
            R"("t":4,"m":0,"ev":"switch","from":2,"to":1,"why":"yield","left":"suspended")"},
           "pong yields to ping, but main resumed it");
}

TEST_CASE("a task may hand over to another one, which goes back to the same loop") {
    const char* over = R"("t":3,"m":0,"ev":"switch","from":1,"to":2,"why":"start","left":"ready")";
    const char* again = R"("t":4,"m":0,"ev":"switch","from":2,"to":1,"why":"swap","left":"sleeping","until":9)";
    const char* insert_pong = R"("t":1,"m":0,"ev":"insert","set":"ready","co":2)";
    const char* insert_running = R"("t":3,"m":0,"ev":"insert","set":"ready","co":1)";
    const char* remove_pong = R"("t":3,"m":0,"ev":"remove","set":"ready","co":2)";
    const char* remove_ping = R"("t":3,"m":0,"ev":"remove","set":"ready","co":1)";
    holds({kMain, kPing, kPong, kReady, insert_pong, kToPing, insert_running, remove_pong, over, remove_ping, again,
           R"("t":5,"m":0,"ev":"switch","from":1,"to":0,"why":"exit","left":"dead")"});
    breaks(2,
           {kMain, kPing, kPong, kToPing, over,
            R"("t":4,"m":0,"ev":"switch","from":2,"to":1,"why":"yield","left":"ready")"},
           "pong yields to ping, but main resumed it");
    breaks(2,
           {kMain, kPing, kPong, kToPing, over,
            R"("t":4,"m":0,"ev":"switch","from":1,"to":0,"why":"yield","left":"ready")"},
           "machine 0 runs pong");
    breaks(4, {kMain, kPing, kPong, kReady, kToPing, over, R"("t":4,"m":0,"ev":"poll","phase":"enter","timeout":0)"},
           "ping is ready, but in no set of role ready");
}

TEST_CASE("invariant 3: only items outside a set are inserted, only its members are removed") {
    const char* wait = R"("t":0,"m":0,"ev":"set","set":"wait","role":"wait","structure":"map")";
    const char* in = R"("t":1,"m":0,"ev":"insert","set":"wait","co":1,"key":"fd 7")";
    const char* other = R"("t":1,"m":0,"ev":"insert","set":"wait","co":1,"key":"fd 8")";
    holds({kMain, kPing, wait, in, other, R"("t":1,"m":0,"ev":"remove","set":"wait","co":1,"key":"fd 7")", in});
    breaks(3, {kMain, kPing, wait, in, in}, "ping is inserted into wait, where it is already under fd 7");
    breaks(3, {kMain, kPing, wait, in, R"("t":2,"m":0,"ev":"remove","set":"wait","co":1,"key":"fd 9")"},
           "ping is removed from wait");
    breaks(3, {kMain, kPing, wait, in, R"("t":2,"m":0,"ev":"remove","set":"wait","timer":1,"key":"fd 7")"},
           "timer 1 is removed");
}

TEST_CASE("invariant 4: the ready are in one set, the dead in none") {
    const char* second = R"("t":0,"m":0,"ev":"set","set":"ready 2","role":"ready","structure":"queue")";
    breaks(
        4,
        {kMain, kPing, kReady, second, kPingReady, kInsertPing, R"("t":1,"m":0,"ev":"insert","set":"ready 2","co":1)"},
        "in two sets of role ready");
    const char* poll = R"("t":5,"m":0,"ev":"poll","phase":"enter","timeout":0)";
    breaks(4, {kMain, kPing, kReady, kPingReady, poll},
           "ping is ready, but in no set of role ready when machine 0 polls");
    breaks(4, {kMain, kPing, kReady, kPingReady, R"("t":5,"m":0,"ev":"machine","op":"park")"}, "when machine 0 parks");
    holds({kMain, kPing, kReady, kPingReady, kInsertPing, poll});
    holds({kMain, kPing, kPingReady, poll});  // a program without a ready queue
    breaks(4,
           {kMain, kPing, kReady, kInsertPing, kToPing,
            R"("t":3,"m":0,"ev":"switch","from":1,"to":0,"why":"exit","left":"dead")"},
           "ping is dead, but is still in the set ready");
    const char* dies = R"("t":1,"m":0,"ev":"state","co":1,"from":"new","to":"dead","cause":"cancel")";
    breaks(4, {kMain, kPing, kReady, dies, kInsertPing}, "ping is dead, but enters the set ready");
    holds({kMain, kPing, R"("t":0,"m":0,"ev":"set","set":"removed","role":"removed","structure":"queue")", dies,
           R"("t":1,"m":0,"ev":"insert","set":"removed","co":1)"});
    // A value stays in a channel's buffer after the coroutine that sent it has ended.
    const char* stored = R"("t":0,"m":0,"ev":"insert","set":"values","co":1,"key":"value 1")";
    holds({kMain, kPing, R"("t":0,"m":0,"ev":"set","set":"values","role":"buffer","structure":"queue")", stored, dies,
           R"("t":1,"m":0,"ev":"remove","set":"values","co":1,"key":"value 1")"});
    breaks(
        4,
        {kMain, kPing, R"("t":0,"m":0,"ev":"set","set":"values","role":"channel","structure":"queue")", stored, dies},
        "ping is dead, but is still in the set values");
}

TEST_CASE("invariant 4 at the end of the trace, unless the trace was cut") {
    const std::string text = events_document({kMain, kPing, kReady, kPingReady});
    const auto broken = check(read_text(text));
    REQUIRE(broken);
    CHECK(broken->invariant == 4);
    CHECK(broken->event == 3);
    CHECK(fiberscope::english_of(broken->why).find("ping is ready at the end of the trace") != std::string::npos);
    CHECK_FALSE(check(read_text(text.substr(0, text.find("],")))));
}

TEST_CASE("invariant 5: no deadline wakes a coroutine before it") {
    const char* sleeps = R"("t":3,"m":0,"ev":"switch","from":1,"to":0,"why":"yield","left":"sleeping","until":8)";
    const auto woken = [](const char* t, const char* cause) {
        return "\"t\":" + std::string(t) + R"(,"m":0,"ev":"state","co":1,"from":"sleeping","to":"ready","cause":")" +
               cause + "\"";
    };
    breaks(5, {kMain, kPing, kToPing, sleeps, woken("7", "deadline")}, "ping is woken by its deadline 1 ns before it");
    holds({kMain, kPing, kToPing, sleeps, woken("8", "deadline")});
    holds({kMain, kPing, kToPing, sleeps, woken("4", "cancel")});
}

TEST_CASE("invariant 5: a sleeper has a deadline that has not passed") {
    breaks(5, {kMain, kPing, kToPing, R"("t":3,"m":0,"ev":"switch","from":1,"to":0,"why":"yield","left":"sleeping")"},
           "ping sleeps, but has no deadline");
    breaks(5,
           {kMain, kPing, kToPing,
            R"("t":3,"m":0,"ev":"switch","from":1,"to":0,"why":"yield","left":"waiting","until":1)"},
           "until 1 ns, which has passed");
    // Time passes between the choice of a deadline and the switch.
    holds({kMain, kPing, kToPing,
           R"("t":3,"m":0,"ev":"switch","from":1,"to":0,"why":"yield","left":"sleeping","until":2)"});
}

TEST_CASE("invariant 5: timers fire when they are set and due") {
    const char* add = R"("t":1,"m":0,"ev":"timer","timer":0,"op":"add","deadline":10)";
    const char* early = R"("t":9,"m":0,"ev":"timer","timer":0,"op":"fire")";
    const char* due = R"("t":10,"m":0,"ev":"timer","timer":0,"op":"fire")";
    const char* cancel = R"("t":5,"m":0,"ev":"timer","timer":0,"op":"cancel")";
    const char* later = R"("t":5,"m":0,"ev":"timer","timer":0,"op":"refresh","deadline":12)";
    const char* every = R"("t":1,"m":0,"ev":"timer","timer":0,"op":"add","deadline":10,"period":5)";
    holds({kMain, add, due});
    holds({kMain, add, due, R"("t":11,"m":0,"ev":"timer","timer":0,"op":"refresh","deadline":12)"});
    holds({kMain, every, due, R"("t":15,"m":0,"ev":"timer","timer":0,"op":"fire")"});
    breaks(5, {kMain, due}, "timer 0 fires, but was never added");
    breaks(5, {kMain, cancel}, "timer 0 is cancelled, but was never added");
    breaks(5, {kMain, add, early}, "timer 0 fires 1 ns before its deadline");
    breaks(5, {kMain, add, later, due}, "timer 0 fires 2 ns before its deadline");
    breaks(5, {kMain, add, cancel, due}, "timer 0 fires, but is not set any more");
    breaks(5, {kMain, add, due, due}, "timer 0 fires, but is not set any more");
    breaks(5, {kMain, every, due, R"("t":14,"m":0,"ev":"timer","timer":0,"op":"fire")"}, "1 ns before");
    const char* wheel = R"("t":0,"m":0,"ev":"set","set":"w","role":"timer","structure":"wheel","slots":8)";
    holds({kMain, wheel, add, R"("t":1,"m":0,"ev":"insert","set":"w","timer":0,"key":"8 ns")", early});
    breaks(5, {kMain, wheel, add, R"("t":1,"m":0,"ev":"insert","set":"w","timer":0,"key":"12 ns")", early},
           "1 ns before");
}

TEST_CASE("invariant 6: a mutex, or a lock for writing, has one holder") {
    const char* take = R"("t":1,"m":0,"ev":"lock","co":0,"object":"l","op":"acquire","mode":"mutex")";
    const char* give = R"("t":1,"m":0,"ev":"lock","co":0,"object":"l","op":"release","mode":"mutex")";
    const char* ping_takes = R"("t":1,"m":0,"ev":"lock","co":1,"object":"l","op":"acquire","mode":"mutex")";
    const char* main_reads = R"("t":1,"m":0,"ev":"lock","co":0,"object":"l","op":"acquire","mode":"read")";
    const char* ping_reads = R"("t":1,"m":0,"ev":"lock","co":1,"object":"l","op":"acquire","mode":"read")";
    const char* ping_writes = R"("t":1,"m":0,"ev":"lock","co":1,"object":"l","op":"acquire","mode":"write")";
    holds({kMain, kPing, take, give, ping_takes});
    holds({kMain, kPing, main_reads, ping_reads});
    breaks(6, {kMain, kPing, take, ping_takes}, "ping takes l, which main holds alone");
    breaks(6, {kMain, kPing, take, take}, "main takes l, which it holds already");
    breaks(6, {kMain, kPing, give}, "main releases l, which it does not hold");
    breaks(6, {kMain, kPing, ping_takes, give}, "main releases l, which it does not hold");
    holds({kMain, main_reads, main_reads});
    breaks(6, {kMain, kPing, main_reads, ping_writes}, "ping takes l alone, while main holds it");
    breaks(6, {kMain, kPing, ping_writes, main_reads}, "main takes l, which ping holds alone");
}

TEST_CASE("invariant 6: a waiter is queued once, until it has the lock, is signalled or gives up") {
    const auto step = [](const char* co, const char* op, const char* mode) {
        return R"("t":1,"m":0,"ev":"lock","object":"l","co":)" + std::string(co) + R"(,"op":")" + op + R"(","mode":")" +
               mode + "\"";
    };
    const std::string blocks = step("1", "block", "mutex"), gives_up = step("1", "timeout", "mutex"),
                      takes = step("1", "acquire", "mutex"), waits = step("1", "wait", "cond"),
                      signal = step("0", "signal", "cond"), broadcast = step("0", "broadcast", "cond"),
                      signalled = step("1", "acquire", "cond");
    const char* dies = R"("t":1,"m":0,"ev":"state","co":1,"from":"new","to":"dead","cause":"cancel")";
    const char* dies_from_ready = R"("t":1,"m":0,"ev":"state","co":1,"from":"ready","to":"dead","cause":"cancel")";
    holds({kMain, kPing, blocks, gives_up, blocks, takes, dies});
    holds({kMain, kPing, signal, waits, signal, waits, broadcast, dies});
    holds({kMain, kPing, waits, kPingReady, signalled, dies_from_ready});
    holds({kMain, kPing, blocks, waits});  // a condition and a lock of the same name
    breaks(6, {kMain, kPing, blocks, blocks}, "ping waits for l already");
    breaks(6, {kMain, kPing, waits, waits}, "ping waits for l already");
    breaks(6, {kMain, kPing, gives_up}, "ping gives up waiting for l, but does not wait for it");
    breaks(6, {kMain, kPing, signalled}, "ping takes a signal of l, but does not wait for it");
    breaks(6, {kMain, kPing, waits, dies}, "ping is dead, but is still queued");
    breaks(6, {kMain, kPing, waits, kPingReady, signal}, "ping is first in the queue of l, but has already been woken");
}

TEST_CASE("invariant 7: copies come back whole, and only the owner runs on a shared stack") {
    const char* shared = R"("t":0,"m":0,"ev":"spawn","co":1,"kind":"task","name":"ping","backend":"shared")";
    const char* own = R"("t":1,"m":0,"ev":"own","stack":0,"co":1)";
    const char* out = R"("t":3,"m":0,"ev":"copy","co":1,"dir":"out","bytes":300,"stack":0)";
    const char* in = R"("t":3,"m":0,"ev":"copy","co":1,"dir":"in","bytes":300,"stack":0)";
    holds({kMain, shared, own, kToPing, out, in, out});
    breaks(7, {kMain, shared, own, kToPing, in}, "was not copied out before");
    breaks(7, {kMain, shared, own, kToPing, out, in, in}, "was not copied out before");
    breaks(7, {kMain, shared, own, kToPing, out, R"("t":3,"m":0,"ev":"copy","co":1,"dir":"in","bytes":299,"stack":0)"},
           "299 bytes of ping are copied in, but 300");
    breaks(7, {kMain, shared, kToPing}, "whose bytes are on no shared stack");
    breaks(7, {kMain, shared, kPong, own, R"("t":1,"m":0,"ev":"own","stack":0,"co":2)", kToPing},
           "whose bytes are on no shared stack");
}

TEST_CASE("invariant 9: time never runs backwards on a machine") {
    breaks(9, {kMain, R"("t":9,"m":0,"ev":"note","text":"-")", R"("t":8,"m":0,"ev":"note","text":"-")"},
           "machine 0 was at 9 ns already");
}

TEST_CASE("invariant 10: an event wakes in the poll that returned it, or right after it") {
    const char* waits = R"("t":4,"m":0,"ev":"switch","from":1,"to":0,"why":"yield","left":"waiting")";
    const char* enter = R"("t":4,"m":0,"ev":"poll","phase":"enter","timeout":0)";
    const char* found = R"("t":4,"m":0,"ev":"poll","phase":"leave","ready":1)";
    const char* nothing = R"("t":4,"m":0,"ev":"poll","phase":"leave","ready":0)";
    const char* woken = R"("t":4,"m":0,"ev":"state","co":1,"from":"waiting","to":"ready","cause":"event")";
    const char* signalled = R"("t":4,"m":0,"ev":"state","co":1,"from":"waiting","to":"ready","cause":"signal")";
    const char* to_pong = R"("t":4,"m":0,"ev":"switch","from":0,"to":2,"why":"start","left":"normal")";
    const std::string says = "ping is woken by an event, but machine 0 has not polled for it";
    holds({kMain, kPing, kToPing, waits, enter, woken, found});
    holds({kMain, kPing, kToPing, waits, enter, found, woken});
    holds({kMain, kPing, kToPing, waits, signalled, enter, nothing});
    holds({kMain, kPing, kToPing, waits, woken});  // a program that records no polls
    breaks(10, {kMain, kPing, kToPing, enter, nothing, waits, woken}, says);
    breaks(10, {kMain, kPing, kToPing, waits, enter, nothing, woken}, says);
    breaks(10, {kMain, kPing, kPong, kToPing, waits, enter, found, to_pong, woken}, says);
    const auto too_late = check(read_events({kMain, kPing, kToPing, waits, woken, enter, found}));
    REQUIRE(too_late);
    CHECK(too_late->invariant == 10);
    CHECK(too_late->event == 4);
}

TEST_CASE("every invariant can be said in words") {
    for (int i = 1; i <= kInvariants; ++i) CHECK(invariant_in_words(i).size() > 20);
    CHECK(invariant_in_words(0) == "no such invariant");
    CHECK(invariant_in_words(9, fiberscope::Language::chinese) == "每台机器上的时间从不倒退");
}

TEST_CASE("keys are ordered as people read them") {
    const char* ascending[] = {"-12 ns",  "-3 ns", "",     "0 ns",     "3 ns",      "12 ns", "12.05 ns",
                               "12.5 ns", "13 ns", "fd 7", "fd 7, 20", "fd 7, 100", "fd 10", "fe"};
    for (std::size_t i = 0; i < std::size(ascending); ++i)
        for (std::size_t j = 0; j < std::size(ascending); ++j) {
            INFO(ascending[i] << " | " << ascending[j]);
            const int order = compare_naturally(ascending[i], ascending[j]);
            CHECK((order < 0) == (i < j));
            CHECK((order > 0) == (i > j));
        }
    CHECK(compare_naturally("007", "7") == 0);
}
