#include "labs/grader/words/sentences.h"

#include <filesystem>
#include <stdexcept>
#include <string>

#include "labs/grader/tests/made_lab.h"
#include "labs/grader/words/words.h"
#include "testing/catch.h"

using namespace fiberscope::grader;
namespace fs = std::filesystem;

namespace {

/// A language of say(), until the end of its scope.
struct Speaking {
    explicit Speaking(fiberscope::grader::Language language) { set_language(language); }
    ~Speaking() { set_language(fiberscope::grader::Language::english); }
};

void learn(const std::string& text) {
    const fs::path file = fs::path(SCRATCH) / "sentences.zh.txt";
    testing::write(file, text);
    learn_sentences(file);
}

void learn_some() {
    learn(
        "# a line that explains\n"
        "bread is baked before it is sold\n  面包先烤后卖\n\n"
        "oven {0} bakes {1} loaves at a time\n  烤炉 {0} 一次烤 {1} 个面包\n"
        "(by the baker of {0})\n  （面包师：{0}）\n");
}

/// As a process of a test sends it: what the assertion says itself, and the notes, the nearest first.
std::string message(const std::string& own, const std::vector<std::string>& notes) {
    std::string all = own;
    for (const std::string& note : notes) all += '\x1f' + note;
    return all;
}

}  // namespace

TEST_CASE("sentences: a sentence of a test is said in Chinese, with what is filled in") {
    learn_some();
    CHECK(sentence_in_words("bread is baked before it is sold") == "bread is baked before it is sold");
    const Speaking chinese(fiberscope::grader::Language::chinese);
    CHECK(sentence_in_words("bread is baked before it is sold") == "面包先烤后卖");
    CHECK(sentence_in_words("oven 7 bakes 20 loaves at a time") == "烤炉 7 一次烤 20 个面包");
    CHECK(sentence_in_words("nobody has translated this one") == "nobody has translated this one");
    CHECK(sentence_in_words("cannot resume coroutine 2 'B': it has ended and is dead; bread is baked before it is "
                            "sold") == "不能恢复协程 2 'B'：它已经结束了；面包先烤后卖");
}

TEST_CASE("sentences: a sentence that begins like a case is none") {
    learn("(event {0})\n  （事件 {0}）\n");
    const Speaking chinese(fiberscope::grader::Language::chinese);
    CHECK(sentence_in_words("event 3: ping is in two sets of role ready") ==
          "第 3 个事件：ping 同时在两个就绪的集合里");
}

TEST_CASE("sentences: of the notes around a failure the nearest sentence is said, and the cases") {
    learn_some();
    const std::string stale = "oven 1 bakes 2 loaves at a time", near = "bread is baked before it is sold";
    const std::string all = message("", {"seed 7", near, stale, "by the baker of Ulm"});
    CHECK(failure_in_words(all) == near + " (seed 7, by the baker of Ulm)");
    CHECK(failure_in_words(message("", {"2 of 3 loaves are burnt", near, stale})) ==
          "2 of 3 loaves are burnt; " + near);
    CHECK(failure_in_words(message("", {near})) == near);
    CHECK(failure_in_words(message("", {"a sentence that nobody knows", "and one around it"})) ==
          "a sentence that nobody knows");
    CHECK(failure_in_words(message("seed 7", {})) == "seed 7");
    CHECK(failure_in_words("") == "");
    const Speaking chinese(fiberscope::grader::Language::chinese);
    CHECK(failure_in_words(all) == "面包先烤后卖（seed 7，面包师：Ulm）");
    CHECK(failure_in_words(message("an exception was thrown here: no flour", {near})) ==
          "这里抛出了一个异常：no flour；面包先烤后卖");
}

TEST_CASE("sentences: a line without a translation is refused, and that there is no file is not") {
    CHECK_THROWS_WITH(learn("one that stands alone\nanother\n  另一个\n"),
                      Catch::Matchers::EndsWith("\"one that stands alone\" has no translation."));
    CHECK_THROWS(learn("the last one\n"));
    CHECK_NOTHROW(learn_sentences(fs::path(SCRATCH) / "none.zh.txt"));
}
