
#include "traces/words/words.h"
#include "traces/words/chosen.h"

#include "testing/catch.h"
#include "traces/tests/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

TEST_CASE("durations have three digits and a fitting unit") {
    const std::pair<std::uint64_t, const char*> rows[] = {
        {0, "0 ns"},           {1, "1 ns"},           {850, "850 ns"},           {999, "999 ns"},
        {1000, "1 µs"},        {1250, "1.25 µs"},     {1254, "1.25 µs"},         {1255, "1.26 µs"},
        {9999, "10 µs"},       {12345, "12.3 µs"},    {99950, "100 µs"},         {123456, "123 µs"},
        {999499, "999 µs"},    {999500, "1 ms"},      {3040000, "3.04 ms"},      {1200000, "1.2 ms"},
        {1500000000, "1.5 s"}, {61000000000, "61 s"}, {1234000000000, "1234 s"},
    };
    for (const auto& [ns, words] : rows) CHECK(in_words(ns) == words);
}

namespace {

/// The sentence for an event at 1 ns, given its kind, in quotes, and its fields.
std::string told(const std::string& kind_and_fields) {
    const std::string event = R"("t":1,"m":0,"ev":)" + kind_and_fields;
    const Trace trace =
        read_events({R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")",
                     R"("t":0,"m":0,"ev":"spawn","co":1,"kind":"task","name":"ping")",
                     R"("t":0,"m":0,"ev":"set","set":"ready","role":"ready","structure":"queue")", event});
    return describe(trace, 3);
}

}  // namespace

TEST_CASE("other events have full sentences") {
    constexpr std::pair<const char*, const char*> kRows[] = {
        {R"("state","co":1,"from":"new","to":"ready","cause":"spawned")",
         "ping becomes ready (was new): it has just been created"},
        {R"("state","co":1,"from":"running","to":"dead","error":"out of range")",
         "ping ends with an exception: out of range"},
        {R"("insert","set":"ready","co":1,"at":2)", "ping enters ready at 2"},
        {R"("remove","set":"ready","timer":4,"key":"5 ns")", "timer 4 leaves ready, where it was under 5 ns"},
        {R"("insert","set":"ready","co":1,"key":"45000000 ns")", "ping enters ready under 45 ms"},
        {R"("insert","set":"ready","co":1,"key":"45000001 ns")", "ping enters ready under 45.000001 ms"},
        {R"("insert","set":"ready","co":1,"key":"7 writable")", "ping enters ready under 7 writable"},
        {R"("io","co":1,"fd":7,"op":"read","phase":"error","errno":104)",
         "read on fd 7 of ping fails: Connection reset by peer"},
        {R"("link","set":"ready","node":1,"left":null,"color":"red")",
         "in ready: left of ping is now nothing, ping is now red"},
        {R"("access","co":1,"stack":0,"offset":64,"owner":0)",
         "ping uses an address in shared stack 0, offset 64, where main's bytes are"},
        {R"("copy","co":1,"dir":"out","bytes":1072,"capacity":2048,"stack":0)",
         "1,072 bytes of ping are copied out of shared stack 0 into its image (a buffer of 2 KiB)"},
        {R"("copy","co":1,"dir":"in","bytes":1,"stack":2)",
         "1 byte of ping is copied from its image back into shared stack 2"},
        {R"("spawn","co":2,"parent":0,"kind":"task","name":"pong","reuses":1)",
         "main creates pong, reusing the memory of ping"},
    };
    for (const auto& [event, sentence] : kRows) CHECK(told(event) == sentence);
}

