// Descriptions of registers and of moves between sets.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "testing/catch.h"
#include "traces/replay/idle.h"
#include "traces/replay/replay.h"
#include "traces/tests/made/tool_call.h"
#include "traces/tests/support.h"
#include "traces/words/chosen.h"
#include "traces/words/registers.h"
#include "traces/words/transfers.h"
#include "traces/words/words.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

namespace {

constexpr const char* kMain = R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")";
constexpr const char* kPing = R"("t":0,"m":0,"ev":"spawn","co":1,"parent":0,"kind":"task","name":"ping")";
constexpr const char* kStart =
    R"("t":1,"m":0,"ev":"switch","from":0,"to":1,"why":"start","left":"normal","saved":{"rsp":"top-0x58"})";
constexpr const char* kYield =
    R"("t":2,"m":0,"ev":"switch","from":1,"to":0,"why":"yield","left":"suspended","saved":{"rsp":"top-0x1040",)"
    R"("rbx":"0x1"},"loaded":{"rsp":"top-0x58"})";

/// main resumes ping, loading these registers.
std::string resume(const std::string& loaded) {
    return R"("t":3,"m":0,"ev":"switch","from":0,"to":1,"why":"resume","left":"normal","saved":{},"loaded":{)" +
           loaded + "}";
}

std::vector<ChangedRegister> changes(const std::string& loaded) {
    const std::string last = resume(loaded);
    return changed_registers(read_events({kMain, kPing, kStart, kYield, last}));
}

}  // namespace

TEST_CASE("registers: a register that comes back unchanged is no change") {
    CHECK(changes(R"("rsp":"top-0x1040","rbx":"0x1")").empty());
}

TEST_CASE("registers: a register that comes back different is described as the viewer marks it") {
    const auto all = changes(R"("rsp":"top-0x1048","rbx":"0x0")");
    REQUIRE(all.size() == 2);
    CHECK(all[0].words == "≠ rsp top-0x1048 was top-0x1040");
    CHECK(all[1].words == "≠ rbx 0x0 was 0x1");
    CHECK(all[0].event == 4);
    CHECK(all[0].co == 1);
}

TEST_CASE("registers: a coroutine that is unwound is redirected on purpose") {
    CHECK(changes(R"("rsp":"top-0x1048","rip":"fiberscope::lab01::Coroutine::throw_unwind()+0x0")").empty());
}

TEST_CASE("registers: no sample has a changed one except the demo of a switch that forgets one") {
    for (const auto& file : samples()) {
        const auto all = changed_registers(read(file));
        INFO(file << ": " << (all.empty() ? "" : all.front().words));
        CHECK(all.empty() == (file != sample("01_two_contexts")));
    }
}

TEST_CASE("registers: the state at a switch has the changed registers, and the registers of each coroutine") {
    const Scratch scratch;
    const std::string last = resume(R"("rsp":"top-0x1048","rbx":"0x1")");
    const std::string file = scratch.write("changed.json", events_document({kMain, kPing, kStart, kYield, last}));
    CHECK(call({"state", file}).says("≠ rsp top-0x1048 was top-0x1040, loaded into ping"));
    const Answer before = call({"state", file, "--at", "4"});
    CHECK_FALSE(before.says("≠"));
    CHECK(before.says("rsp=top-0x1040 rbx=0x1"));
}

namespace {

std::vector<std::string> told(const Trace& trace, Kind kind) {
    std::vector<std::string> all;
    for (std::size_t n = 0; n < trace.size(); ++n)
        if (trace.kind(n) == kind) all.push_back(describe(trace, n));
    return all;
}

#define HEAD                                                                                             \
    R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main")",                                  \
        R"("t":0,"m":0,"ev":"set","set":"turns of 256","role":"timer","structure":"wheel","slots":256)", \
        R"("t":0,"m":0,"ev":"set","set":"ticks","role":"timer","structure":"wheel","slots":256)"

}  // namespace

TEST_CASE("a transfer: an item that leaves a set and enters another without having run, and nothing else") {
    for (const char* name :
         {"04_mixed", "04_mixed_go", "04_mixed_netco", "05_clients_libco", "06_three_stores_wheel"}) {
        const Trace trace = read(sample(name));
        std::map<Transfer::Why, std::size_t> seen;
        for (std::size_t n = 0; n < trace.size(); ++n) {
            const auto transfer = transfer_at(trace, n);
            if (!transfer) continue;
            INFO(name << " " << n);
            REQUIRE_FALSE(transfer->leaves.empty());
            ++seen[transfer->why];
            const Event enters = trace[transfer->enters];
            CHECK(enters.kind == Kind::insert);
            for (const std::size_t leaves : transfer->leaves) {
                const Event e = trace[leaves];
                CHECK(e.kind == Kind::remove);
                CHECK((e.co == enters.co && (e.co != kNone || e.other == enters.other)));
                for (std::size_t i = leaves; i < transfer->enters; ++i) {
                    if (e.co != kNone && trace.kind(i) == Kind::switch_)
                        CHECK((trace[i].co != e.co && trace[i].other != e.co));
                    const auto around = transfer_around(trace, i);
                    if (around && trace[around->enters].co == enters.co) CHECK(around->enters == transfer->enters);
                }
            }
        }
        CHECK(seen[Transfer::Why::wake] > 5);
    }
}

