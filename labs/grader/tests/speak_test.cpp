// The programs of the labs in the reader's language: labs/grader/speak.
#include <string>

#include "labs/grader/speak/lines.h"
#include "labs/grader/words/words.h"
#include "testing/catch.h"

using namespace fiberscope::grader;

namespace {

std::string line_in_chinese(const std::string& line) {
    set_language(fiberscope::Language::chinese);
    std::string said = line_in_words(line);
    set_language(fiberscope::Language::english);
    return said;
}

}  // namespace

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
    CHECK(line_in_chinese("  --seed N                    Of what happens by chance; default: 1") ==
          "  --seed N                    随机数的种子；不写就是 1");
    CHECK(line_in_chinese("  nested                      A resumes B resumes C, and back").find("A 恢复 B") !=
          std::string::npos);
    CHECK(line_in_chinese("  --port UINT ... REQUIRED") == "  --port UINT ...（必须写）");
    CHECK(line_in_chinese("A resumes B resumes C, and back").find("A 恢复 B") == 0);
}

TEST_CASE("speak: a stub and a crash are told in Chinese") {
    CHECK(line_in_chinese("not implemented: step 1.1 make_context: prepare the first switch to a new stack") ==
          "还没写：步骤 1.1 make_context：为第一次切换到新的栈做准备");
    CHECK(line_in_chinese("edit labs/01_switch_asm/exercise/context.cpp") ==
          "编辑 labs/01_switch_asm/exercise/context.cpp");
    CHECK(line_in_chinese("fiberscope: SIGSEGV in coroutine 2 'B' (stack of 65536 bytes, nested 1 deep): a null "
                          "pointer was used")
              .find("使用了空指针") != std::string::npos);
    CHECK(line_in_chinese("the trace up to here: a.json") == "到这里为止的 trace：a.json");
}
