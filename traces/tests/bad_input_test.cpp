// Cut, hostile or large recordings: no crash, no false report of a broken invariant, and no quadratic time.
#include <sys/stat.h>

#include <algorithm>
#include <ctime>

#include "testing/catch.h"
#include "traces/check/checker.h"
#include "traces/read/printable.h"
#include "traces/tests/made/event_writer.h"
#include "traces/tests/made/tool_call.h"
#include "traces/tests/support.h"
#include "traces/words/words.h"

using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

namespace {

std::string text_of(const std::vector<std::string>& words) { return call(words).all(); }

double seconds_of(const std::vector<std::string>& words) {
    const std::clock_t begin = std::clock();  // CPU time: the computer may be busy
    text_of(words);
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// Main, a ready queue, and `n` tasks to which `more_of` adds events.
template <class F>
std::string many(std::size_t n, F&& more_of) {
    EventWriter w;
    w.spawn(0, "thread");
    w.set("ready", "ready", "queue");
    w.work(1);
    for (std::uint32_t co = 1; co <= n; ++co) {
        w.spawn(co, "task");
        more_of(w, co);
    }
    return document(w.text());
}

void holds_a_lock(EventWriter& w, std::uint32_t co) {
    w.event(R"("ev":"lock","object":"l","op":"acquire","mode":"read",)" + EventWriter::number("co", co));
}
void is_ready(EventWriter& w, std::uint32_t co) {
    w.state(co, "new", "ready", "spawned");
    w.member("insert", "ready", co);
}
void waits_in_its_own_set(EventWriter& w, std::uint32_t co) {
    const std::string set = "wait " + std::to_string(co);
    w.set(set, "wait", "map");
    w.member("insert", set, co);
}
/// In a tree, to the right of the previous one.
void is_chained(EventWriter& w, std::uint32_t co) {
    const std::string link = R"("ev":"link","set":"tree",)", above = co == 1 ? "null" : std::to_string(co - 1);
    if (co == 1) w.set("tree", "sleep", "rbtree");
    if (co == 1) w.event(link + R"("root":1)");
    w.event(link + EventWriter::number("node", co) + R"(,"left":null,)" + EventWriter::number("right", co + 1) +
            R"(,"parent":)" + above + R"(,"color":"black")");
    w.member("insert", "tree", co);
}

/// Eight times as many coroutines must take about eight times as long; quadratic time would be 64 times.
template <class F>
void grows_linearly(const char* verb, std::size_t n, F&& more_of) {
    const Scratch scratch;
    const std::string small = scratch.write("small.json", many(n, more_of));
    const std::string large = scratch.write("large.json", many(8 * n, more_of));
    const double least = std::max(seconds_of({verb, small}), 0.02);
    INFO(verb << ": " << least << " s for " << n);
    CHECK(seconds_of({verb, large}) < 30 * least);
}

}  // namespace

TEST_CASE("deeply nested values are refused with a message") {
    const std::string deep = std::string(60000, '[') + std::string(60000, ']');
    const auto refused = [&](const std::string& text) { return read_error(text); };
    CHECK(refused(R"({"fiberscope":1,"meta":)" + deep + R"(,"events":[]})").find("nested at most 64 deep") !=
          std::string::npos);
    CHECK(refused(R"({"fiberscope":1,"meta":{"seed":)" + deep + R"(},"events":[]})").find("nested") !=
          std::string::npos);
    CHECK(refused(R"({"fiberscope":1,"events":[],"end":)" + deep + "}").find("nested") != std::string::npos);
    CHECK(refused(R"({"fiberscope":1,"events":[],"more":)" + deep + "}").find("nested") != std::string::npos);
    CHECK(refused(R"({"fiberscope":1,"meta":{"a":"[[[{{\"[["},"events":[]})").empty());
    const Scratch scratch;
    const std::string event = R"({"t":0,"m":0,"ev":"note","text":"a","more":)" + deep + "}\n";
    const std::string file = scratch.write("deep.json", document(event)),
                      other = scratch.write("b.json", document(event));
    for (const char* verb : {"check", "state", "events", "figures", "export"})
        CHECK_FALSE(text_of({verb, file}).empty());
    CHECK(text_of({"compare", file, other}).find("are the same") != std::string::npos);
}

TEST_CASE("control characters are made visible") {
    CHECK(printable("plain, Umlaut ä, 协程") == "plain, Umlaut ä, 协程");
    CHECK(printable("\x1b[2J\n\t\r\x7f") == "\\x1b[2J\\n\\t\\r\\x7f");
    CHECK(printable("\xc2\x9b") == "\\x9b");                    // C1: the same as ESC [
    CHECK(printable("\xe2\x80\xae") == "\\u202e");              // right-to-left override
    CHECK(printable("a\xff\xc0\xafz") == "a\\xff\\xc0\\xafz");  // invalid UTF-8
    CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");
}

TEST_CASE("time does not grow with the square of the number of coroutines") {
    grows_linearly("check", 8000, holds_a_lock);
    grows_linearly("state", 8000, is_ready);
    grows_linearly("state", 4000, waits_in_its_own_set);
}

TEST_CASE("time is proportional to the length of a chain of nodes, a line and a name") {
    grows_linearly("state", 2000, is_chained);
    const Scratch scratch;
    const std::string named =
        R"("t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":")" + std::string(900'000, 'n') + "\"";
    const std::string file =
        scratch.write("long.json", events_document({named, R"("t":1,"m":0,"ev":"note","co":0,"text":"n")"}));
    for (const char* verb : {"state", "events", "export", "figures"}) CHECK(text_of({verb, file}).size() < 20'000);
}

TEST_CASE("a cut recording of several machines is checked as far as every machine has delivered") {
    const char* two = R"({"t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main"}
{"t":0,"m":1,"ev":"spawn","co":1,"kind":"thread","name":"second"}
{"t":1,"m":1,"ev":"spawn","co":2,"kind":"task","name":"task"}
)";
    // Machine 1's events between 1 and 9 ns, with its first resume, are missing.
    const std::string cut =
        document(std::string(two) + R"({"t":9,"m":0,"ev":"switch","from":0,"to":2,"why":"resume","left":"normal"}
{"t":10,"m":0,"ev":"switch","from":2,"to":0,"why":"yield","left":"suspended"}
)");
    const Trace whole = read_text(cut);
    REQUIRE(check(whole));
    CHECK(judged_events(whole) == 5);
    const std::string without_end = cut.substr(0, cut.find("\n],"));
    CHECK_FALSE(check(read_text(without_end)));
    CHECK(judged_events(read_text(without_end)) == 3);
    CHECK_FALSE(check(read_text(
        document(std::string(two) + R"({"t":9,"m":0,"ev":"switch","from":0,"to":2,"why":"resume","left":"normal"})"
                                    "\n",
                 7))));
    // Events before that time are checked.
    const std::string broken = std::string(two) +
                               R"({"t":1,"m":0,"ev":"switch","from":0,"to":2,"why":"resume","left":"normal"})"
                               "\n";
    CHECK(check(read_text(document(broken, 7))));
    // A machine that stopped has written everything.
    CHECK(check(read_text(document(std::string(two) + R"({"t":2,"m":1,"ev":"machine","op":"stop"}
{"t":9,"m":0,"ev":"switch","from":0,"to":2,"why":"resume","left":"normal"}
)",
                                   7))));
    // The spawn may be among the missing events.
    CHECK_FALSE(check(read_text(document(R"({"t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"main"}
{"t":1,"m":0,"ev":"switch","from":0,"to":7,"why":"resume","left":"normal"}
)",
                                         1))));
}

TEST_CASE("an output file never replaces a device or a pipe, and a link is followed") {
    const Scratch scratch;
    const std::string file = scratch.write("a.json", events_document({R"("t":0,"m":0,"ev":"note","text":"a")"}));
    const std::string pipe = scratch / "pipe", link = scratch / "link", target = scratch.write("target", "old");
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    std::filesystem::create_symlink(target, link);
    CHECK(text_of({"export", file, "--out", pipe}).find("it is a device or a pipe") != std::string::npos);
    CHECK(std::filesystem::is_fifo(pipe));
    CHECK(text_of({"export", file, "--out", "/dev/null"}).find("it is a device or a pipe") != std::string::npos);
    CHECK(std::filesystem::is_character_file("/dev/null"));
    CHECK(text_of({"export", file, "--out", link}) == link + "\n");
    CHECK(std::filesystem::is_symlink(link));
    CHECK(file_text(target).find("traceEvents") != std::string::npos);
}
