// Registers, states, sentences, playback, keys and the command line: all without a screen.
#include <set>

#include "viewer/layout/stacks/registers.h"
#include "viewer/layout/trace_facts/sentence.h"
#include "viewer/layout/trace_facts/state_rows.h"
#include "viewer/model/document.h"
#include "viewer/model/keys.h"
#include "viewer/model/options.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/stage/approx.h"
#include "viewer/tests/stage/playhead.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

const RegisterRow& row_of(const RegisterSide& side, const std::string& name) {
    for (const RegisterRow& row : side.rows)
        if (row.name == name) return row;
    FAIL("no register " << name << " in " << side.title);
    return side.rows.front();
}

}  // namespace

TEST_CASE("registers: saved and changed values, and the previous value") {
    Document document(made::parsed(made::two_contexts(6)));
    const auto switches = document.index().switches();
    made::put_playhead(document, switches[3] + 1);  // ping saves for the second time
    const Registers registers = layout_registers(document.replay(), document.index(), document.selection().playhead);
    REQUIRE(registers.message.empty());
    CHECK(registers.event == switches[3]);
    CHECK(registers.saved.title == "saved of ping");
    CHECK(registers.loaded.title == "loaded into pong");
    CHECK(registers.saved.compared);
    CHECK(row_of(registers.saved, "rbx").value == "0x2a");
    CHECK(row_of(registers.saved, "rbx").changed);
    CHECK(row_of(registers.saved, "rbx").before == "0x28");
    CHECK_FALSE(row_of(registers.saved, "r12").changed);
    CHECK_FALSE(row_of(registers.loaded, "rbx").changed);
    CHECK(row_of(registers.saved, "rip").value == "ping+0x1f");
}

TEST_CASE("registers: the stack pointer is shown in a picture of its stack") {
    Document document(made::parsed(made::two_contexts(6)));
    const auto switches = document.index().switches();
    const Registers registers = layout_registers(document.replay(), document.index(), switches[3] + 1);
    REQUIRE(registers.saved.stack);
    const StackPicture& stack = *registers.saved.stack;
    CHECK(stack.size == 16384);
    CHECK(stack.shown <= stack.size);
    REQUIRE(stack.marks.size() == 2);
    CHECK(stack.marks[0].name == "rsp");
    CHECK(stack.marks[0].below_top == 0x58);
    CHECK(stack.marks[0].y == Approx(static_cast<double>(0x58) / static_cast<double>(stack.shown)));
    CHECK(stack.marks[0].y > 0.1F);  // visible, although 0x58 of 16384 bytes would not be
}

TEST_CASE("registers: a trace without any has a message") {
    Document document(made::parsed(made::round_robin(2, 2)));
    const Registers none = layout_registers(document.replay(), document.index(), 5);
    CHECK(none.message.find("no registers") != std::string::npos);
    Document with(made::parsed(made::two_contexts(2)));
    CHECK(layout_registers(with.replay(), with.index(), 0).message.find("No switch yet") != std::string::npos);
}

TEST_CASE("registers: an interpreter's coroutine has its frames at the playhead instead") {
    Document document(made::parsed(R"({"fiberscope":1,"meta":{"lab":"04_scheduler","program":"interpreter"},"events":[
{"t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main"},
{"t":0,"m":0,"ev":"spawn","co":1,"parent":0,"kind":"task","name":"a","backend":"interpreter"},
{"t":0,"m":0,"ev":"frame","co":1,"op":"call","frames":"main+0 n=3 i=0"},
{"t":1,"m":0,"ev":"switch","from":0,"to":1,"why":"start","left":"normal"},
{"t":2,"m":0,"ev":"note","co":1,"text":"here"},
{"t":3,"m":0,"ev":"frame","co":1,"op":"call","frames":"visit+0 room=3; main+2 n=3 i=1"},
{"t":4,"m":0,"ev":"frame","co":1,"op":"return","frames":"main+2 n=3 i=1"},
{"t":5,"m":0,"ev":"frame","co":1,"op":"at","frames":"main+5 n=3 i=1"},
{"t":6,"m":0,"ev":"switch","from":1,"to":0,"why":"yield","left":"suspended"}
],"end":{"events":9,"dropped":0}})"));
    const auto at = [&](std::size_t playhead, std::uint32_t chosen = trace::kNone) {
        made::put_playhead(document, playhead);
        return layout_registers(document.replay(), document.index(), playhead, Language::english, chosen);
    };
    const Registers inside = at(6);
    CHECK(inside.loaded.title == "frames of a");
    REQUIRE(inside.loaded.rows.size() == 2);
    CHECK(inside.loaded.rows[0].name == "visit+0");
    CHECK(inside.loaded.rows[0].value == "room=3");
    CHECK(inside.loaded.rows[1].name == "main+2");
    CHECK(inside.loaded.rows[1].value == "n=3 i=1");
    INFO("back from the call, and forward again");
    CHECK(at(7).loaded.rows.size() == 1);
    CHECK(at(6).loaded.rows.size() == 2);
    INFO("chosen while another one runs");
    CHECK(at(9).loaded.title == "loaded into main");
    CHECK(at(9, 1).saved.title == "frames of a");
}

