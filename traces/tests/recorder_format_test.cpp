#include "testing/catch.h"
#include "traces/tests/recorded/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;
using nlohmann::json;

namespace {

/// The line of one event, recorded at time 7 after two sets ("ready" is 0, "ti\"ck" is 1) were declared.
json line_of(const Event& event, std::string_view text = {}) {
    const Directory directory;
    open(directory / "t.json", meta());
    declare_set(0, "ready", Role::ready, Structure::queue);
    declare_set(0, "ti\"ck", Role::timer, Structure::wheel);
    record(7, event, text);
    close();
    json line = load(directory / "t.json").at("events").at(2);
    CHECK(line.at("t") == 7);
    CHECK(line.at("m") == 0);
    line.erase("t");
    line.erase("m");
    return line;
}

Event sets(Kind kind, std::uint32_t set, std::uint32_t co, std::uint32_t timer, std::int64_t at) {
    Event e = set_event(kind, set, co, at);
    e.other = timer;
    return e;
}

Event link(std::uint8_t fields, std::int64_t left, std::int64_t right, std::uint32_t parent, Color color) {
    Event e = event(Kind::link, 4);
    e.set = 0;
    e.x = left;
    e.y = right;
    e.other = parent;
    e.e1 = fields;
    e.e2 = byte(color);
    return e;
}

template <class E>
Event with(Event e, E first) {
    e.e1 = byte(first);
    return e;
}

}  // namespace

TEST_CASE("the head names format, lab, program, clock, architecture, seed and the lab's own words") {
    const Directory directory;
    Meta m = meta();
    m.strategy = "fifo \"first\"";
    m.files = "exercise";
    m.workload = "bäckerei \"1\".txt";
    m.has_seed = true;
    m.seed = 18446744073709551615U;
    m.names = {{"READY", "new"}, {"SUSPEND", "suspended"}};
    open(directory / "t.json", m);
    close();
    const json whole = load(directory / "t.json");
#if defined(__x86_64__)
    const std::string arch = "x86_64";
#else
    const std::string arch = "aarch64";
#endif
    CHECK(whole.at("fiberscope") == 1);
    CHECK(whole.at("meta") == json{{"lab", "01_switch_asm"},
                                   {"program", "test"},
                                   {"strategy", "fifo \"first\""},
                                   {"clock", "virtual"},
                                   {"arch", arch},
                                   {"files", "exercise"},
                                   {"workload", "bäckerei \"1\".txt"},
                                   {"seed", 18446744073709551615U},
                                   {"names", {{"READY", "new"}, {"SUSPEND", "suspended"}}}});
    CHECK(whole.at("events").empty());
    CHECK(whole.at("end") == json{{"events", 0}, {"dropped", 0}});
}

TEST_CASE("spawn") {
    CHECK(line_of(spawn_event(0, CoKind::thread), "main") ==
          json{{"ev", "spawn"}, {"co", 0}, {"kind", "thread"}, {"name", "main"}});
    CHECK(line_of(spawn_event(3, CoKind::task, 0, Backend::asm_, 65536, 2), "reader") == json{{"ev", "spawn"},
                                                                                              {"co", 3},
                                                                                              {"parent", 0},
                                                                                              {"kind", "task"},
                                                                                              {"name", "reader"},
                                                                                              {"stack", 65536},
                                                                                              {"backend", "asm"},
                                                                                              {"reuses", 2}});
}

TEST_CASE("switch without registers") {
    CHECK(line_of(switch_event(0, 1, Why::start, State::normal)) ==
          json{{"ev", "switch"}, {"from", 0}, {"to", 1}, {"why", "start"}, {"left", "normal"}});
    CHECK(line_of(switch_event(1, 0, Why::yield, State::waiting, 500), "fd 7 readable") ==
          json{{"ev", "switch"},
               {"from", 1},
               {"to", 0},
               {"why", "yield"},
               {"left", "waiting"},
               {"until", 500},
               {"reason", "fd 7 readable"}});
}

