// Texts of the labs and of the kit for Chinese students.
#include "labs/grader/speech/speech.h"

#include <string>
#include <vector>

#include "labs/kit/report/notes.h"
#include "languages/message.h"
#include "testing/catch.h"

using namespace fiberscope::grader;
using fiberscope::english_of;
using fiberscope::Language;
using fiberscope::mark;
using fiberscope::message;
using fiberscope::Value;

namespace {

struct Speaking {
    explicit Speaking(Language language) { set_language(language); }
    ~Speaking() { set_language(Language::english); }
};

std::string in_chinese(const std::string& message) {
    const Speaking chinese(Language::chinese);
    return sentence_in_words(message);
}

std::string name_in_chinese(const std::string& name) {
    const Speaking chinese(Language::chinese);
    return name_in_words(name);
}

/// As a process of a test sends it: what the assertion says itself, and the notes, the nearest first.
std::string sent(const std::string& own, const std::vector<std::string>& notes) {
    std::string all = own;
    for (const std::string& note : notes) all += '\x1f' + note;
    return all;
}

}  // namespace

TEST_CASE("speech: a sentence of a test or of the kit is translated with its values, another is unchanged") {
    CHECK(sentence_in_words("null pointer dereference") == "null pointer dereference");
    CHECK(in_chinese("null pointer dereference") == "使用了空指针");
    CHECK(in_chinese(message("null pointer dereference, at offset {0}", 8)) == "使用了空指针，偏移是 8");
    CHECK(in_chinese("a switch keeps every frame of both stacks") == "切换不破坏两个栈上的任何栈帧");
    CHECK(in_chinese("all is well in the end") == "all is well in the end");
    const Value a = Value::of(message("coroutine {0} '{1}'", 2, "B"));
    CHECK(in_chinese(message("cannot resume {0}: it has ended and is dead", a)) == "不能恢复协程 2 'B'：它已经结束了");
    CHECK(in_chinese(message("{0} cannot go from {1} to {2}", a, mark("ready", "state"), mark("dead", "state"))) ==
          "协程 2 'B' 不能从就绪变到死亡");
}

TEST_CASE("speech: a test has its Chinese name, after the number of its step") {
    CHECK(name_in_words("1.3 yield outside a coroutine is a typed error") ==
          "1.3 yield outside a coroutine is a typed error");
    CHECK(name_in_chinese("1.3 yield outside a coroutine is a typed error") == "1.3 在协程之外让出会抛出 Misuse");
    CHECK(name_in_chinese("3.4 by asm: yield outside a coroutine is a typed error") ==
          "3.4 用 asm：在协程之外让出会抛出 Misuse");
    CHECK(name_in_chinese("1.3 cake is baked") == "1.3 cake is baked");
    CHECK(name_in_chinese("cake") == "cake");
}

TEST_CASE("speech: of the notes around a failure the nearest sentence is said, and the cases") {
    const std::string near = "a switch keeps every frame of both stacks",
                      stale = "a switch to the new context and one back: two switches";
    const std::string all = sent("", {"seed 7", near, stale, "(the stack of the baker of Ulm)"});
    CHECK(failure_in_words(all) == near + " (seed 7, the stack of the baker of Ulm)");
    CHECK(failure_in_words(sent("", {"2 of 3 loaves are burnt", near, stale})) == "2 of 3 loaves are burnt; " + near);
    const Value why = mark("null pointer dereference");
    const std::string ended = message(fiberscope::kit::kEndedBySignal, 6, why),
                      broken = message(fiberscope::kit::kEventBreaks, 3, why);
    CHECK(failure_in_words(sent("", {ended, near, stale})) == english_of(ended) + "; " + near);
    CHECK(failure_in_words(sent("", {broken, near, stale})) == english_of(broken) + "; " + near);
    CHECK(failure_in_words(sent("", {"a sentence that no catalogue has", "and one around it"})) ==
          "a sentence that no catalogue has");
    const std::string top = message("(the top of the stack is {0}, the stack pointer {1})", "0x10", "0x8");
    CHECK(failure_in_words(sent("", {near, top})) == near + " (the top of the stack is 0x10, the stack pointer 0x8)");
    CHECK(failure_in_words(sent("seed 7", {})) == "seed 7");
    CHECK(failure_in_words("") == "");
    const Speaking chinese(Language::chinese);
    CHECK(failure_in_words(all) == "切换不破坏两个栈上的任何栈帧（seed 7，the stack of the baker of Ulm）");
    CHECK(failure_in_words(sent(message("an exception was thrown here: {0}", "no flour"), {near})) ==
          "这里抛出了一个异常：no flour；切换不破坏两个栈上的任何栈帧");
}

TEST_CASE("speech: a Chinese character takes two columns") {
    CHECK(columns("a step") == 6);
    CHECK(columns("✓ 步骤") == 6);
    CHECK(columns("（选做）") == 8);
}