TEST_CASE("every state has a sentence for why a coroutine does not run") {
    const Trace trace = read_events({
        R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")",
        R"("t":0,"m":0,"ev":"set","set":"ready","role":"ready","structure":"queue")",
        R"("t":0,"m":0,"ev":"spawn","co":1,"parent":0,"kind":"task","name":"ping")",
        R"("t":10,"m":0,"ev":"switch","from":0,"to":1,"why":"start","left":"normal")",
        R"("t":2010,"m":0,"ev":"switch","from":1,"to":0,"why":"yield","left":"suspended")",
        R"("t":2010,"m":0,"ev":"note","text":"-")",
        R"("t":3010,"m":0,"ev":"switch","from":0,"to":1,"why":"resume","left":"normal")",
        R"("t":4010,"m":0,"ev":"switch","from":1,"to":0,"why":"yield","left":"waiting","until":9010,)"
        R"("reason":"fd {0} to be readable","values":"7")",
        R"("t":5010,"m":0,"ev":"note","text":"-")",
        R"("t":5010,"m":0,"ev":"state","co":1,"from":"waiting","to":"ready","cause":"event")",
        R"("t":5010,"m":0,"ev":"insert","set":"ready","co":1)",
        R"("t":6010,"m":0,"ev":"note","text":"-")",
        R"("t":6010,"m":0,"ev":"switch","from":0,"to":1,"why":"resume","left":"normal")",
        R"("t":7010,"m":0,"ev":"switch","from":1,"to":0,"why":"yield","left":"sleeping","until":9010)",
        R"("t":8010,"m":0,"ev":"note","text":"-")",
        R"("t":9010,"m":0,"ev":"switch","from":0,"to":1,"why":"resume","left":"normal")",
        R"("t":9020,"m":0,"ev":"switch","from":1,"to":0,"why":"exit","left":"dead")",
        R"("t":9120,"m":0,"ev":"note","text":"-")",
    });
    Replay replay(trace);
    const auto why = [&](std::size_t at, std::uint32_t co) {
        replay.seek(at);
        return why_not_running(replay, co);
    };
    CHECK(why(1, 1) == "does not exist yet");
    CHECK(why(3, 1) == "was created just now and has not been entered yet");
    CHECK(why(4, 1) == "is running on machine 0");
    CHECK(why(4, 0) == "resumed ping just now and waits for it");
    CHECK(why(5, 1) == "yielded to main just now");
    CHECK(why(7, 0) == "resumed ping just now and waits for it");
    replay.seek(6);
    CHECK(why(9, 1) == "has waited 1 µs for fd 7 to be readable, 4 µs left");
    CHECK(why(12, 1) == "has been ready for 1 µs and waits for its turn, number 1 of 1 in ready");
    CHECK(why(15, 1) == "has slept for 1 µs, 1 µs left");
    CHECK(why(18, 1) == "is dead: it ended 100 ns ago");
}

TEST_CASE("a lab's own names of states are shown where states are named") {
    const Trace trace = read_text(
        R"({"fiberscope":1,"meta":{"names":{"READY":"new","SUSPEND":"suspended","RUNNING":"running","DEAD":"dead",)"
        R"("TERM":"dead"}},"events":[{"t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main"},)"
        R"({"t":0,"m":0,"ev":"spawn","co":1,"parent":0,"kind":"task","name":"ping"},)"
        R"({"t":1,"m":0,"ev":"switch","from":0,"to":1,"why":"start","left":"normal"},)"
        R"({"t":2,"m":0,"ev":"switch","from":1,"to":0,"why":"yield","left":"suspended"},)"
        R"({"t":3,"m":0,"ev":"state","co":1,"from":"suspended","to":"ready"}],"end":{"events":5,"dropped":0}})");
    CHECK(trace.lab_word(State::new_) == "READY");
    CHECK(trace.lab_word(State::dead) == "DEAD/TERM");
    CHECK(trace.lab_word(State::waiting).empty());
    CHECK(state_name(trace, State::new_, fiberscope::Language::english) == "READY (new)");
    CHECK(state_name(trace, State::running, fiberscope::Language::english) == "RUNNING");
    CHECK(state_name(trace, State::waiting, fiberscope::Language::english) == "waiting");
    CHECK(describe(trace, 3) == "ping yields to main and is suspended (SUSPEND)");
    CHECK(describe(trace, 4) == "ping becomes ready (was SUSPEND)");
}

