// The grader against programs that are broken on purpose. What it says is compared with golden/.
#include <algorithm>

#include "labs/grader/tests/made_lab.h"
#include "testing/catch.h"

using namespace fiberscope::grader::testing;
namespace fs = std::filesystem;

TEST_CASE("grader: each way of breaking costs its own test only and is told in words") {
    struct Broken {
        const char* step;
        bool passes;
        const char* options;
    };
    const Broken all[] = {
        {"1.1", true, ""},   {"1.2", false, ""},           {"1.3", false, ""},
        {"1.4", false, ""},  {"1.5", false, "--time 0.5"}, {"1.6", false, ""},
        {"1.7", false, ""},  {"1.8", false, "--time 0.5"}, {"1.9", false, ""},
        {"1.10", false, ""}, {"1.11", false, ""},          {"1.12", false, ""},
        {"1.13", false, ""}, {"1.14", true, ""},           {"1.15", false, "--time 0.5"},
        {"1.16", true, ""},  {"1.17", false, ""},          {"1.18", true, "--time 0.4"},
        {"1.20", false, ""}, {"1.21", false, ""},          {"1.22", true, "--time 0.4"},
        {"1.23", false, ""}, {"1.24", true, "--time 0.4"}, {"1.25", false, ""},
        {"1.27", false, ""}, {"1.28", false, ""},          {"1.31", false, ""},
    };
    for (const Broken& broken : all) {
        INFO("step " << broken.step);
        const Answer answer = tell(broken.step, broken.options);
        CHECK(answer.status == (broken.passes ? 0 : 1));
        compare_with_golden(std::string("all_") + broken.step, answer.text);
    }
}

