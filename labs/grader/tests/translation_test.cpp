#include "labs/grader/words/translation.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

#include "labs/grader/words/words.h"
#include "testing/catch.h"

using namespace fiberscope::grader;

namespace {

struct InChinese {
    InChinese() { set_language(fiberscope::grader::Language::chinese); }
    ~InChinese() { set_language(fiberscope::grader::Language::english); }
};

std::string read(const char* file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

bool is_known(const std::string& part) {
    return std::any_of(translations().begin(), translations().end(),
                       [&](const Translation& one) { return one.english.find(part) != one.english.npos; });
}

}  // namespace

TEST_CASE("translation: what is filled in is the same in both languages") {
    for (const Translation& one : translations()) {
        INFO(one.english);
        for (const char* place : {"{0}", "{1}", "{2}"})
            CHECK((one.english.find(place) != one.english.npos) == (one.chinese.find(place) != one.chinese.npos));
        CHECK(one.english != one.chinese);
    }
}

TEST_CASE("translation: a sentence of the kit is translated with what is filled in, another stands as it is") {
    CHECK(translated("a null pointer was used") == "a null pointer was used");
    const InChinese chinese;
    CHECK(translated("a null pointer was used") == "使用了空指针");
    CHECK(translated("a null pointer was used, at offset 8") == "使用了空指针，偏移是 8");
    CHECK(translated("no sentence of the kit") == "no sentence of the kit");
    CHECK(translated("cannot resume coroutine 2 'B': it has ended and is dead") == "不能恢复协程 2 'B'：它已经结束了");
    CHECK(translated("an exception that no function catches: cannot release the oven")
              .ends_with("：cannot release the oven"));
}

TEST_CASE("translation: what a scheduler says when no task can run, of each task") {
    const InChinese chinese;
    CHECK(translated("no task can ever run again: 'server' waits for fd 8 to be readable, 'b' is suspended") ==
          "再也没有任务能运行：'server' 在等 fd 8 可读，'b' 已挂起");
}

TEST_CASE("translation: what a task waits for, and until when") {
    const InChinese chinese;
    CHECK(translated("no task can ever run again: 'r' waits for the lock 'table' to read, 's' sleeps until 13.4 µs, "
                     "'p' waits for a friend, until 5.4 µs at most, '1' waits for 1.1 to end, and 2 more") ==
          "再也没有任务能运行：'r' 在等锁 'table'，要读，'s' 睡到 13.4 µs，'p' 在等 a friend，最迟到 5.4 µs，"
          "'1' 在等 1.1 结束，还有 2 个");
    CHECK(translated("'polls' waits for fd 8 readable and 1 more") == "'polls' 在等 fd 8 可读，还有 1 个");
    CHECK(translated("'coroutine 5' is ready and waits for its turn") == "'协程 5' 已就绪，在等轮到它");
    CHECK(translated("'ready' is suspended") == "'ready' 已挂起");
    CHECK(waiter_in_words("coroutine 5") == "协程 5");
    CHECK(state_in_words("sleeping") == "睡眠");
    CHECK(translated("coroutine 1 'a' cannot go from ready to ready") == "协程 1 'a' 不能从 就绪 变到 就绪");
}

TEST_CASE("translation: of a switch from a coroutine to itself the mistake is told") {
    const InChinese chinese;
    CHECK(translated_beginning("an exception was thrown here: coroutine 1 cannot switch to itself: it is still on top "
                               "of the stack of callers, pop it before the switch; x") ==
          "这里抛出了一个异常：协程 1 不能切换到自己：它还在调用者栈的栈顶，切换之前先把它弹出；x");
    CHECK(translated("ended with status 1: coroutine 1 'a' cannot go from ready to ready") ==
          "以状态 1 退出：协程 1 'a' 不能从 就绪 变到 就绪");
    CHECK(translated("coroutine 2 'B' cannot switch to itself: it is normal, but the one to leave must be running, "
                     "callers.top() before the push or the pop") ==
          "协程 2 'B' 不能切换到自己：它的状态是 normal，而要离开的必须正在运行，即压入或弹出之前的 callers.top()");
    CHECK(translated("coroutine 1 cannot switch to itself: it was resumed while it was running, refuse that before the "
                     "push") == "协程 1 不能切换到自己：它正在运行时又被恢复，在压入之前就要拒绝");
    CHECK(translated("coroutine 1 cannot switch to itself: a switch needs another coroutine as its target") ==
          "协程 1 不能切换到自己：切换的目标必须是另一个协程");
}

TEST_CASE("translation: the end of a child is told with its cause, its function and its line") {
    const InChinese chinese;
    CHECK(
        translated_beginning("ended by signal 6: SIGABRT in coroutine 2 'a' (stack of 65536 bytes, nested 1 deep): "
                             "'root' is inserted into 'runnable', but it is in it already: remove it first; in "
                             "push(), labs/04_scheduler/exercise/go.cpp:12; called by run()") ==
        "因信号 6 结束：SIGABRT，在协程 2 'a' 里（栈 65536 字节，深度 1）：把 'root' 插入 'runnable'，但它已经在里面："
        "先把它取出来；在 push()，labs/04_scheduler/exercise/go.cpp:12；调用者 run()");
    CHECK(translated("ended with status 1: no task can ever run again") == "以状态 1 退出：再也没有任务能运行");
}

TEST_CASE("translation: what the checker of traces and the explorer of schedules say") {
    const InChinese chinese;
    CHECK(translated("event 163: coroutine 1 is inserted into waiting, where it is already") ==
          "第 163 个事件：协程 1 被插入 waiting，但它已经在里面");
    CHECK(translated("machine 1 sleeps beside work: 2 Gs are runnable in the queue of machine 0") ==
          "有工作可做，机器 1 却睡着：机器 0 的队列里有 2 个 G 可以运行");
    CHECK(translated("in the end, all is well") == "in the end, all is well");
}

TEST_CASE("translation: of tasks that are too many to be told of, the number is translated") {
    const InChinese chinese;
    CHECK(
        translated("no task can ever run again: 'a' is suspended, 'b' is ready and waits for its turn, and 95 more") ==
        "再也没有任务能运行：'a' 已挂起，'b' 已就绪，在等轮到它，还有 95 个");
    CHECK(translated("no task can ever run again") == "再也没有任务能运行");
}

TEST_CASE("translation: of things in a row each is translated, and one that is not known stands as it is") {
    const InChinese chinese;
    CHECK(translated_beginning("set timer 0 to now + 20 ms; 16 ms pass, and what is due is taken; cancel timer 3; x") ==
          "把定时器 0 设为现在 + 20 ms；过 16 ms，取出到期的；取消定时器 3；x");
    CHECK(translated_beginning("x; cancel timer 3") == "x；取消定时器 3");
    CHECK(translated_beginning("an exception was thrown here: no task can ever run again: 'b' waits for a sign; "
                               "a null pointer was used") ==
          "这里抛出了一个异常：再也没有任务能运行：'b' 在等 a sign；使用了空指针");
}

TEST_CASE("translation: of several sentences the first is translated, and the others stand as they are") {
    const InChinese chinese;
    CHECK(translated_beginning("an exception was thrown here: cannot resume coroutine 2 'B': it has ended and is dead; "
                               "resume must refuse") ==
          "这里抛出了一个异常：不能恢复协程 2 'B'：它已经结束了；resume must refuse");
}

TEST_CASE("translation: every cause of a crash that the kit tells is translated") {
    const std::string source = read(CAUSES);
    static const std::regex kSentence("\"([^\"\n]{12,})\"");
    std::string unknown;
    std::size_t looked_at = 0;
    for (std::sregex_iterator it(source.begin(), source.end(), kSentence), end; it != end; ++it) {
        const std::string part = (*it)[1];
        // What a report calls the kind of a fault, and a header's name, are not said to a student.
        const bool is_said = part.find("labs/") == part.npos && source.find("return \"" + part + "\"") == source.npos;
        if (!is_said) continue;
        ++looked_at;
        if (!is_known(part)) unknown += part + '\n';
    }
    INFO(unknown);
    CHECK(unknown.empty());
    CHECK(looked_at > 12);
}