TEST_CASE("positions in a stack are parsed") {
    CHECK(bytes_below_top("top-0x58") == 88U);
    CHECK(bytes_below_top("top") == 0U);
    CHECK_FALSE(bytes_below_top("0x58"));
    CHECK_FALSE(bytes_below_top("top-0x"));
    CHECK_FALSE(bytes_below_top("top-0x5g"));
    CHECK(bytes_in_words(88) == "88 bytes");
    CHECK(bytes_in_words(65536) == "64 KiB");
    CHECK(bytes_in_words(1572864) == "1.5 MiB");
}

TEST_CASE("code addresses are shown without namespaces and template arguments") {
    CHECK(short_value("ping+0x1f") == "ping+0x1f");
    CHECK(short_value("a::b::jump<x::y(z&)>+0x88") == "jump+0x88");
    CHECK(short_value("a::(anonymous namespace)::body(int)+0x8") == "body+0x8");
    CHECK(short_value("a::RawContext::enter+0x0") == "enter+0x0");
    CHECK(short_value("top-0x58") == "top-0x58");
    CHECK(short_value("0xdeadbeef") == "0xdeadbeef");
}

TEST_CASE("the caller stack begins with the running coroutine, and a deep one is abbreviated") {
    Document document(made::parsed(made::nested(128)));
    made::put_playhead(document, 1 + 2 * 128);
    const CallerStack all = caller_stack(document.replay(), document.index(), 0, 1000);
    REQUIRE(all.boxes.size() == 129);
    CHECK(all.boxes.front().name == "level 128");
    CHECK(all.boxes.front().state == trace::State::running);
    CHECK(all.boxes.back().name == "main");
    const CallerStack cut = caller_stack(document.replay(), document.index(), 0, 6);
    REQUIRE(cut.boxes.size() == 6);
    CHECK(cut.boxes.front().name == "level 128");
    CHECK(cut.boxes.back().name == "main");
    CHECK(cut.boxes[4].name == "124 more");
    CHECK(cut.boxes[4].left_out == 124);
}

TEST_CASE("the sentences describe the event at the playhead and why the chosen coroutine does not run") {
    Document document(made::parsed(made::round_robin(3, 4)));
    document.selection().chosen = 1;
    made::put_playhead(document, 6);
    const Sentence words = sentence_at(document.replay(), document.index(), document.selection());
    CHECK(words.where.find("event 6 of ") == 0);
    CHECK(words.happened.find("worker 01") != std::string::npos);
    CHECK(words.chosen.find("worker 01 ") == 0);
    made::put_playhead(document, 0);
    CHECK(sentence_at(document.replay(), document.index(), document.selection()).chosen ==
          "worker 01 is not spawned yet");
    document.selection().chosen = trace::kNone;
    CHECK(sentence_at(document.replay(), document.index(), document.selection()).chosen.find("Choose") == 0);
}

TEST_CASE("times are exact to the nanosecond") {
    CHECK(exact_time(7) == "7 ns");
    CHECK(exact_time(1007) == "1.007 µs");
    CHECK(exact_time(12345678) == "12.345678 ms");
    CHECK(exact_time(2000000001) == "2.000000001 s");
}

TEST_CASE("playback: steps, ends, and the events of the chosen coroutine") {
    Document document(made::parsed(made::round_robin(3, 4)));
    const std::size_t size = document.replay().size();
    document.apply(Action::home);
    CHECK(document.replay().at() == 0);
    document.apply(Action::step_back);
    CHECK(document.replay().at() == 0);
    document.apply(Action::step);
    document.apply(Action::step);
    CHECK(document.replay().at() == 2);
    document.apply(Action::step_back);
    CHECK(document.replay().at() == 1);
    document.apply(Action::end);
    CHECK(document.replay().at() == size);
    document.apply(Action::step);
    CHECK(document.replay().at() == size);

    document.selection().chosen = 2;
    document.apply(Action::home);
    std::size_t visited = 0;
    for (std::size_t last = 0;; ++visited) {
        document.apply(Action::next_of_chosen);
        if (document.replay().at() == last) break;
        last = document.replay().at();
        const trace::Event& event = document.replay().trace()[last - 1];
        CHECK((event.co == 2 || event.other == 2));
    }
    CHECK(visited == document.replay().events_of(2).size());
    const std::size_t there = document.replay().at();
    document.apply(Action::previous_of_chosen);
    CHECK(document.replay().at() < there);
}

