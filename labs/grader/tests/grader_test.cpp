// The grader against programs that are broken on purpose. What it says is compared with golden/; after a wanted change
// of its words run this with FIBERSCOPE_UPDATE_GOLDENS=1 and read the difference.
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "testing/catch.h"

namespace fs = std::filesystem;

namespace {

struct Answer {
    int status;
    std::string text;
};

Answer run(const std::string& command) {
    FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
    std::string text;
    char buffer[4096];
    for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
    const int status = ::pclose(pipe);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text};
}

void write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

std::string read(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

/// A lab of its own under SCRATCH whose test program lists and runs some of the broken tests.
class Lab {
  public:
    explicit Lab(const std::string& name) : dir_(fs::path(SCRATCH) / name / "09_broken") {
        fs::remove_all(dir_.parent_path());
    }

    /// Gives the lab steps with these numbers.
    Lab& steps(const std::vector<std::string>& numbers) {
        auto list = nlohmann::ordered_json::array();
        for (const std::string& n : numbers)
            list.push_back({{"step", n},
                            {"title", "step " + n},
                            {"file", "exercise/" + n + ".cpp"},
                            {"read", {"README.md#" + n}}});
        return described(list);
    }
    Lab& described(const nlohmann::ordered_json& list) {
        write(dir_ / "steps.json", list.dump(1));
        return *this;
    }
    /// Makes a test program of those broken tests whose names match the pattern (of grep -E).
    Lab& tests(const std::string& pattern) {
        script("tests", pattern);
        return *this;
    }
    /// Makes a test program that lists what `listing`, a script, prints; each of these fails.
    Lab& program(const std::string& listing) {
        write(dir_ / "tests", "#!/bin/sh\nif [ \"$1\" = --names ]; then " + listing + "else exit 1; fi\n");
        fs::permissions(dir_ / "tests", fs::perms::owner_all);
        return *this;
    }
    void script(const std::string& name, const std::string& pattern) const {
        const fs::path file = dir_ / name;
        write(file, "#!/bin/sh\nif [ \"$1\" = --names ]; then " BROKEN_TESTS " --names | grep -E '" + pattern +
                        "'; else exec " BROKEN_TESTS " \"$@\"; fi\n");
        fs::permissions(file, fs::perms::owner_all);
    }
    Answer grade(const std::string& mode, const std::string& options = "") const {
        return run("cd " + dir_.string() + "/.. && " GRADER " " + mode + " --lab 09_broken --program 09_broken/tests " +
                   "--traces traces --parallel 2 " + options);
    }
    fs::path dir() const { return dir_; }

  private:
    fs::path dir_;
};

/// Without what differs from machine to machine: this tree's place, the compiler's and the line numbers.
std::string normalized(std::string text) {
    text = std::regex_replace(text, std::regex("\\.cpp:[0-9]+"), ".cpp:LINE");
    text = std::regex_replace(text, std::regex("[^ \"]*/grader/testing/"), "…/grader/testing/");
    // What a compiler inlines, it names in its own way.
    text = std::regex_replace(text, std::regex("\n *(called by|调用者)  [^\n]*"), "");
    text = std::regex_replace(text, std::regex("\n( *)in         [^\n]*  (labs/[^\n]*)"), "\n$1in FUNCTION  $2");
    text = std::regex_replace(text, std::regex("\n *in         [^\n]*"), "");  // of the C library
    // How fast it prints is the machine's matter, and so which limit it meets.
    text = std::regex_replace(text, std::regex("did not end within [^;]*"), "did not end within LIMIT");
    // The size of the main thread's stack is the system's choice.
    return std::regex_replace(text, std::regex("stack of [0-9]+ (bytes|KiB)"), "stack of SIZE");
}

void compare_with_golden(const std::string& name, const std::string& text) {
    const fs::path file = fs::path(GOLDEN) / (name + ".txt");
    const std::string said = normalized(text);
    if (std::getenv("FIBERSCOPE_UPDATE_GOLDENS") != nullptr) write(file, said);
    INFO("what the grader says differs from " << file << "; it said:\n" << said);
    CHECK(said == read(file));
}

/// What `all` says about the one broken test of step `number`.
Answer tell(const std::string& number, const std::string& options = "") {
    Lab lab("all_" + number);
    lab.steps({number}).tests("^" + number + " ");
    return lab.grade("all", options);
}

}  // namespace

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
        {"1.23", false, ""}, {"1.24", true, "--time 0.4"},
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

