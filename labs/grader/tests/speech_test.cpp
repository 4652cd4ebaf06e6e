// What is said to a student in Chinese, of texts of the labs and of the kit.
#include "labs/grader/speech/speech.h"

#include <string>
#include <vector>

#include "labs/grader/speak/lines.h"
#include "testing/catch.h"

using namespace fiberscope::grader;
using fiberscope::Language;

namespace {

struct Speaking {
    explicit Speaking(Language language) { set_language(language); }
    ~Speaking() { set_language(Language::english); }
};

std::string in_chinese(const std::string& english) {
    const Speaking chinese(Language::chinese);
    return sentence_in_words(english);
}

std::string name_in_chinese(const std::string& name) {
    const Speaking chinese(Language::chinese);
    return name_in_words(name);
}

std::string line_in_chinese(const std::string& line) {
    const Speaking chinese(Language::chinese);
    return line_in_words(line);
}

/// As a process of a test sends it: what the assertion says itself, and the notes, the nearest first.
std::string message(const std::string& own, const std::vector<std::string>& notes) {
    std::string all = own;
    for (const std::string& note : notes) all += '\x1f' + note;
    return all;
}

}  // namespace

TEST_CASE("speech: a sentence of a test or of the kit is said with what is filled in, another stands as it is") {
    CHECK(sentence_in_words("a null pointer was used") == "a null pointer was used");
    CHECK(in_chinese("a null pointer was used") == "使用了空指针");
    CHECK(in_chinese("a null pointer was used, at offset 8") == "使用了空指针，偏移是 8");
    CHECK(in_chinese("a switch keeps every frame of both stacks") == "切换保持两个栈上的每个栈帧");
    CHECK(in_chinese("all is well in the end") == "all is well in the end");
    CHECK(in_chinese("cannot resume coroutine 2 'B': it has ended and is dead") == "不能恢复协程 2 'B'：它已经结束了");
    CHECK(in_chinese("coroutine 1 'a' cannot go from ready to dead") == "协程 1 'a' 不能从就绪变到死亡");
    CHECK(in_chinese("event 163: coroutine 1 is inserted into waiting, where it is already").find("协程 1") !=
          std::string::npos);
}

TEST_CASE("speech: what is in quotes is a name, and a task without one is called by its number") {
    CHECK(in_chinese("'ready' is suspended") == "'ready' 已挂起");
    CHECK(in_chinese("'coroutine 5' is ready and waits for its turn") == "'协程 5' 已就绪，在等轮到它");
    CHECK(in_chinese("'polls' waits for an event on fd 8, 9") == "'polls' 在等 fd 8, 9 上的事件");
}

TEST_CASE("speech: of what a scheduler says each task is told") {
    CHECK(in_chinese("no task can ever run again: 'r' waits for the lock 'table' to read, 's' sleeps until 13.4 µs, "
                     "'p' waits for a friend, until 5.4 µs at most, '1' waits for 1.1 to end, and 95 more") ==
          "再也没有任务能运行：'r' 在等锁“table”（读），'s' 睡到 13.4 µs，'p' 在等 a friend，最迟到 5.4 µs，"
          "'1' 在等 1.1 结束，还有 95 个");
    CHECK(in_chinese("no task can ever run again") == "再也没有任务能运行");
}

TEST_CASE("speech: of sentences in a row each is said") {
    CHECK(in_chinese("x; cancel timer 3") == "x；取消定时器 3");
    CHECK(in_chinese("an exception was thrown here: cannot resume coroutine 2 'B': it has ended and is dead; x") ==
          "这里抛出了一个异常：不能恢复协程 2 'B'：它已经结束了；x");
    CHECK(
        in_chinese("ended by signal 6: SIGABRT in coroutine 2 'a' (stack of 65536 bytes, nested 1 deep): 'root' is "
                   "inserted into 'runnable', but it is in it already: remove it first; in push(), "
                   "labs/04_scheduler/exercise/go.cpp:12; called by run()") ==
        "因信号 6 结束：SIGABRT，在协程 2 'a' 里（栈 65536 字节，深度 1）：把 'root' 插入 'runnable'，但它已经在里面："
        "先把它取出来；在 push()，labs/04_scheduler/exercise/go.cpp:12；调用者 run()");
}

