#include <algorithm>
#include <ctime>
#include <string>

#include "testing/catch.h"
#include "traces/tests/made/tool_call.h"
#include "traces/tests/support.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

namespace {

const std::string kGood = data("good/all_kinds.json").string();

/// A file in which main resumes ping, which yields; followed by `more`, whole lines.
std::string ping_pong(const Scratch& scratch, const std::string& name = "ping.json", const std::string& more = "") {
    return scratch.write(name, document(R"({"t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main"}
{"t":0,"m":0,"ev":"spawn","co":1,"parent":0,"kind":"task","name":"ping"}
{"t":1000,"m":0,"ev":"switch","from":0,"to":1,"why":"start","left":"normal","saved":{"rsp":"top-0x58"}}
{"t":3000,"m":0,"ev":"switch","from":1,"to":0,"why":"yield","left":"suspended","saved":{"rsp":"top-0x78"}}
)" + more));
}

/// The same, but ping yields once more.
std::string broken_ping_pong(const Scratch& scratch) {
    return ping_pong(scratch, "bad.json",
                     R"({"t":3001,"m":0,"ev":"switch","from":1,"to":0,"why":"yield","left":"suspended"})"
                     "\n");
}

}  // namespace

TEST_CASE("events and states are shown in Chinese to its readers") {
    const Scratch scratch;
    const std::string file = ping_pong(scratch);
    CHECK(call({"events", file, "--language", "zh"}).says("机器 0"));
    const Answer state = call({"state", file, "--at", "4", "--language", "zh"});
    CHECK(state.says("4 个事件中的第 4 个之后，在 3 µs："));
    CHECK(state.says("机器 0 运行 main"));
    CHECK(call({"state", file, "--language", "en"}).says("machine 0 runs main"));
    CHECK(call({"state", file, "--language", "fr"}).status == 2);
    CHECK(call({"state", file, "--language", "fr"}).complains("en or zh"));
}

TEST_CASE("help and wrong calls") {
    const Answer help = call({"--help"});
    CHECK(help.status == 0);
    for (const char* verb : {"check", "events", "figures", "state", "export", "compare"}) {
        CHECK(help.says(std::string(" ") + verb + " "));
        const Answer own = call({verb, "--help"});
        CHECK(own.status == 0);
        CHECK(own.says(std::string("fiberscope-trace ") + verb));
        const Answer none = call({verb});
        CHECK(none.status == 2);
        CHECK(none.complains("needs"));
    }
    CHECK(call({"state", "--help"}).says("--time"));
    CHECK(call({}).status == 2);
    CHECK(call({"frobnicate"}).status == 2);
    CHECK(call({"frobnicate"}).complains("unknown verb \"frobnicate\""));
    CHECK(call({"state", "--frob", "1", kGood}).complains("unknown option --frob"));
    CHECK(call({"state", kGood, "--at"}).status == 2);
    CHECK(call({"state", kGood, "--at", "x"}).complains("--at needs a number"));
    CHECK(call({"state", kGood, "--at", "1", "--at", "2"}).complains("given twice"));
    CHECK(call({"state", kGood, "--at", "1", "--time", "2"}).complains("exclude"));
    CHECK(call({"state", kGood, "--at", "9999"}).complains("only 44 events"));
    CHECK(call({"state", kGood, "--time", "2 weeks"}).complains("a time such as"));
    CHECK(call({"events", kGood, "--from", "0"}).complains("a number from 1"));
    CHECK(call({"events", kGood, "--co", "nobody"}).complains("no coroutine"));
    CHECK(call({"events", kGood, kGood}).complains("one file"));
    CHECK(call({"check", "-x", kGood}).complains("unknown option -x"));
}

TEST_CASE("figures have a column for each applicable figure, and a dash where a recording has none") {
    const Scratch scratch;
    const Answer plain = call({"figures", ping_pong(scratch)});
    CHECK(plain.says("switches"));
    CHECK_FALSE(plain.says("waiting"));
    const Answer both = call({"figures", ping_pong(scratch), kGood});
    CHECK(both.says("waiting"));
    CHECK(both.says("–"));
    const Answer chosen = call({"figures", "--measures", "switches,steals", kGood});
    CHECK(chosen.says("machines  switches  steals\n"));
    CHECK(call({"figures", "--measures", "speed", kGood})
              .complains("there is no speed; the figures are: speed_up, makespan"));
}

TEST_CASE("figures as CSV have all measurements, and nothing for what never happened") {
    const Scratch scratch;
    const Answer answer = call({"figures", "--as", "csv", ping_pong(scratch), kGood});
    CHECK(std::count(answer.out.begin(), answer.out.end(), '\n') == 3);
    CHECK(answer.says("program,strategy,machines,file,makespan_ns,waiting_p50_ns,"));
    CHECK(answer.says("ping.json,3000,,,,,,,,2,"));
    const Answer wrong = call({"figures", "--as", "xml", kGood});
    CHECK(wrong.status == 2);
    CHECK(wrong.complains("--as: text, medians or csv, not \"xml\"."));
}

TEST_CASE("medians are computed per strategy and number of machines, with the speed-up") {
    const Scratch scratch;
    const auto made = [&](const std::string& name, int last) {
        return ping_pong(scratch, name,
                         R"({"t":)" + std::to_string(last) + R"(,"m":0,"ev":"note","text":"end"})" + "\n");
    };
    const Answer answer =
        call({"figures", "--as", "medians", "--measures", "makespan_ns,speed_up", made("go_1_1.json", 40000),
              made("go_1_2.json", 60000), made("go_2_1.json", 20000), made("go_2_2.json", 20000)});
    CHECK(answer.out ==
          "strategy  machines    makespan   speed-up\ngo               1  50 µs ±10%       1.00\n"
          "go               2       20 µs  2.50 ±10%\n");
    const Answer two = call({"figures", "--as", "medians", "--measures", "makespan_ns", made("go_1_1.json", 40000),
                             made("go_16_1.json", 30000), made("go_2_1.json", 20000), made("netco_1_1.json", 40000),
                             made("netco_2_1.json", 30000)});
    INFO("rows with equal numbers of machines are together, and equal rows are explained");
    CHECK(two.out ==
          "strategy  machines  makespan\ngo               1     40 µs\nnetco            1     40 µs\n"
          "go               2     20 µs\nnetco            2     30 µs\ngo              16     30 µs\n"
          "Equal rows have the same decisions: netco as go (machines: 1).\n");
    CHECK(call({"figures", "--as", "medians", kGood}).complains("STRATEGY_MACHINES_SEED"));
}

TEST_CASE("check names the first broken event") {
    const Scratch scratch;
    const std::string good = ping_pong(scratch);
    CHECK(call({"check", good}).status == 0);
    CHECK(call({"check", good}).says("4 events on 1 machine satisfy all 10 invariants"));
    const std::string bad = broken_ping_pong(scratch);
    const Answer answer = call({"check", good, bad});
    CHECK(answer.status == 1);
    CHECK(answer.says("bad.json, line 8: event 5 (ping yields to main"));
    CHECK(answer.says("breaks invariant 2: it leaves ping, but machine 0 runs main."));
    CHECK(answer.says("4 events on 1 machine"));
}

TEST_CASE("check notes that events were dropped, and that a file is incomplete") {
    const Scratch scratch;
    const std::string event = R"({"t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main"})";
    const std::string head = "{\"fiberscope\":1,\n\"events\":[\n" + event;
    for (const std::size_t dropped : {std::size_t{0}, std::size_t{3}}) {
        const std::string end = "\n],\n\"end\":{\"events\":1,\"dropped\":" + std::to_string(dropped) + "}}\n";
        const Answer answer = call({"check", scratch.write("dropped.json", head + end)});
        CHECK(answer.status == 0);
        CHECK(answer.says("note: ") == (dropped > 0));
        CHECK(answer.says("the recorder dropped 3 events") == (dropped > 0));
    }
    const Answer cut = call({"check", scratch.write("cut.json", head + ",\n{\"t\":1,\"m\"")});
    CHECK(cut.status == 0);
    CHECK(cut.says("cut.json: note: "));
    CHECK(cut.says("1 event on 1 machine"));
}

TEST_CASE("check, figures and state speak Chinese, and their columns are aligned") {
    const Scratch scratch;
    const std::string good = ping_pong(scratch);
    const auto in_chinese = [&](const char* verb) { return call({verb, "--language", "zh", good}); };
    CHECK(in_chinese("check").says("1 台机器上的 4 个事件满足全部 10 条不变式。"));
    CHECK(in_chinese("figures").says("机器  总时间"));
    CHECK(in_chinese("state").says("1 ping（挂起）"));
    CHECK(call({"state", "--language", "zh", kGood}).says("sleepers（红黑树，睡眠的协程）："));
    const std::string bad = broken_ping_pong(scratch);
    CHECK(call({"check", "--language", "zh", bad}).says("违反不变式 2：它离开 ping，但机器 0 运行的是 main。"));
}

TEST_CASE("events are listed, and filtered") {
    const Scratch scratch;
    const std::string file = ping_pong(scratch);
    const auto lines = [](const Answer& a) { return std::count(a.out.begin(), a.out.end(), '\n'); };
    CHECK(lines(call({"events", file})) == 4);
    CHECK(call({"events", file}).says("main resumes ping (first entry); main waits for it"));
    CHECK(lines(call({"events", file, "--from", "2", "--to=3"})) == 2);
    CHECK(lines(call({"events", file, "--co", "ping"})) == 3);
    CHECK(lines(call({"events", "--co", "1", file})) == 3);
    CHECK(lines(call({"events", "--from", "99", file})) == 0);
}

TEST_CASE("the state at an event or a time is shown in words") {
    const Scratch scratch;
    const std::string file = ping_pong(scratch);
    CHECK(call({"state", file, "--at", "0"}).says("After event 0 of 4, at 0 ns."));
    const Answer third = call({"state", file, "--at", "3"});
    CHECK(third.says("After event 3 of 4, at 1 µs: main resumes ping"));
    CHECK(third.says("machine 0 runs ping, resumed by main"));
    CHECK(third.says("0 main (normal) resumed ping just now and waits for it"));
    CHECK(call({"state", file, "--time", "2.5us"}).says("After event 3 of 4"));
    CHECK(call({"state", file, "--time", "1ms"}).says("After event 4 of 4"));
    CHECK(call({"state", file}).says("1 ping (suspended) yielded to main just now"));
    CHECK(call({"state", file, "--co", "ping"}).says("rsp = top-0x78"));
    const Answer sets = call({"state", kGood});
    CHECK(sets.says("sleepers (rbtree, sleep):"));
    CHECK(sets.says("500 ns, black, the root"));
    CHECK(sets.says("wheel (wheel, timer), hand at 4:"));
    CHECK(sets.says("timer 4, at 1"));
    CHECK(call({"state", kGood, "--at", "33"}).says("shared stack 0 belongs to B"));
}

TEST_CASE("compare ignores what depends on the compiler, and names the first line that differs") {
    const Scratch scratch;
    const std::string a = ping_pong(scratch, "a.json");
    std::string text = file_text(a);
    const auto changed = [&](const std::string& from, const std::string& to) {
        std::string other = text;
        other.replace(other.find(from), from.size(), to);
        return scratch.write("b.json", other);
    };
    CHECK(call({"compare", a, a}).status == 0);
    CHECK(call({"compare", a, changed("top-0x58", "top-0x60")}).status == 0);
    const Answer time = call({"compare", a, changed("\"t\":3000", "\"t\":3001")});
    CHECK(time.status == 1);
    CHECK(time.says("a.json, line 7: "));
    CHECK(time.says("b.json, line 7: "));
    const Answer other_reason =
        call({"compare", "--language", "zh", a, changed("\"why\":\"start\"", "\"why\":\"resume\"")});
    CHECK(other_reason.says("两个 trace 不同。"));
    CHECK(other_reason.says("a.json 第 6 行：第 3 个事件，在 1 µs：main 启动 ping"));
    CHECK(call({"compare", a, changed("\"meta\":{", "\"meta\":{\"files\":\"exercise\",")}).status == 0);
    CHECK(call({"compare", a, changed("\"program\":\"generated\"", "\"program\":\"other\"")}).says("line 2"));
    const std::string longer =
        ping_pong(scratch, "c.json", "{\"t\":4000,\"m\":0,\"ev\":\"stack\",\"co\":1,\"op\":\"alloc\",\"bytes\":7}\n");
    CHECK(call({"compare", a, longer}).status == 1);
    const std::string other =
        ping_pong(scratch, "d.json", "{\"t\":4000,\"m\":0,\"ev\":\"stack\",\"co\":1,\"op\":\"alloc\",\"bytes\":8}\n");
    CHECK(call({"compare", longer, other}).status == 0);
    CHECK(call({"compare", a, scratch.write("e.json", "no trace")}).status == 1);
    CHECK(call({"compare", a}).status == 2);
}

TEST_CASE("coroutines with the same name must be distinguished by number") {
    const Scratch scratch;
    const std::string file = ping_pong(scratch, "twice.json",
                                       R"({"t":4000,"m":0,"ev":"spawn","co":2,"kind":"task","name":"ping"})"
                                       "\n");
    CHECK(call({"events", file, "--co", "ping"}).complains("several coroutines are called ping"));
    CHECK(call({"events", file, "--co", "2"}).status == 0);
    CHECK(call({"events", file, "--co", "ping (2)"}).out == call({"events", file, "--co", "2"}).out);
}

namespace {

/// A trace in which `count` simultaneous events write links of a tree; each fourth link is that of a rotation which the
/// next one could continue.
std::string links_of_one_moment(const Scratch& scratch, std::size_t count) {
    std::string text = R"({"fiberscope":1,"events":[
{"t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main"},
{"t":0,"m":0,"ev":"set","set":"s","role":"sleep","structure":"rbtree"},
)";
    for (std::size_t i = 0; i < count; ++i) {
        const std::string side = i / 3 % 2 == 0 ? "left" : "right", other = i / 3 % 2 == 0 ? "right" : "left";
        const std::string link = i % 3 == 0   ? R"("node":1,")" + side + R"(":null)"
                                 : i % 3 == 1 ? R"("node":2,")" + other + R"(":1)"
                                              : R"("node":1,"parent":2)";
        text += R"({"t":0,"m":0,"ev":"link","set":"s",)" + link + (i + 1 < count ? "},\n" : "}\n");
    }
    return scratch.write("links.json", text + R"(],"end":{"events":)" + std::to_string(count + 2) + "}}");
}

double seconds_to_list(const std::string& file) {
    const std::clock_t begin = std::clock();
    REQUIRE(call({"events", file}).status == 0);
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

}  // namespace

TEST_CASE("listing events costs in proportion to their number, even of one moment") {
    const Scratch scratch;
    const double few = seconds_to_list(links_of_one_moment(scratch, 3000));
    const double many = seconds_to_list(links_of_one_moment(scratch, 24000));
    INFO("3,000 events: " << few << " s, 24,000 events: " << many << " s");
    CHECK(many < 24 * few);
}