TEST_CASE("grader: check tells the first failure and what to do") {
    Lab lab("check");
    lab.steps({"1.1", "1.2", "1.3", "1.11"}).tests("^1\\.(1|2|3|11) ");
    const Answer answer = lab.grade("check");
    CHECK(answer.status == 1);
    compare_with_golden("check_failure", answer.text);
}

TEST_CASE("grader: a crash leaves a core dump when that is asked for, and the story names the command that opens it") {
    Lab lab("core");
    lab.steps({"1.1", "1.3"}).tests("^1\\.(1|3) ");
    std::string pattern;
    std::getline(std::ifstream("/proc/sys/kernel/core_pattern"), pattern);
    const Answer answer = lab.grade("check", "--core");
    INFO(answer.text);
    CHECK(answer.status == 1);
    const fs::path core = lab.dir() / ".." / "traces" / "1.3_uses_a_null_pointer.core";
    if (pattern.starts_with("core")) {
        CHECK(answer.text.find("The core:  ./lab debug 09 --core traces/1.3_uses_a_null_pointer.core") !=
              std::string::npos);
        CHECK(
            read(core).starts_with("\x7f"
                                   "ELF"));
    } else {
        CHECK(answer.text.find("It left no core dump: the kernel's setting is '" + pattern) != std::string::npos);
    }
    CHECK_FALSE(fs::exists(lab.dir() / ".." / "traces" / "1.3_uses_a_null_pointer.json.d"));
    fs::remove(core);
    CHECK(lab.grade("check").text.find("The core:") == std::string::npos);
    CHECK_FALSE(fs::exists(core));
}

TEST_CASE("grader: check names the next step when nothing failed") {
    Lab lab("next");
    lab.steps({"1.1", "1.11"}).tests("^1\\.(1|11) ");
    const Answer answer = lab.grade("check");
    CHECK(answer.status == 1);
    compare_with_golden("check_next", answer.text);
}

TEST_CASE("grader: check names every file of a step") {
    Lab lab("files");
    auto list = nlohmann::ordered_json::array();
    list.push_back({{"step", "1.11"}, {"title", "two files"}, {"file", {"exercise/a.cpp", "exercise/b.cpp"}}});
    lab.described(list).tests("^1\\.11 ");
    compare_with_golden("check_files", lab.grade("check").text);
    list[0]["file"] = nlohmann::ordered_json::array();
    lab.described(list);
    CHECK(lab.grade("check").status == 2);
}

TEST_CASE("grader: check says when the lab is solved, with and without optional steps") {
    Lab lab("solved");
    lab.steps({"1.1", "1.16"}).tests("^1\\.(1|16) ");
    const Answer whole = lab.grade("check");
    CHECK(whole.status == 0);
    compare_with_golden("check_solved", whole.text);

    auto list = nlohmann::ordered_json::array();
    list.push_back({{"step", "1.1"}, {"title", "the one to do"}, {"file", "exercise/a.cpp"}});
    list.push_back({{"step", "1.11"}, {"title", "the hard one"}, {"file", "exercise/b.cpp"}, {"challenge", true}});
    lab.described(list).tests("^1\\.(1|11) ");
    const Answer optional = lab.grade("check");
    CHECK(optional.status == 0);
    compare_with_golden("check_optional", optional.text);
}

TEST_CASE("grader: what works a little and waits, for ever, is ended too") {
    const Answer answer = tell("1.19", "--time 0.2");
    CHECK(answer.status == 1);
    CHECK(answer.text.find("also when it was run again, alone") != std::string::npos);
}