TEST_CASE("speech: a test is told by its name in Chinese, behind the number of its step") {
    CHECK(name_in_words("1.3 yield outside a coroutine is a typed error") ==
          "1.3 yield outside a coroutine is a typed error");
    CHECK(name_in_chinese("1.3 yield outside a coroutine is a typed error") == "1.3 在协程之外让出是有类型的错误");
    CHECK(name_in_chinese("3.4 by asm: yield outside a coroutine is a typed error") ==
          "3.4 用 asm：在协程之外让出是有类型的错误");
    CHECK(name_in_chinese("1.3 cake is baked") == "1.3 cake is baked");
    CHECK(name_in_chinese("cake") == "cake");
}

TEST_CASE("speech: what a function shall do is told behind its name, and what was thrown before") {
    CHECK(in_chinese("Coroutine::run: keep the function's exception for after_end") ==
          "Coroutine::run：保存函数抛出的异常，留给 after_end");
    CHECK(in_chinese("yield: go back to this coroutine's resumer; what it threw: no flour") ==
          "yield：回到恢复这个协程的那一个；它抛出的是：no flour");
}

TEST_CASE("speech: of the notes around a failure the nearest sentence is said, and the cases") {
    const std::string near = "a switch keeps every frame of both stacks", stale = "there and back are two switches";
    const std::string all = message("", {"seed 7", near, stale, "(the stack of the baker of Ulm)"});
    CHECK(failure_in_words(all) == near + " (seed 7, the stack of the baker of Ulm)");
    CHECK(failure_in_words(message("", {"2 of 3 loaves are burnt", near, stale})) ==
          "2 of 3 loaves are burnt; " + near);
    const std::string ended = "ended by signal 6: a null pointer was used", broken = "event 3: a null pointer was used";
    CHECK(failure_in_words(message("", {ended, near, stale})) == ended + "; " + near);
    CHECK(failure_in_words(message("", {broken, near, stale})) == broken + "; " + near);
    CHECK(failure_in_words(message("", {"a sentence that no catalogue has", "and one around it"})) ==
          "a sentence that no catalogue has");
    CHECK(failure_in_words(message("seed 7", {})) == "seed 7");
    CHECK(failure_in_words("") == "");
    const Speaking chinese(Language::chinese);
    CHECK(failure_in_words(all) == "切换保持两个栈上的每个栈帧（seed 7，the stack of the baker of Ulm）");
    CHECK(failure_in_words(message("an exception was thrown here: no flour", {near})) ==
          "这里抛出了一个异常：no flour；切换保持两个栈上的每个栈帧");
}

TEST_CASE("speak: a line of a program is in Chinese, also behind a name, and what is not known stands as it is") {
    CHECK(line_in_words("see ./lab run 01 --help") == "see ./lab run 01 --help");
    CHECK(line_in_chinese("Usage: ./lab run 01 [OPTIONS] [DEMO]") == "用法：./lab run 01 [选项] [演示]");
    CHECK(line_in_chinese("see ./lab run 01 --help") == "见 ./lab run 01 --help");
    CHECK(line_in_chinese("echo: --port names 9000 twice") == "echo：--port 里 9000 写了两次");
    CHECK(line_in_chinese("build/traces/01_nested.json") == "build/traces/01_nested.json");
    CHECK(line_in_chinese("") == "");
    CHECK(line_in_chinese("nested: cannot resume coroutine 2 'B': it has ended and is dead") ==
          "nested：不能恢复协程 2 'B'：它已经结束了");
}

TEST_CASE("speak: of a line in columns the meaning is in Chinese, of a demo what it shows") {
    CHECK(line_in_chinese("  --seed N                    Of what happens by chance") ==
          "  --seed N                    随机数的种子");
    CHECK(line_in_chinese("  nested                      A resumes B resumes C, and back").find("A 恢复 B") !=
          std::string::npos);
    CHECK(line_in_chinese("A resumes B resumes C, and back").find("A 恢复 B") == 0);
}

TEST_CASE("speech: a Chinese character takes two columns") {
    CHECK(columns("a step") == 6);
    CHECK(columns("✓ 步骤") == 6);
    CHECK(columns("（选做）") == 8);
}