TEST_CASE("the words of an interpreter's coroutine have its frames, as they are at the playhead") {
    const Trace trace = read_events({
        R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")",
        R"("t":0,"m":0,"ev":"spawn","co":1,"parent":0,"kind":"task","name":"A","backend":"interpreter")",
        R"("t":0,"m":0,"ev":"frame","co":1,"op":"call","frames":"main+0 n=3")",
        R"("t":1,"m":0,"ev":"switch","from":0,"to":1,"why":"start","left":"normal")",
        R"("t":2,"m":0,"ev":"frame","co":1,"op":"call","frames":"visit+0 room=3; main+2 n=3")",
        R"("t":2,"m":0,"ev":"defer","co":1,"op":"push","n":1,"frame":"visit")",
        R"("t":3,"m":0,"ev":"frame","co":1,"op":"return","frames":"main+2 n=3")",
        R"("t":4,"m":0,"ev":"frame","co":1,"op":"return","frames":"none")",
        R"("t":4,"m":0,"ev":"switch","from":1,"to":0,"why":"exit","left":"dead")",
    });
    Replay replay(trace);
    replay.seek(5);
    CHECK(why_not_running(replay, 1) == "is running on machine 0; its frames: visit+0 room=3; main+2 n=3");
    replay.seek(3);
    CHECK(why_not_running(replay, 1) == "was created just now and has not been entered yet; its frames: main+0 n=3");
    replay.seek(9);
    CHECK(why_not_running(replay, 1) == "is dead: it ended just now");
    CHECK(describe(trace, 4) == "A calls visit+0 room=3; main+2 n=3");
    CHECK(describe(trace, 5) == "A defers call 1 until visit returns");
    CHECK(describe(trace, 6) == "A returns to main+2 n=3");
    CHECK(describe(trace, 7) == "the last frame of A returns");
}

TEST_CASE("the sentence of a dead coroutine names the coroutine that reuses its memory, or the pool") {
    const Trace trace = read_events({
        R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")",
        R"("t":0,"m":0,"ev":"set","set":"fibers","role":"pool","structure":"queue")",
        R"("t":0,"m":0,"ev":"spawn","co":1,"parent":0,"kind":"task","name":"A")",
        R"("t":1,"m":0,"ev":"switch","from":0,"to":1,"why":"start","left":"normal")",
        R"("t":2,"m":0,"ev":"switch","from":1,"to":0,"why":"exit","left":"dead")",
        R"("t":2,"m":0,"ev":"insert","set":"fibers","co":1)",
        R"("t":3,"m":0,"ev":"spawn","co":2,"parent":0,"kind":"task","name":"B","reuses":1)",
        R"("t":3,"m":0,"ev":"remove","set":"fibers","co":1)",
    });
    Replay replay(trace);
    replay.seek(5);
    CHECK(why_not_running(replay, 1) == "is dead: it ended just now");
    replay.seek(6);
    CHECK(why_not_running(replay, 1) == "is dead: it waits in fibers to be used again; it ended just now");
    replay.seek(7);
    CHECK(why_not_running(replay, 2) == "has the memory of A; was created just now and has not been entered yet");
    for (const std::size_t at : {std::size_t{7}, std::size_t{8}}) {
        replay.seek(at);
        CHECK(why_not_running(replay, 1) == "is dead: B reuses its memory; it ended 1 ns ago");
    }
}

