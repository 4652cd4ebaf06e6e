// The conditions of an incomplete file: every verb reports them with the same message, in each language. Also the type
// that prevents text of a file from being printed unescaped.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "languages/say.h"
#include "testing/catch.h"
#include "traces/read/printable.h"
#include "traces/tests/made/tool_call.h"
#include "traces/tests/support.h"

using namespace fiberscope;
using namespace fiberscope::trace;
using namespace fiberscope::trace::testing;

namespace {

template <class T>
concept Streams = requires(std::ostream& out, T text) {
    out << text;
};
template <class T>
concept Joins = requires(std::string words, T text) {
    words + text;
}
|| requires(std::string words, T text) { words += text; };

constexpr const char* kVerbs[] = {"check", "events", "figures", "state", "export"};

struct Bad {
    std::string_view text;
    Condition condition;
    const char *english, *chinese;
};
using namespace std::string_view_literals;
constexpr Bad kBad[] = {
    {"", Condition::empty, "nothing was read: the file is empty: no trace was written into it.", "文件是空的"},
    {R"({"fiberscope":1,"events":[],"end":{"events":0,"dropped":0}})", Condition::empty,
     "nothing was read: the file is empty: it has no events.", "文件是空的"},
    {"{", Condition::cut, "nothing was read: the file was cut short at line 1", "被截断"},
    {R"({"fiberscope":1,"events":[{"t":0,"m":0,)", Condition::cut,
     "nothing was read: the file was cut short in the event at line 1", "被截断"},
    {"{}", Condition::broken, "the file is broken at line 1: expected", "损坏"},
    {R"({"fiberscope":1,"events":[7]})", Condition::broken, "the file is broken at line 1: expected an event", "损坏"},
    {"\x1f\x8b\x08garbage", Condition::broken, "the file is broken: it is compressed by gzip, so unpack it first",
     "gzip"},
    {"\x28\xb5\x2f\xfdgarbage", Condition::broken, "it is compressed by zstd", "zstd"},
    {"\xff\xfe{\0\"\0f\0"sv, Condition::broken,
     "the file is broken: it is UTF-16LE, not UTF-8, so convert it first, by iconv -f UTF-16LE -t UTF-8.", "UTF-16LE"},
    {"\xfe\xff\0{\0\""sv, Condition::broken, "it is UTF-16BE, not UTF-8", "UTF-16BE"},
    {"{\0\r\0\n\0"sv, Condition::broken, "it is UTF-16LE, not UTF-8", "UTF-16LE"},
    {"\0{\0\""sv, Condition::broken, "it is UTF-16BE, not UTF-8", "UTF-16BE"},
    {"\xff\xfe\0\0{\0\0\0"sv, Condition::broken, "it is UTF-32LE, not UTF-8", "UTF-32LE"},
    {"\0\0\0{\0\0\0\""sv, Condition::broken, "it is UTF-32BE, not UTF-8", "UTF-32BE"},
};

}  // namespace

static_assert(!std::is_convertible_v<Foreign, std::string_view> && !std::is_convertible_v<Foreign, std::string>);
static_assert(!std::is_constructible_v<std::string, Foreign> && !std::is_constructible_v<Value, Foreign>);
static_assert(!Streams<Foreign> && !Joins<Foreign> && !Streams<ForeignText> && !Joins<ForeignText>);
static_assert(std::is_same_v<decltype(std::declval<Trace>().text(0)), Foreign> &&
              std::is_same_v<decltype(std::declval<Trace>().set_name(0)), Foreign> &&
              std::is_same_v<decltype(Head::program), ForeignText>);