TEST_CASE("grader: one test that hangs does not end the others, three do, so that the answer comes soon") {
    Lab lab("hanging");
    lab.steps({"1.1", "1.3", "1.5", "1.16"}).tests("^1\\.(1|3|5|16) ");
    const Answer one = lab.grade("check", "--time 0.4 --parallel 1");
    CHECK(one.status == 1);
    CHECK(one.text.find("not tried") == std::string::npos);
    CHECK(one.text.find("✓ 1.16") != std::string::npos);

    lab.steps({"1.5", "1.8", "1.15", "1.16"}).tests("^1\\.(5|8|15|16) ");
    const Answer three = lab.grade("check", "--time 0.3 --parallel 1");
    CHECK(three.status == 1);
    CHECK(three.text.find("– 1.16 step 1.16  not tried") != std::string::npos);
    CHECK(three.text.find("also when it was run again, alone") != std::string::npos);
}

TEST_CASE("grader: the verdict is about a pinpoint test first, then a story, then one of very many") {
    Lab lab("order");
    auto list = nlohmann::ordered_json::array();
    list.push_back({{"step", "2.1"},
                    {"title", "t"},
                    {"file", "exercise/a.cpp"},
                    {"or", {{{"file", "exercise/b.cpp"}, {"what", "take_out"}}}}});
    lab.described(list).program(
        "echo '2.1 very many of them'\necho '2.1 the order in the trace'\necho '2.1 a sleeper wakes'\n");
    const Answer answer = lab.grade("check", "--json report.json");
    CHECK(answer.text.find("✗ 2.1 a sleeper wakes\n") != std::string::npos);
    CHECK(answer.text.find("  edit  09_broken/exercise/a.cpp\n  or    take_out, 09_broken/exercise/b.cpp\n") !=
          std::string::npos);
    const auto tests = nlohmann::json::parse(read(lab.dir() / ".." / "report.json")).at("tests");
    CHECK(tests.at(1).at("name") == "2.1 the order in the trace");
    CHECK(tests.at(2).at("name") == "2.1 very many of them");
}

TEST_CASE("grader: a failure in a lab that this one stands on is to be repaired first") {
    Lab lab("above");
    lab.steps({"1.1", "1.2"}).tests("^1\\.(1|2) ");
    const fs::path below = lab.dir().parent_path() / "08_below";
    const auto below_has = [&](const char* tests, const nlohmann::ordered_json& steps) {
        write(below / "steps.json", steps.dump());
        write(lab.dir() / "lab08_tests", "#!/bin/sh\nif [ \"$1\" = --names ]; then " BROKEN_TESTS " --names | grep '" +
                                             std::string(tests) + "'; else exec " BROKEN_TESTS " \"$@\"; fi\n");
        fs::permissions(lab.dir() / "lab08_tests", fs::perms::owner_all);
    };
    below_has("^1.3 ", {{{"step", "1.3"}, {"title", "t"}, {"file", "exercise/a.cpp"}}});
    const Answer wrong = lab.grade("check", "--below 08_below");
    CHECK(wrong.status == 1);
    CHECK(wrong.text.find("Lab 08, which this one stands on: 0 of 1 tests of 1.3 pass. Repair that first.\n"
                          "  type  ./lab check 08\n") != std::string::npos);
    CHECK(wrong.text.find("Repair step") == std::string::npos);
    INFO("it is said first, and again below the story");
    CHECK(wrong.text.starts_with("Lab 08, which this one stands on"));
    CHECK(wrong.text.rfind("Lab 08, which this one stands on") > wrong.text.find("step 1.2"));

    below_has("^1.1 ", {{{"step", "1.1"}, {"title", "t"}, {"file", "exercise/a.cpp"}}});
    const Answer right = lab.grade("check", "--below 08_below");
    CHECK(right.text.find("The labs that this one stands on pass their tests") != std::string::npos);
    CHECK(right.text.find("Repair step 1.2") != std::string::npos);
}

