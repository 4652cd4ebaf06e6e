// In which language the grader says what it says; what it says is in check_test.py and told_test.py.
#include <regex>

#include "labs/grader/tests/made_lab.h"
#include "testing/catch.h"

using namespace fiberscope::grader::testing;

TEST_CASE("grader: what it says is chosen by --language, or by the environment") {
    Lab lab("language");
    lab.steps({"1.1", "1.2", "1.11"}).tests("^1\\.(1|2|11) ");
    write(lab.dir() / "README.zh.md", "# Lab\n");
    const std::string steps = read(lab.dir() / "steps.json");
    write(lab.dir() / "steps.json", std::regex_replace(steps, std::regex("step 1.2"), "resume and yield"));
    const Answer chosen = lab.grade("check", "--language zh");
    compare_with_golden("check_chinese", chosen.text);
    CHECK(lab.grade("all", "--language zh").text.find("✗ 1.2 恢复与让出: ") != std::string::npos);
    Lab crash("crash_in_chinese");
    crash.steps({"1.3"}).tests("^1\\.3 ");
    compare_with_golden("check_chinese_crash", crash.grade("check", "--language zh").text);
    const auto by_environment = [&](const char* variable) {
        return run("cd " + lab.dir().string() + "/.. && env -u LC_ALL -u LC_MESSAGES " + variable + " " GRADER +
                   " check --lab 09_broken --program 09_broken/tests --traces traces")
            .text;
    };
    CHECK(by_environment("LANG=zh_CN.UTF-8") == chosen.text);
    CHECK(by_environment("LANG=de_DE.UTF-8") == lab.grade("check", "--language en").text);
    CHECK(lab.grade("check", "--language fr").status == 2);
}