TEST_CASE("transfers are named in the sentences of both of their events") {
    const auto has = [](const std::vector<std::string>& all, const std::string& sentence) {
        return std::find(all.begin(), all.end(), sentence) != all.end();
    };
    const Trace mixed = read(sample("04_mixed")), gs = read(sample("04_gs")),
                wheel = read(sample("06_three_stores_wheel"));
    const Trace channels = read(sample("04_channels"));
    CHECK(has(told(channels, Kind::insert), "wake: worker 1 enters ready, from senders of 'results'"));
    CHECK(has(told(channels, Kind::remove), "value 1 of source leaves buffer of 'jobs'"));
    CHECK(has(told(channels, Kind::insert), "value 3 of source enters buffer of 'jobs'"));
    CHECK(has(told(mixed, Kind::remove), "wake: reader of 7 leaves waiting, where it was under fd 7"));
    CHECK(has(told(mixed, Kind::insert), "wake: reader of 7 enters ready, from waiting"));
    CHECK(has(told(mixed, Kind::insert), "wake: impatient enters ready, from sleeping and waiting"));
    CHECK(has(told(gs, Kind::insert), "steal: worker 1 enters runnable of machine 1, from runnable of machine 0"));
    CHECK(has(told(gs, Kind::insert), "worker 0 enters runnable of machine 0"));
    CHECK(has(told(wheel, Kind::insert), "refresh: timer 4 enters timers under 57 ms at 57, where it was under 41 ms"));
    CHECK(has(told(wheel, Kind::remove), "timer 5 leaves timers, where it was under 16 ms"));
}

TEST_CASE("a turn of a hand has its start, the timers that fire, and those that go down to a lower wheel") {
    const Trace trace =
        read_events({HEAD, R"("t":0,"m":0,"ev":"insert","set":"turns of 256","timer":7,"key":"300 ns","at":1)",
                     R"("t":0,"m":0,"ev":"insert","set":"ticks","timer":1,"key":"3 ns","at":3)",
                     R"("t":0,"m":0,"ev":"insert","set":"ticks","timer":2,"key":"3 ns","at":3)",
                     R"("t":3,"m":0,"ev":"hand","set":"ticks","at":3)",
                     R"("t":3,"m":0,"ev":"remove","set":"ticks","timer":1,"key":"3 ns","at":3)",
                     R"("t":3,"m":0,"ev":"timer","timer":1,"op":"fire")",
                     R"("t":3,"m":0,"ev":"remove","set":"ticks","timer":2,"key":"3 ns","at":3)",
                     R"("t":3,"m":0,"ev":"timer","timer":2,"op":"fire")",
                     R"("t":256,"m":0,"ev":"hand","set":"turns of 256","at":1)",
                     R"("t":256,"m":0,"ev":"remove","set":"turns of 256","timer":7,"key":"300 ns","at":1)",
                     R"("t":256,"m":0,"ev":"insert","set":"ticks","timer":7,"key":"300 ns","at":44)",
                     R"("t":257,"m":0,"ev":"hand","set":"ticks","at":4)"});
    CHECK(told(trace, Kind::hand) ==
          std::vector<std::string>{
              "the hand of ticks goes from slot 0 to slot 3: timer 1 and timer 2 fire",
              "the hand of turns of 256 goes from slot 0 to slot 1: timer 7 goes down to a lower wheel",
              "the hand of ticks goes from slot 3 to slot 4"});
    CHECK(told(trace, Kind::remove).back() == "cascade: timer 7 leaves turns of 256, where it was under 300 ns");
    CHECK(told(trace, Kind::insert).back() == "cascade: timer 7 enters ticks under 300 ns at 44, from turns of 256");
}

TEST_CASE("a parked machine has the reason of its wait, and a coroutine its latest name") {
    const Trace trace = read_events({kMain, kPing, R"("t":1,"m":0,"ev":"machine","op":"park","object":"epoll")",
                                     R"("t":9,"m":0,"ev":"machine","op":"unpark","object":"epoll")",
                                     R"("t":9,"m":0,"ev":"name","co":1,"name":"pong")",
                                     R"("t":9,"m":0,"ev":"name","co":1,"name":"reader")"});
    CHECK(describe(trace, 1) == "main creates reader");
    CHECK(describe(trace, 2) == "machine 0 parks and waits for epoll");
    CHECK(describe(trace, 3) == "machine 0 no longer waits for epoll");
    CHECK(describe(trace, 4) == "reader is given its name");
    Replay replay(trace);
    replay.seek(3);
    const IdleTime idle(trace);
    CHECK(why_idle(replay, 0, *idle.at(0, 3)) == "has been parked for 0 ns, with machine 0, and waits for epoll");
}