TEST_CASE("for an unreadable file every verb exits with status 1 and the same message, in each language") {
    const Scratch scratch;
    for (const Bad& bad : kBad) {
        const std::string file = scratch.write("bad.json", std::string(bad.text));
        std::string said;
        for (const char* verb : kVerbs) {
            INFO(verb << " of " << bad.english);
            const Answer answer = call({verb, file});
            CHECK(answer.status == 1);
            CHECK(answer.all().find(bad.english) != std::string::npos);
            if (said.empty()) said = answer.all();
            CHECK(answer.all().find(said.substr(0, said.size() - 1)) != std::string::npos);
        }
        CHECK(call({"compare", file, file}).status == 1);
        setenv("LC_ALL", "zh_CN.UTF-8", 1);
        const std::string chinese = call({"check", file}).err;
        unsetenv("LC_ALL");
        INFO(chinese);
        CHECK(chinese.find(bad.chinese) != std::string::npos);
        CHECK(chinese.find("nothing was read") == std::string::npos);
        Condition condition = Condition::whole;
        try {
            read_events_of(file);
        } catch (const ReadError& error) {
            condition = error.condition();
        }
        CHECK(condition == bad.condition);
    }
}

TEST_CASE("a file's states, program and sets reach the terminal and JSON as text") {
    const std::string evil = "\\u001b[2J\\u0007\\u009b\\u202e<b>\\\"&\\n";
    std::string text = R"({"fiberscope":1,"meta":{"lab":"@","program":"@","strategy":"@","clock":"@","seed":"@",
"names":{"@":"new","READY@":"ready","@ ":"waiting"}},"events":[
{"t":0,"m":0,"ev":"spawn","co":0,"kind":"thread","name":"@"},
{"t":0,"m":0,"ev":"set","set":"@","role":"ready","structure":"queue","key":"@"},
{"t":0,"m":0,"ev":"spawn","co":1,"kind":"task","name":"@"},
{"t":1,"m":0,"ev":"state","co":1,"from":"new","to":"ready","cause":"spawned"},
{"t":1,"m":0,"ev":"insert","set":"@","co":1,"key":"@"},
{"t":1,"m":0,"ev":"remove","set":"@","co":1,"key":"@"},
{"t":1,"m":0,"ev":"lock","co":0,"object":"@","op":"acquire","mode":"mutex"},
{"t":2,"m":0,"ev":"switch","from":0,"to":1,"why":"start","left":"waiting","reason":"@","saved":{"@":"@"}},
{"t":2,"m":0,"ev":"lock","co":1,"object":"@","op":"acquire","mode":"mutex"},
{"t":3,"m":0,"ev":"note","text":"@"},
{"t":3,"m":0,"ev":"fault","text":"@"}],"end":{"events":11}})";
    for (std::size_t at = 0; (at = text.find('@', at)) != std::string::npos; at += evil.size())
        text.replace(at, 1, evil);
    const Scratch scratch;
    const std::string file = scratch.write("evil.json", text);
    const auto is_text = [](std::string said) {
        std::erase(said, '\n');
        return printable(said) == said;
    };
    for (const char* language : {"en", "zh"})
        for (const char* verb : {"check", "events", "figures", "state"}) {
            const Answer answer = call({verb, file, "--language", language});
            INFO(verb << ": " << answer.all());
            CHECK(is_text(answer.all()));
            if (std::string_view(verb) != "check") CHECK(answer.all().find("\\x1b[2J") != std::string::npos);
        }
    const std::string later = "\"t\":3,\"m\":0,\"ev\":\"fault\"";
    std::string other = text;
    other.replace(other.find(later), later.size(), "\"t\":4,\"m\":0,\"ev\":\"fault\"");
    CHECK(is_text(call({"state", file, "--co", "0"}).all()));
    CHECK(is_text(call({"compare", file, scratch.write("other.json", other)}).all()));
    CHECK(is_text(call({"check", "no\x1b[2Jfile"}).all()));
    CHECK(call({"check", file}).says("breaks invariant 6"));
    const std::string events = call({"events", file}).out;
    CHECK(std::count(events.begin(), events.end(), '\n') == 11);
    const Answer exported = call({"export", file});
    CHECK(is_text(exported.out));
    CHECK(exported.out.find("\\\\x1b[2J") != std::string::npos);
    CHECK(nlohmann::json::accept(exported.out));
}