namespace {

/// main's loop: A and B enter ready, A is taken and sleeps until 250, B is taken; then A straight from its sleep.
Trace decided() {
    return read_events({
        R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")",
        R"("t":0,"m":0,"ev":"set","set":"ready","role":"ready","structure":"queue")",
        R"("t":0,"m":0,"ev":"set","set":"sleeping","role":"sleep","structure":"rbtree")",
        R"("t":0,"m":0,"ev":"spawn","co":1,"parent":0,"kind":"task","name":"A")",
        R"("t":0,"m":0,"ev":"insert","set":"ready","co":1)",
        R"("t":50,"m":0,"ev":"spawn","co":2,"parent":0,"kind":"task","name":"B")",
        R"("t":50,"m":0,"ev":"insert","set":"ready","co":2)",
        R"("t":100,"m":0,"ev":"remove","set":"ready","co":1)",
        R"("t":100,"m":0,"ev":"switch","from":0,"to":1,"why":"start","left":"normal")",
        R"("t":200,"m":0,"ev":"switch","from":1,"to":0,"why":"yield","left":"sleeping","until":250)",
        R"("t":200,"m":0,"ev":"insert","set":"sleeping","co":1,"key":"250 ns")",
        R"("t":200,"m":0,"ev":"remove","set":"ready","co":2)",
        R"("t":200,"m":0,"ev":"switch","from":0,"to":2,"why":"start","left":"normal")",
        R"("t":290,"m":0,"ev":"switch","from":2,"to":0,"why":"exit","left":"dead")",
        R"("t":290,"m":0,"ev":"remove","set":"sleeping","co":1,"key":"250 ns")",
        R"("t":300,"m":0,"ev":"switch","from":0,"to":1,"why":"resume","left":"normal")",
    });
}

std::string why_at(const Trace& trace, std::size_t event) {
    Replay replay(trace);
    replay.seek(event + 1);
    return why_chosen(replay, event);
}

}  // namespace

TEST_CASE("why it was chosen: the head of the queue, since when, and how many follow") {
    const Trace trace = decided();
    CHECK(why_at(trace, 8) == "A was the head of ready, where it waited for 100 ns; 1 follows");
    CHECK(why_at(trace, 12) == "B was the head of ready, where it waited for 150 ns; none follows");
    CHECK(why_at(trace, 15) == "A: its deadline passed 50 ns ago");
}

TEST_CASE("why it was chosen: the followers are counted before another machine takes one") {
    const Trace trace = read_events({
        R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")",
        R"("t":0,"m":0,"ev":"set","set":"ready","role":"ready","structure":"queue")",
        R"("t":0,"m":0,"ev":"spawn","co":1,"parent":0,"kind":"task","name":"A")",
        R"("t":0,"m":0,"ev":"spawn","co":2,"parent":0,"kind":"task","name":"B")",
        R"("t":10,"m":0,"ev":"insert","set":"ready","co":1)",
        R"("t":10,"m":0,"ev":"insert","set":"ready","co":2)",
        R"("t":50,"m":0,"ev":"remove","set":"ready","co":1)",
        R"("t":60,"m":1,"ev":"remove","set":"ready","co":2)",
        R"("t":100,"m":0,"ev":"switch","from":0,"to":1,"why":"start","left":"normal")",
    });
    CHECK(why_at(trace, 8) == "A was the head of ready, where it waited for 90 ns; 1 follows");
}

TEST_CASE("why it was chosen: a return to the resumer is not a decision") {
    const Trace trace = decided();
    CHECK(why_at(trace, 9) == "main runs because it had resumed A, which yields");
    CHECK(why_at(trace, 13) == "main runs because it had resumed B, which has ended");
    CHECK(is_decision(trace, 8));
    CHECK_FALSE(is_decision(trace, 9));
    CHECK_FALSE(is_decision(trace, 13));
    CHECK(why_at(trace, 0).empty());
}

