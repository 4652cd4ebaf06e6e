
#include <set>

#include "testing/catch.h"
#include "traces/tests/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the head is read as it is in the file") {
    const Trace trace = read(data("good/all_kinds.json"));
    CHECK(trace.head.lab == "06_timers");
    CHECK(trace.head.program == "all_kinds");
    CHECK(trace.head.workload == "bakery.txt");
    CHECK(trace.head.strategy == "fair");
    CHECK(trace.head.clock == "virtual");
    CHECK(trace.head.arch == "x86_64");
    CHECK(trace.head.seed == "7");
    CHECK(trace.head.names.at(ForeignText("READY")) == State::new_);
    CHECK(trace.file == data("good/all_kinds.json"));
}

TEST_CASE("a whole file is complete, and unknown kinds and fields are ignored") {
    const Trace trace = read(data("good/all_kinds.json"));
    CHECK(trace.complete);
    CHECK(trace.missing.empty());
    CHECK(trace.size() == 44);  // 45 in the file, one of an unknown kind
    CHECK(trace.machines() == 1);
    CHECK(trace.coroutines() == 3);  // the nodes of a tree of timers are not coroutines
    CHECK(trace.timers() == 5);
    CHECK(trace.shared_stacks() == 1);
    CHECK(trace.sets() == 5);
    CHECK(trace.name(1) == "A \"quoted\" é");
    CHECK(trace.name(17) == "coroutine 17");
    CHECK(trace.set_name(1) == "sleepers");
}

TEST_CASE("a trace of several machines is merged by time, and stably") {
    const Trace trace = read_events({R"("t":0,"m":0,"ev":"note","text":"a")", R"("t":5,"m":0,"ev":"note","text":"b")",
                                     R"("t":5,"m":0,"ev":"note","text":"c")", R"("t":9,"m":0,"ev":"note","text":"d")",
                                     R"("t":1,"m":1,"ev":"note","text":"e")", R"("t":5,"m":1,"ev":"note","text":"f")",
                                     R"("t":9,"m":1,"ev":"note","text":"g")"});
    std::string order, lines;
    for (std::size_t n = 0; n < trace.size(); ++n) {
        order += trace.text(trace[n].text).bytes();
        lines += std::to_string(trace.line(n)) + " ";
    }
    CHECK(order == "aebcfdg");
    CHECK(lines == "4 8 5 6 9 7 10 ");
    CHECK(trace.machines() == 2);
}

TEST_CASE("registers stay with their switch when machines are merged") {
    const Trace trace =
        read_events({R"("t":5,"m":0,"ev":"switch","from":0,"to":1,"why":"resume","left":"normal","saved":{"r":"late"})",
                     R"("t":1,"m":1,"ev":"switch","from":2,"to":3,"why":"resume","left":"normal",)"
                     R"("saved":{"r":"early"}, "loaded":{"r":"too"})"});
    REQUIRE(trace.saved(0).size() == 1);
    CHECK(trace.text(trace.saved(0)[0].value) == "early");
    CHECK(trace.text(trace.loaded(0)[0].value) == "too");
    CHECK(trace.text(trace.saved(1)[0].value) == "late");
    CHECK(trace.loaded(1).empty());
}

TEST_CASE("a million-event mix takes at most 40 bytes an event") {
    const Trace trace = read_text(mixed_trace({.seed = 1, .events = 100000, .coroutines = 1000, .registers = false}));
    CHECK(static_cast<double>(trace.memory()) / static_cast<double>(trace.size()) <= 40);
    CHECK(trace.memory() > trace.size() * 24);
}

TEST_CASE("a recording of version 1 is read, and its reasons are shown as they are") {
    const Trace trace = read(data("version_1/04_event_loop.json"));
    CHECK(trace.complete);
    CHECK(trace.head.code.empty());
    std::set<std::string> reasons;
    for (std::size_t n = 0; n < trace.size(); ++n)
        if (trace[n].kind == Kind::switch_ && trace[n].text != kNone)
            reasons.insert(std::string(trace.text(trace[n].text).bytes()));
    CHECK(reasons == std::set<std::string>{"fd 3 readable", "fd 7 readable", "fd 8 readable"});
}