TEST_CASE("state") {
    CHECK(line_of(state_event(1, State::new_, State::ready)) ==
          json{{"ev", "state"}, {"co", 1}, {"from", "new"}, {"to", "ready"}});
    CHECK(
        line_of(state_event(1, State::suspended, State::dead, Cause::cancel), "boom") ==
        json{
            {"ev", "state"}, {"co", 1}, {"from", "suspended"}, {"to", "dead"}, {"cause", "cancel"}, {"error", "boom"}});
}

TEST_CASE("set: a second one of the same name gets another name") {
    const Directory directory;
    open(directory / "t.json", meta());
    const auto first = declare_set(1, "ready", Role::ready, Structure::queue);
    const auto second = declare_set(2, "ready", Role::sleep, Structure::rbtree, "deadline, ns", 1);
    declare_set(2, "wheel", Role::timer, Structure::wheel, "", kAbsent, 60'000);
    record(3, set_event(Kind::insert, second, 5));
    record(3, set_event(Kind::insert, first, 6));
    close();
    const json events = load(directory / "t.json").at("events");
    CHECK(events.at(0) ==
          json{{"t", 1}, {"m", 0}, {"ev", "set"}, {"set", "ready"}, {"role", "ready"}, {"structure", "queue"}});
    CHECK(events.at(1) == json{{"t", 2},
                               {"m", 0},
                               {"ev", "set"},
                               {"set", "ready (2)"},
                               {"role", "sleep"},
                               {"structure", "rbtree"},
                               {"key", "deadline, ns"},
                               {"owner", 1}});
    CHECK(events.at(2).at("slots") == 60'000);
    CHECK(events.at(3).at("set") == "ready (2)");
    CHECK(events.at(4).at("set") == "ready");
}

TEST_CASE("set: no two have one name, though one is declared by the name that another one got") {
    const Directory directory;
    const auto names_of = [&](std::initializer_list<const char*> declared) {
        open(directory / "t.json", meta());
        for (const char* name : declared) declare_set(1, name, Role::ready, Structure::queue);
        close();
        std::vector<std::string> names;
        const json whole = load(directory / "t.json");
        for (const json& e : whole.at("events")) names.push_back(e.at("set"));
        return names;
    };
    using Names = std::vector<std::string>;
    INFO("events name a set by its name alone: a number that is added must not make the name of another set");
    CHECK(names_of({"ready", "ready", "ready (2)"}) == Names{"ready", "ready (2)", "ready (2) (2)"});
    CHECK(names_of({"ready (2)", "ready", "ready"}) == Names{"ready (2)", "ready", "ready (3)"});
    CHECK(names_of({"ready", "ready", "ready"}) == Names{"ready", "ready (2)", "ready (3)"});
}

TEST_CASE("insert, remove, move, hand") {
    CHECK(line_of(set_event(Kind::insert, 0, 2)) == json{{"ev", "insert"}, {"set", "ready"}, {"co", 2}});
    CHECK(line_of(sets(Kind::remove, 1, kNone, 9, 3), "12 ms") ==
          json{{"ev", "remove"}, {"set", "ti\"ck"}, {"timer", 9}, {"key", "12 ms"}, {"at", 3}});
    CHECK(line_of(sets(Kind::move, 0, 2, kNone, 0)) == json{{"ev", "move"}, {"set", "ready"}, {"co", 2}, {"at", 0}});
    CHECK(line_of(sets(Kind::hand, 1, kNone, kNone, 59)) == json{{"ev", "hand"}, {"set", "ti\"ck"}, {"at", 59}});
}

TEST_CASE("link writes only the fields that changed, and null for no node") {
    using namespace link_field;
    CHECK(line_of(link(left | color, 5, kAbsent, kNone, Color::red)) ==
          json{{"ev", "link"}, {"set", "ready"}, {"node", 4}, {"left", 5}, {"color", "red"}});
    CHECK(line_of(link(left | right | parent, kNone, 6, kNone, Color::none)) ==
          json{{"ev", "link"}, {"set", "ready"}, {"node", 4}, {"left", nullptr}, {"right", 6}, {"parent", nullptr}});
    CHECK(line_of(link(parent | color, kAbsent, kAbsent, 8, Color::black)) ==
          json{{"ev", "link"}, {"set", "ready"}, {"node", 4}, {"parent", 8}, {"color", "black"}});
    Event e = link(root, kAbsent, kAbsent, kNone, Color::none);
    CHECK(line_of(e) == json{{"ev", "link"}, {"set", "ready"}, {"root", 4}});
    e.co = kNone;
    CHECK(line_of(e) == json{{"ev", "link"}, {"set", "ready"}, {"root", nullptr}});
}

TEST_CASE("own, copy, access, stack") {
    Event e = event(Kind::own, 3);
    e.set = 1;
    CHECK(line_of(e) == json{{"ev", "own"}, {"stack", 1}, {"co", 3}});
    e.co = kNone;
    CHECK(line_of(e) == json{{"ev", "own"}, {"stack", 1}, {"co", nullptr}});
    e = with(event(Kind::copy, 3), Direction::in);
    e.set = 0;
    e.x = 304;
    e.y = 512;
    CHECK(line_of(e) ==
          json{{"ev", "copy"}, {"co", 3}, {"dir", "in"}, {"bytes", 304}, {"capacity", 512}, {"stack", 0}});
    e = event(Kind::access, 3);
    e.set = 0;
    e.x = 96;
    e.other = 4;
    CHECK(line_of(e) == json{{"ev", "access"}, {"co", 3}, {"stack", 0}, {"offset", 96}, {"owner", 4}});
    CHECK(line_of(stack_event(3, StackOp::reuse, 8192)) ==
          json{{"ev", "stack"}, {"co", 3}, {"op", "reuse"}, {"bytes", 8192}});
}

TEST_CASE("io, poll, timer") {
    Event e = with(event(Kind::io, 3), IoPhase::block);
    e.set = 7;
    e.e2 = byte(Want::read);
    e.x = 900;
    CHECK(line_of(e, "read") == json{{"ev", "io"},
                                     {"co", 3},
                                     {"fd", 7},
                                     {"op", "read"},
                                     {"phase", "block"},
                                     {"want", "read"},
                                     {"deadline", 900}});
    e = with(event(Kind::io, 3), IoPhase::error);
    e.set = 7;
    e.y = -1;
    e.other = 104;
    CHECK(line_of(e, "send") ==
          json{{"ev", "io"}, {"co", 3}, {"fd", 7}, {"op", "send"}, {"phase", "error"}, {"result", -1}, {"errno", 104}});
    e = with(event(Kind::poll), PollPhase::enter);
    e.x = -1;
    CHECK(line_of(e) == json{{"ev", "poll"}, {"phase", "enter"}, {"timeout", -1}});
    e = with(event(Kind::poll), PollPhase::leave);
    e.other = 0;
    CHECK(line_of(e) == json{{"ev", "poll"}, {"phase", "leave"}, {"ready", 0}});
    e = with(event(Kind::poll), PollPhase::add);
    e.set = 8;
    CHECK(line_of(e) == json{{"ev", "poll"}, {"phase", "add"}, {"fd", 8}});
    e = with(event(Kind::timer, 3), TimerOp::refresh);
    e.other = 12;
    e.x = 100;
    e.y = 50;
    CHECK(line_of(e) ==
          json{{"ev", "timer"}, {"timer", 12}, {"op", "refresh"}, {"deadline", 100}, {"period", 50}, {"co", 3}});
}

TEST_CASE("machine, lock, defer, frame, fault, note") {
    Event e = with(event(Kind::machine), MachineOp::steal);
    e.other = 2;
    e.x = 16;
    CHECK(line_of(e) == json{{"ev", "machine"}, {"op", "steal"}, {"victim", 2}, {"count", 16}});
    CHECK(line_of(with(event(Kind::machine), MachineOp::park)) == json{{"ev", "machine"}, {"op", "park"}});
    e = with(event(Kind::lock, 3), LockOp::broadcast);
    e.e2 = byte(LockMode::cond);
    CHECK(line_of(e, "full") ==
          json{{"ev", "lock"}, {"co", 3}, {"object", "full"}, {"op", "broadcast"}, {"mode", "cond"}});
    e = with(event(Kind::defer, 3), DeferOp::run);
    e.x = 0;
    CHECK(line_of(e) == json{{"ev", "defer"}, {"co", 3}, {"op", "run"}, {"n", 0}});
    CHECK(line_of(e, "visit") == json{{"ev", "defer"}, {"co", 3}, {"op", "run"}, {"n", 0}, {"frame", "visit"}});
    CHECK(line_of(frame_event(3, FrameOp::at), "visit+3 n=2") ==
          json{{"ev", "frame"}, {"co", 3}, {"op", "at"}, {"frames", "visit+3 n=2"}});
    CHECK(line_of(event(Kind::fault, 3), "stack overflow") ==
          json{{"ev", "fault"}, {"co", 3}, {"text", "stack overflow"}});
    CHECK(line_of(note_event(), "hello") == json{{"ev", "note"}, {"text", "hello"}});
}

TEST_CASE("the choice of an explorer") {
    CHECK(line_of(choice_event(61, Turn::preemption, 1), "0, 2") ==
          json{{"ev", "choice"}, {"n", 61}, {"turn", "preemption"}, {"next", 1}, {"others", "0, 2"}});
    CHECK(line_of(choice_event(1, Turn::seen_later, 0)) ==
          json{{"ev", "choice"}, {"n", 1}, {"turn", "seen_later"}, {"next", 0}});
}

TEST_CASE("numbers at their limits") {
    Event e = event(Kind::io, 4294967294U);
    e.set = 0;
    e.x = std::numeric_limits<std::int64_t>::max();
    e.y = std::numeric_limits<std::int64_t>::min() + 1;
    const json line = line_of(e, "x");
    CHECK(line.at("co") == 4294967294U);
    CHECK(line.at("deadline") == std::numeric_limits<std::int64_t>::max());
    CHECK(line.at("result") == std::numeric_limits<std::int64_t>::min() + 1);
}

TEST_CASE("texts are escaped, and what is not UTF-8 is replaced") {
    const std::string bad = "\xef\xbf\xbd";
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"a\"b\\c\n\r\t/", "a\"b\\c\n\r\t/"},
        {std::string("\0\x01\x1f\x7f", 4), std::string("\0\x01\x1f\x7f", 4)},
        {"grün 漢 🦊", "grün 漢 🦊"},
        {"\xff", bad},
        {"a\xc3", "a" + bad},                         // cut short
        {"\xc0\xaf", bad + bad},                      // overlong
        {"\xe0\x80\xaf", bad + bad + bad},            // overlong
        {"\xed\xa0\x80", bad + bad + bad},            // a surrogate
        {"\xf4\x90\x80\x80", bad + bad + bad + bad},  // beyond Unicode
        {"\xe6\xbc"
         "x",
         bad + bad + "x"},
    };
    for (const auto& [in, out] : cases) CHECK(line_of(note_event(), in).at("text") == out);
    CHECK(line_of(spawn_event(1, CoKind::task), "a\"\xff").at("name") == "a\"" + bad);
}

TEST_CASE("a text that is too long is cut between two characters") {
    std::string text;
    for (int i = 0; i < 10'000; ++i) text += "ä";
    const std::string kept = line_of(note_event(), text).at("text");
    CHECK(kept.size() > 8000);
    CHECK(kept.size() <= 8192);
    CHECK(kept == text.substr(0, kept.size()));
    for (std::string odd : {"", "x", "xx", "xxx"}) {  // the cut falls behind each byte of a character of four
        for (int i = 0; i < 3000; ++i) odd += "\xf0\x9f\xa6\x8a";
        const std::string cut = line_of(note_event(), odd).at("text");
        CHECK(cut.size() > 8188);
        CHECK(cut == odd.substr(0, cut.size()));
    }
    const std::string worst(20'000, '\x01');
    CHECK(line_of(note_event(), worst).at("text") == std::string(8192, '\x01'));
}
