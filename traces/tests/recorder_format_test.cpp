#include "testing/catch.h"
#include "traces/tests/recorded/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;
using nlohmann::json;

namespace {

/// The line of one event.
json line_of(const Event& event, std::string_view text) {
    return recorded([&] { record(7, event, text); }).at("events").at(0);
}

}  // namespace

TEST_CASE("the head names format, lab, program, clock, architecture, seed and the lab's own words") {
    Meta m = meta();
    m.strategy = "fifo \"first\"";
    m.files = "exercise";
    m.workload = "bäckerei \"1\".txt";
    m.has_seed = true;
    m.seed = 18446744073709551615U;
    m.names = {{"READY", "new"}, {"SUSPEND", "suspended"}};
    const json whole = recorded([] {}, m);
#if defined(__x86_64__)
    const std::string arch = "x86_64";
#else
    const std::string arch = "aarch64";
#endif
    CHECK(whole.at("fiberscope") == kFormatVersion);
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

TEST_CASE("set: a second set with the same name gets another name") {
    const json whole = recorded([] {
        const auto first = declare_set(1, "ready", Role::ready, Structure::queue);
        const auto second = declare_set(2, "ready", Role::sleep, Structure::rbtree, "deadline, ns", 1);
        declare_set(2, "wheel", Role::timer, Structure::wheel, "", kAbsent, 60'000);
        record(3, set_event(Kind::insert, second, 5));
        record(3, set_event(Kind::insert, first, 6));
    });
    const json& events = whole.at("events");
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

TEST_CASE("set: names are unique, even if a set is declared with the name that another one was given") {
    const auto names_of = [](std::initializer_list<const char*> declared) {
        const json whole = recorded([&] {
            for (const char* name : declared) declare_set(1, name, Role::ready, Structure::queue);
        });
        std::vector<std::string> names;
        for (const json& e : whole.at("events")) names.push_back(e.at("set"));
        return names;
    };
    using Names = std::vector<std::string>;
    INFO("events identify a set only by its name: an appended number must not make the name of another set");
    CHECK(names_of({"ready", "ready", "ready (2)"}) == Names{"ready", "ready (2)", "ready (2) (2)"});
    CHECK(names_of({"ready (2)", "ready", "ready"}) == Names{"ready (2)", "ready", "ready (3)"});
    CHECK(names_of({"ready", "ready", "ready"}) == Names{"ready", "ready (2)", "ready (3)"});
}

TEST_CASE("numbers at their limits") {
    using Limits = std::numeric_limits<std::int64_t>;
    const json line =
        line_of(io_event(4294967294U, 0, IoPhase::call, Want::none, Limits::max(), Limits::min() + 1), "x");
    CHECK(line.at("co") == 4294967294U);
    CHECK(line.at("deadline") == Limits::max());
    CHECK(line.at("result") == Limits::min() + 1);
}

TEST_CASE("texts are escaped, and invalid UTF-8 is replaced") {
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
    for (const auto& [in, out] : cases) CHECK(line_of(spawn_event(1, CoKind::task), in).at("name") == out);
    CHECK(line_of(note_event(), "a {0}\t\xff\tb").at("text") == "a {0}");
    CHECK(line_of(note_event(), "a {0}\t\xff\tb").at("values") == bad + "\tb");
}

TEST_CASE("a text that is too long is cut between two characters") {
    std::string text;
    for (int i = 0; i < 10'000; ++i) text += "ä";
    const std::string kept = line_of(note_event(), text).at("text");
    CHECK(kept.size() > 8000);
    CHECK(kept.size() <= 8192);
    CHECK(kept == text.substr(0, kept.size()));
    for (std::string odd : {"", "x", "xx", "xxx"}) {  // cuts after each byte of a four-byte character
        for (int i = 0; i < 3000; ++i) odd += "\xf0\x9f\xa6\x8a";
        const std::string cut = line_of(note_event(), odd).at("text");
        CHECK(cut.size() > 8188);
        CHECK(cut == odd.substr(0, cut.size()));
    }
    const std::string worst(20'000, '\x01');
    CHECK(line_of(note_event(), worst).at("text") == std::string(8192, '\x01'));
}