TEST_CASE("grader: the verdict on a lab below is kept until its tests are built anew") {
    Lab lab("kept");
    lab.steps({"1.1"}).tests("^1\\.1 ");
    const fs::path dir = lab.dir().parent_path(), below = dir / "08_below";
    write(below / "steps.json", R"([{"step": "1.3", "title": "t", "file": "exercise/a.cpp"}])");
    write(lab.dir() / "lab08_tests", "#!/bin/sh\necho run >> " + (dir / "runs").string() +
                                         "\nif [ \"$1\" = --names ]; then echo '1.3 x'; else exit 1; fi\n");
    fs::permissions(lab.dir() / "lab08_tests", fs::perms::owner_all);
    const auto check = [&] { return lab.grade("check", "--below 08_below").text; };
    const std::string first = check(), runs = read(dir / "runs");
    CHECK(first.starts_with("Lab 08, which this one stands on: 0 of 1 tests of 1.3 pass."));
    CHECK(!runs.empty());
    CHECK(check() == first);
    CHECK(read(dir / "runs") == runs);
    fs::last_write_time(lab.dir() / "lab08_tests",
                        fs::last_write_time(lab.dir() / "lab08_tests") + std::chrono::seconds(2));
    CHECK(check() == first);
    CHECK(read(dir / "runs").size() == 2 * runs.size());
}

TEST_CASE("grader: a failed test is run on a stand-in for the labs below, which tells whose mistake it is") {
    Lab lab("stand_in");
    lab.steps({"1.2"}).tests("^1\\.2 ");
    const auto stand_in = [&](const std::string& run) {
        write(lab.dir() / "stand_in", "#!/bin/sh\n" + run + "\n");
        fs::permissions(lab.dir() / "stand_in", fs::perms::owner_all);
        return lab.grade("check", "--stand-in 09_broken/stand_in").text;
    };
    CHECK(stand_in("exec " BROKEN_TESTS " \"$@\"").find("this test fails too") != std::string::npos);
    CHECK(stand_in("exec " BROKEN_TESTS " --one '1.1 passes'").find("this test passes") != std::string::npos);
}

TEST_CASE("grader: what it says is chosen by --language, or by the environment") {
    Lab lab("language");
    lab.steps({"1.1", "1.2", "1.11"}).tests("^1\\.(1|2|11) ");
    write(lab.dir() / "README.zh.md", "# Lab\n\n## Step 1.2: 恢复与`让出`\n");
    const Answer chosen = lab.grade("check", "--language zh");
    compare_with_golden("check_chinese", chosen.text);
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

TEST_CASE("grader: a mutant must die by the test that it names") {
    Lab lab("mutants");
    lab.steps({"1.1", "1.2", "1.3"}).tests("^1\\.(1|2|3) ");
    for (const char* name : {"lab09_mutant_dies", "lab09_mutant_lives"})
        lab.script("mutants/" + std::string(name), "^1\\.(1|2|3) ");
    const auto list = [](const char* name, const char* by) {
        return nlohmann::json::array(
            {{{"name", name}, {"file", "a.cpp"}, {"find", "x"}, {"replace", "y"}, {"killed_by", by}, {"lesson", "l"}}});
    };
    write(lab.dir() / "mutants.json", list("dies", "1.3 uses a null pointer").dump());
    CHECK(lab.grade("mutants").status == 0);

    write(lab.dir() / "mutants.json", list("lives", "1.1 passes").dump());
    const Answer alive = lab.grade("mutants");
    CHECK(alive.status == 1);
    compare_with_golden("mutant_alive", alive.text);

    auto told = list("dies", "1.3 uses a null pointer");
    told[0]["sentence"] = "a null pointer was used";
    write(lab.dir() / "mutants.json", told.dump());
    CHECK(lab.grade("mutants").status == 0);
    told[0]["sentence"] = "the stack overflowed";
    write(lab.dir() / "mutants.json", told.dump());
    CHECK(lab.grade("mutants").text.find("The verdict must say: the stack overflowed") != std::string::npos);

    write(lab.dir() / "mutants.json", list("not_built", "1.1 passes").dump());
    CHECK(lab.grade("mutants").status == 1);
    write(lab.dir() / "mutants.json", list("dies", "1.4 is no test here").dump());
    CHECK(lab.grade("mutants").status == 2);
    write(lab.dir() / "mutants.json", "[]");
    CHECK(lab.grade("mutants").status == 1);
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