TEST_CASE("the message says why a file is unreadable") {
    CHECK(contains(read_error(""), "test.json: nothing was read: the file is empty: no trace was written into it."));
    CHECK(contains(read_error(" \n\t "), "is empty"));
    CHECK(contains(read_error("hello"), "not a fiberscope trace"));
    CHECK(contains(read_error("{}"), "not a fiberscope trace"));
    CHECK(contains(read_error("[1,2]"), "not a fiberscope trace"));
    CHECK(contains(read_error(R"({"traceEvents":[]})"), "not a fiberscope trace"));
    CHECK(contains(read_error(R"({"traceEvents":[)"), "not a fiberscope trace"));
    CHECK(contains(read_error("{\"fiberscope\":3,\n\"events\":[]}"), "line 1: this is trace format version 3"));
    CHECK(contains(read_error(R"({"fiberscope":"1","events":[]})"), "an integer"));
    CHECK(contains(read_error(R"({"fiberscope":1,"meta":[],"events":[]})"), "\"meta\""));
    CHECK(contains(read_error(R"({"fiberscope":1,"events":{}})"), "'['"));
    CHECK(contains(read_error(R"({"fiberscope":1,"events":[]} more)"), "nothing after the end"));
    CHECK(contains(read_error(R"({"fiberscope":1,"events":[],"end":{"events":-1}})"), "\"events\" in \"end\""));
    CHECK_THROWS_AS(read(data("no such file.json")), ReadError);
    CHECK_THROWS_AS(read(data()), ReadError);
}

TEST_CASE("a malformed event names the file, the line and what was expected") {
    const auto error_of = [](const char* event) {
        return read_error(events_document({R"("t":0,"m":0,"ev":"note","text":"fine")", event}));
    };
    struct Row {
        const char* event;
        const char* expected;
    };
    const Row rows[] = {
        {R"("m":0,"ev":"note","text":"x")", "in \"t\""},
        {R"("t":-1,"m":0,"ev":"note","text":"x")", "in \"t\""},
        {R"("t":1.5,"m":0,"ev":"note","text":"x")", "in \"t\""},
        {R"("t":1,"m":65536,"ev":"note","text":"x")", "in \"m\""},
        {R"("t":1,"m":0,"text":"x")", "in \"ev\""},
        {R"("t":1,"m":0,"ev":7)", "in \"ev\""},
        {R"("t":1,"m":0,"ev":"note")", "a string in \"text\" of a \"note\" event, which has none"},
        {R"("t":1,"m":0,"ev":"note","text":5)", "a string in \"text\" of a \"note\" event"},
        {R"("t":1,"m":0,"ev":"spawn","co":-1,"kind":"task","name":"x")", "a number from 0 in \"co\""},
        {R"("t":1,"m":0,"ev":"spawn","co":4294967295,"kind":"task","name":"x")", "a number from 0 in \"co\""},
        {R"("t":1,"m":0,"ev":"spawn","co":1,"kind":"fibre","name":"x")",
         "one of thread, scheduler, idle, task in \"kind\""},
        {R"("t":1,"m":0,"ev":"switch","from":0,"why":"yield","left":"ready")", "\"to\" of a \"switch\""},
        {R"("t":1,"m":0,"ev":"switch","from":0,"to":1,"why":"resume","left":"normal","saved":{"rsp":5})",
         "register rsp"},
        {R"("t":1,"m":0,"ev":"insert","set":"s")", "either \"co\" or \"timer\""},
        {R"("t":1,"m":0,"ev":"insert","set":"s","co":1,"timer":1)", "either \"co\" or \"timer\""},
        {R"("t":1,"m":0,"ev":"insert","set":5,"co":1)", "the set's name"},
        {R"("t":1,"m":0,"ev":"link","set":"s")", "either \"node\" or \"root\""},
        {R"("t":1,"m":0,"ev":"note" "text":"x")", "expected"},
        {R"("t":1,"m":0,"ev":"note","text":"x",)", "expected"},
        {"\"t\":1,\"m\":0,\"ev\":\"note\",\"text\":\"\xff\"", "UTF-8"},
    };
    for (const Row& row : rows) {
        const std::string error = error_of(row.event);
        INFO(row.event << " -> " << error);
        CHECK(contains(error, "test.json: the file is broken at line 5: "));
        CHECK(contains(error, row.expected));
        CHECK(error.back() == '.');
    }
}

TEST_CASE("numbers out of proportion to the file are refused, so that memory stays bounded") {
    const auto error = [](const char* event) {
        return read_error(events_document({R"("t":0,"m":0,"ev":"note","text":"")", event}));
    };
    CHECK(contains(error(R"("t":0,"m":0,"ev":"note","text":"","co":4000000000)"),
                   "line 5: expected numbers of coroutines that count up from 0, but found 4000000000"));
    CHECK(contains(error(R"("t":0,"m":0,"ev":"switch","from":0,"to":99999999,"why":"swap","left":"ready")"),
                   "coroutines"));
    CHECK(contains(error(R"("t":0,"m":0,"ev":"timer","timer":99999999,"op":"add")"), "timers"));
    CHECK(contains(error(R"("t":0,"m":0,"ev":"own","stack":99999999,"co":0)"), "shared stacks"));
    CHECK(contains(error(R"("t":0,"m":0,"ev":"link","set":"s","node":1,"left":99999999)"), "coroutines"));
    CHECK(error(R"("t":0,"m":0,"ev":"note","text":"","co":60000)").empty());
}