TEST_CASE("playback: playing advances by events per second, scrolls, and stops at the end") {
    Document document(made::parsed(made::round_robin(20, 8)));
    document.apply(Action::home);
    document.apply(Action::focus);
    document.apply(Action::play_pause);
    const double speed = document.playback().events_per_second();
    document.advance(1);
    CHECK(document.replay().at() == static_cast<std::size_t>(speed));
    document.advance(0.5 / speed);
    document.advance(0.5 / speed);
    CHECK(document.replay().at() == static_cast<std::size_t>(speed) + 1);
    document.apply(Action::faster);
    CHECK(document.playback().events_per_second() > speed);
    for (int i = 0; i < 50; ++i) {
        document.advance(0.3);
        const double now = playhead_time(document.replay(), document.replay().at());
        CHECK(document.selection().visible.contains(now));
    }
    document.advance(1e6);
    CHECK(document.replay().at() == document.replay().size());
    CHECK_FALSE(document.playback().playing);
    document.apply(Action::play_pause);  // at the end: restarts
    CHECK(document.replay().at() == 0);
    CHECK(document.playback().playing);
    document.apply(Action::step);
    CHECK_FALSE(document.playback().playing);
}

TEST_CASE("every action has a key with help, and no key has two meanings") {
    std::set<Action> told;
    std::set<std::pair<int, bool>> keys;
    std::set<char32_t> characters;
    for (const KeyBinding& binding : key_bindings()) {
        if (!binding.help.empty()) told.insert(binding.action);
        CHECK((binding.key != 0) != (binding.character != 0));
        if (binding.key != 0) CHECK(keys.insert({binding.key, binding.control}).second);
        if (binding.character != 0) CHECK(characters.insert(binding.character).second);
        if (binding.key != 0) CHECK(action_of_key(binding.key, false, binding.control) == binding.action);
        if (binding.character != 0) CHECK(action_of_character(binding.character) == binding.action);
    }
    CHECK(told.size() == static_cast<std::size_t>(Action::reload) + 1);
    CHECK(action_of_character(U'?') == Action::help);
    CHECK_FALSE(action_of_character(U'€'));
}

TEST_CASE("the palette finds each action by its help, tab and key, in both languages") {
    for (const Language language : {Language::english, Language::chinese})
        CHECK(actions_named("", language).size() == static_cast<std::size_t>(Action::reload) + 1);
    const auto first = [](std::string_view text, Language language = Language::english) {
        const auto rows = actions_named(text, language);
        return rows.empty() ? std::optional<Action>() : rows.front()->action;
    };
    CHECK(first("COMPARE") == Action::side_by_side);
    CHECK(first("previous difference") == Action::previous_difference);
    CHECK(first("next  difference ") == Action::next_difference);
    CHECK(first("ctrl f") == Action::search);
    CHECK(first("预测", Language::chinese) == Action::predict);
    CHECK(first("predict", Language::chinese) == Action::predict);
    CHECK_FALSE(first("difference none"));
    CHECK(action_of_key('K', false, true) == action_of_character(U':'));
}

TEST_CASE("the command line") {
    const Options options = parse_options({"a.json", "--render", "o.png", "--size", "1280x720", "--at", "12", "--theme",
                                           "light", "--scale", "1.5", "--select", "3", "b.json"});
    CHECK(options.files == std::vector<std::string>{"a.json", "b.json"});
    CHECK(options.render == "o.png");
    CHECK(options.width == 1280);
    CHECK(options.height == 720);
    CHECK(options.at == 12U);
    CHECK(options.theme == Theme::light);
    CHECK(options.scale == Approx(1.5));
    CHECK(options.chosen == 3U);
    CHECK(parse_options({"--at", "end", "a"}).at == static_cast<std::size_t>(-1));
    CHECK(parse_options({"--", "--odd-name"}).files == std::vector<std::string>{"--odd-name"});
    CHECK(parse_options({"--help"}).help);
    CHECK(parse_options({"a", "--language", "zh"}).language == Language::chinese);
    CHECK(parse_options({"a", "--language", "en"}).language == Language::english);
    CHECK_THROWS_AS(parse_options({"a", "--language", "fr"}), UsageError);
    CHECK(parse_options({"a", "b", "--side-by-side"}).side_by_side);
    CHECK_FALSE(options.side_by_side);
    CHECK(options.lock == Lock::time);
    CHECK(parse_options({"a", "--lock", "events"}).lock == Lock::number);
    CHECK(parse_options({"a", "--lock", "events"}).lock == Lock::number);
    CHECK(parse_options({"a", "--present"}).present);
    CHECK(parse_options({"a", "--sets", "off"}).sets == false);
    CHECK_FALSE(options.sets);
    CHECK(parse_options({}).files.empty());
    for (const std::vector<std::string>& wrong : {std::vector<std::string>{"--render", "o.png"},
                                                  {"a", "--size"},
                                                  {"a", "--size", "1600"},
                                                  {"a", "--size", "16x9"},
                                                  {"a", "--size", "1600x900x2"},
                                                  {"a", "--at", "-1"},
                                                  {"a", "--at", "soon"},
                                                  {"a", "--theme", "blue"},
                                                  {"a", "--lock", "pulse"},
                                                  {"a", "--sets", "yes"},
                                                  {"a", "--scale", "99"},
                                                  {"a", "--wrong"},
                                                  {"a", "--select", "x"}})
        CHECK_THROWS_AS(parse_options(wrong), UsageError);
}