TEST_CASE("grader: broken tests beside a good one leave the good one its pass") {
    Lab lab("beside");
    lab.steps({"1.1", "1.3", "1.4", "1.9"}).tests("^1\\.(1|3|4|9) ");
    const Answer answer = lab.grade("all", "--json report.json");
    CHECK(answer.status == 1);
    CHECK(answer.text.find("09_broken: 1 passed, 3 failed") != std::string::npos);
    const auto report = nlohmann::json::parse(read(lab.dir() / ".." / "report.json"));
    CHECK(report.at("passed") == 1);
    CHECK(report.at("total") == 4);
    CHECK(report.at("tests").at(0).at("result") == "passed");
    CHECK(report.at("tests").at(1).at("result") == "crashed");
    CHECK(lab.grade("all", "--json /dev/null").text.find("no file that may be replaced") != std::string::npos);
    CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("grader: starter accepts only tests that say not implemented, in order") {
    Lab lab("starter");
    lab.steps({"1.2", "1.11", "1.12"}).tests("^1\\.(11|12) ");
    CHECK(lab.grade("starter").status == 2);  // step 1.2 has no test
    auto list = nlohmann::ordered_json::array();
    for (const char* n : {"1.11", "1.12"}) list.push_back({{"step", n}, {"title", "t"}, {"file", "exercise/a.cpp"}});
    lab.described(list);
    const Answer unknown = lab.grade("starter");
    CHECK(unknown.status == 1);
    CHECK(unknown.text.find("which steps.json does not have") != std::string::npos);

    lab.steps({"1.11"}).tests("^1\\.11 ");
    CHECK(lab.grade("starter").status == 0);
    for (const char* wrong : {"1.1", "1.2", "1.3", "1.6", "1.13"}) {
        INFO(wrong);
        lab.steps({wrong}).tests(std::string("^") + wrong + " ");
        CHECK(lab.grade("starter").status == 1);
    }
}

TEST_CASE("grader: a step without a test and a test without a step are errors") {
    Lab lab("untied");
    lab.steps({"1.1", "1.2"}).tests("^1\\.1 ");
    const Answer untested = lab.grade("all");
    CHECK(untested.status == 2);
    CHECK(untested.text.find("Step 1.2 (step 1.2) has no test") != std::string::npos);
    lab.steps({"1.1"}).tests("^1\\.(1|2) ");
    const Answer stray = lab.grade("all");
    CHECK(stray.status == 2);
    CHECK(stray.text.find("belongs to no step") != std::string::npos);
}

TEST_CASE("grader: a program that cannot be run is said so, and is no pass") {
    Lab lab("missing");
    lab.steps({"1.1"});
    const Answer answer = lab.grade("all");
    CHECK(answer.status == 2);
    CHECK(answer.text.find("cannot be started: No such file or directory") != std::string::npos);
}

TEST_CASE("grader: a compile error is told in short and names the student's file") {
    Lab lab("compile");
    lab.steps({"1.1"}).tests("^1\\.1 ");
    write(lab.dir() / "exercise/context.cpp", "int f() { return x; }\n");
    write(lab.dir() / "CMakeLists.txt",
          "cmake_minimum_required(VERSION 3.22)\nproject(p CXX)\nadd_compile_options(-Wall)\nadd_library(lab09_tests "
          "exercise/context.cpp)\n");
    run("cmake -G Ninja -S " + lab.dir().string() + " -B " + lab.dir().string() + "/build");
    const Answer wrong = lab.grade("check", "--build 09_broken/build");
    CHECK(wrong.status == 1);
    CHECK(wrong.text.find("09_broken/exercise/context.cpp does not compile") != std::string::npos);
    CHECK(wrong.text.find("was not declared") != std::string::npos);
    CHECK(wrong.text.find("FAILED") == std::string::npos);
    CHECK(wrong.text.find(" -o ") == std::string::npos);
    write(lab.dir() / "exercise/context.cpp", "int f() { return 0; }\n");
    CHECK(lab.grade("check", "--build 09_broken/build").status == 0);

    // A warning is told when a test fails, also by the next check, which compiles nothing; and not when all pass.
    write(lab.dir() / "exercise/context.cpp", "int f() {\n    int unused = 1;\n    return 0;\n}\n");
    const Answer passes = lab.grade("check", "--build 09_broken/build");
    CHECK(passes.status == 0);
    CHECK(passes.text.find("warning") == std::string::npos);
    lab.steps({"1.2"}).tests("^1\\.2 ");
    for (int again = 0; again < 2; ++again) {
        const Answer warned = lab.grade("check", "--build 09_broken/build");
        CHECK(warned.status == 1);
        CHECK(warned.text.find("The compiler warns of your files:\n  ") != std::string::npos);
        CHECK(warned.text.find("exercise/context.cpp:2:9: warning: unused variable") != std::string::npos);
    }
    write(lab.dir() / "exercise/context.cpp", "int f() { return 0; }\n");
    CHECK(lab.grade("check", "--build 09_broken/build").text.find("warn") == std::string::npos);

    // A build that is stopped: it says so, and no compiler goes on.
    write(lab.dir() / "CMakeLists.txt",
          "cmake_minimum_required(VERSION 3.22)\nproject(p NONE)\n"
          "add_custom_target(lab09_tests COMMAND sleep 987654)\n");
    const Answer stopped = lab.grade("check", "--build 09_broken/build --build-time 1");
    CHECK(stopped.status == 2);
    CHECK(stopped.text.find("The build was stopped: it did not end within 1 s.") != std::string::npos);
    CHECK(stopped.text.find("does not compile") == std::string::npos);
    CHECK(run("pgrep -f '[s]leep 987654'").text == "");
}

TEST_CASE("grader: a full disk is no mistake of the student's file") {
    Lab lab("disk");
    lab.steps({"1.1"}).tests("^1\\.1 ");
    write(lab.dir() / "CMakeLists.txt",
          "cmake_minimum_required(VERSION 3.22)\nproject(p NONE)\n"
          "add_custom_target(lab09_tests COMMAND sh -c \"echo ar: lib.a: No space left on device >&2; exit 1\" "
          "VERBATIM)\n");
    run("cmake -G Ninja -S " + lab.dir().string() + " -B " + lab.dir().string() + "/build");
    const Answer full = lab.grade("check", "--build 09_broken/build");
    INFO(full.text);
    CHECK(full.status == 2);
    CHECK(full.text.find("The disk is full") != std::string::npos);
    CHECK(full.text.find("does not compile") == std::string::npos);
}

TEST_CASE("grader: a wrong call is one sentence, and help names every option") {
    Lab lab("calls");
    lab.steps({"1.1"}).tests("^1\\.1 ");
    const auto refused = [&](const std::string& call, const std::string& sentence) {
        INFO(call);
        const Answer answer = run("cd " + lab.dir().string() + "/.. && " GRADER " " + call);
        CHECK(answer.status == 2);
        CHECK(answer.text.find(sentence) != std::string::npos);
        CHECK(std::count(answer.text.begin(), answer.text.end(), '\n') == 1);
    };
    refused("check --program 09_broken/tests", "--lab is required. See \"grader check --help\"");
    refused("nonsense", "See \"grader --help\"");
    refused("", "See \"grader --help\"");
    refused("all --lab 09_broken --program 09_broken/tests --only 1.1", "--only");
    refused("all --lab 09_broken --program 09_broken/tests --time soon", "--time");
    refused("all --lab 09_broken --program 09_broken/tests --parallel 0", "--parallel");
    const Answer help = run(GRADER " check --help");
    CHECK(help.status == 0);
    for (const char* option : {"--lab", "--program", "--build", "--traces", "--time", "--parallel", "--only", "--json"})
        CHECK(help.text.find(option) != std::string::npos);
}

TEST_CASE("grader: a trace of sets alone can be watched") {
    const Answer answer = tell("1.30");
    INFO(answer.text);
    CHECK(answer.text.find("./lab view ") != std::string::npos);
    CHECK(answer.text.find("There is nothing to watch") == std::string::npos);
}