TEST_CASE(
    "a task that waits with a limit is taken from two sets: its limit finds it among the sleepers, an event does not") {
    for (const std::uint64_t until : {std::uint64_t{250}, std::uint64_t{350}}) {
        const std::string left =
            R"("t":200,"m":0,"ev":"switch","from":1,"to":0,"why":"yield","left":"waiting","until":)" +
            std::to_string(until);
        const Trace trace = read_events({
            R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")",
            R"("t":0,"m":0,"ev":"set","set":"sleeping","role":"sleep","structure":"rbtree")",
            R"("t":0,"m":0,"ev":"set","set":"waiting","role":"wait","structure":"rbtree")",
            R"("t":0,"m":0,"ev":"spawn","co":1,"parent":0,"kind":"task","name":"A")",
            R"("t":100,"m":0,"ev":"switch","from":0,"to":1,"why":"start","left":"normal")",
            left,
            R"("t":200,"m":0,"ev":"insert","set":"waiting","co":1,"key":"fd 7")",
            R"("t":200,"m":0,"ev":"insert","set":"sleeping","co":1,"key":"250 ns")",
            R"("t":290,"m":0,"ev":"remove","set":"sleeping","co":1,"key":"250 ns")",
            R"("t":290,"m":0,"ev":"remove","set":"waiting","co":1,"key":"fd 7")",
            R"("t":300,"m":0,"ev":"switch","from":0,"to":1,"why":"resume","left":"normal")",
        });
        Replay replay(trace);
        replay.seek(11);
        const Choice choice = choice_at(replay, 10);
        CHECK(choice.why == (until == 250 ? Chosen::deadline : Chosen::event));
        CHECK(trace.set_name(choice.set) == (until == 250 ? "sleeping" : "waiting"));
        CHECK(choice.taken == 8);
    }
}

TEST_CASE("why it was chosen: by hand-off, and back from the last one") {
    const Trace trace = read_events({
        R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")",
        R"("t":0,"m":0,"ev":"set","set":"ready","role":"ready","structure":"queue")",
        R"("t":0,"m":0,"ev":"spawn","co":1,"parent":0,"kind":"task","name":"A")",
        R"("t":0,"m":0,"ev":"spawn","co":2,"parent":0,"kind":"task","name":"B")",
        R"("t":50,"m":0,"ev":"insert","set":"ready","co":2)",
        R"("t":100,"m":0,"ev":"switch","from":0,"to":1,"why":"start","left":"normal")",
        R"("t":200,"m":0,"ev":"insert","set":"ready","co":1)",
        R"("t":200,"m":0,"ev":"remove","set":"ready","co":2)",
        R"("t":200,"m":0,"ev":"switch","from":1,"to":2,"why":"start","left":"ready")",
        R"("t":300,"m":0,"ev":"insert","set":"ready","co":2)",
        R"("t":300,"m":0,"ev":"remove","set":"ready","co":1)",
        R"("t":300,"m":0,"ev":"switch","from":2,"to":1,"why":"swap","left":"ready")",
        R"("t":400,"m":0,"ev":"switch","from":1,"to":0,"why":"exit","left":"dead")",
    });
    CHECK(why_at(trace, 8) == "B was the head of ready, where it waited for 150 ns; 1 follows");
    CHECK(why_at(trace, 11) == "A was the head of ready, where it waited for 100 ns; 1 follows");
    CHECK(why_at(trace, 12) == "main runs because A has ended; it had resumed a coroutine that handed over");
}

TEST_CASE("why it was chosen: it passed over an older one, by the strategy's rule") {
    Trace trace = read_events({
        R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")",
        R"("t":0,"m":0,"ev":"set","set":"ready","role":"ready","structure":"queue")",
        R"("t":0,"m":0,"ev":"spawn","co":1,"parent":0,"kind":"task","name":"A")",
        R"("t":0,"m":0,"ev":"insert","set":"ready","co":1)",
        R"("t":0,"m":0,"ev":"spawn","co":2,"parent":0,"kind":"task","name":"B")",
        R"("t":0,"m":0,"ev":"insert","set":"ready","co":2)",
        R"("t":100,"m":0,"ev":"remove","set":"ready","co":2)",
        R"("t":100,"m":0,"ev":"switch","from":0,"to":2,"why":"start","left":"normal")",
    });
    const std::string why = "B was taken from ready, where it waited for 100 ns, although A waited there longer";
    CHECK(why_at(trace, 7) == why);
    trace.head.rule = ForeignText("the newest first");
    CHECK(why_at(trace, 7) == why + ": the newest first");
}
