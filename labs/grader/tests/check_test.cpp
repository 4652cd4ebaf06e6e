// What `check` says to a student about programs that are broken on purpose.
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <regex>

#include "labs/grader/tests/made_lab.h"
#include "testing/catch.h"

using namespace fiberscope::grader::testing;
namespace fs = std::filesystem;

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

TEST_CASE("grader: the processor time of a test's child counts while it runs") {
    Lab lab("child");
    lab.steps({"2.1"}).program("echo '2.1 its child'\nelif :; then (while :; do :; done) & wait\n");
    const Answer answer = lab.grade("check", "--time 0.5");
    INFO(answer.text);
    CHECK(answer.text.find("did not end within 0.5 s of processor time") != std::string::npos);
}

TEST_CASE("grader: children that have ended do not count: a test may try many short ones") {
    Lab lab("children");
    lab.steps({"2.1"}).program(
        "echo '2.1 its children'\nelif :; then for n in 1 2 3 4 5 6; do sh -c 'i=0; while [ $i -lt 60000 ]; do "
        "i=$((i + 1)); done'; done\nprintf 'failed\\ta.cpp\\t1\\tx == 1\\t0 == 1\\tthe bread is sold\\n' >&3\n");
    const Answer answer = lab.grade("check", "--time 0.3");
    INFO(answer.text);
    CHECK(answer.text.find("did not end") == std::string::npos);
    CHECK(answer.text.find("the bread is sold") != std::string::npos);
}

TEST_CASE("grader: what a test has left in the directory for such files is gone when the test has ended") {
    Lab lab("scratch");
    lab.steps({"1.1"});
    write(lab.dir() / "tests",
          "#!/bin/sh\nif [ \"$1\" = --names ]; then echo '1.1 leaves a file'; else echo it >\"$TMPDIR/left\"; "
          "echo \"there: $(cat \"$TMPDIR/left\") in $TMPDIR.\"; fi\n");
    fs::permissions(lab.dir() / "tests", fs::perms::owner_all);
    const std::string text = lab.grade("check").text;
    const std::size_t from = text.find("there: it in /");
    REQUIRE(from != text.npos);
    const std::string made = text.substr(from + 13, text.find('.', from) - from - 13);
    INFO(made);
    CHECK(fs::path(made) != fs::temp_directory_path());
    CHECK(!fs::exists(made));
}

TEST_CASE("grader: what a lab below has left to do is told, and not what is next here") {
    Lab lab("missing_below");
    lab.steps({"1.12"}).tests("^1\\.12 ");
    const std::string text = lab.grade("check").text;
    INFO(text);
    CHECK(text.find("· 1.12 step 1.12  needs step 1.2 first\n") != text.npos);
    CHECK(text.find("its step 1.2 is still to do. Do that first.\n  type  ./lab check 01\n") != text.npos);
    CHECK(text.find("Next:") == text.npos);
}

TEST_CASE("grader: of a step that waits for an earlier one the earlier one is next") {
    Lab lab("waits_for_earlier");
    lab.steps({"1.2", "1.12"}).tests("^1\\.(2|12) ");
    const std::string text = lab.grade("check", "--only 1.12").text;
    INFO(text);
    CHECK(text.find("· 1.12 step 1.12  needs step 1.2 first\n") != text.npos);
    CHECK(text.find("\nNext: step 1.2, step 1.2\n") != text.npos);
    CHECK(text.find("Next: step 1.12") == text.npos);
}

TEST_CASE("grader: where one step is checked, an earlier one that failed when it was checked last is named") {
    Lab lab("earlier_failed");
    lab.steps({"1.2", "1.4", "1.11"}).tests("^1\\.(2|4|11) ");
    const auto text = [&](const std::string& step) {
        return lab.grade("check", "--json report.json --only " + step).text;
    };
    constexpr const char* kEarlier = "Step 1.2 did not pass when it was checked last.";
    CHECK(text("1.4").find(kEarlier) == std::string::npos);
    CHECK(text("1.2").find(kEarlier) == std::string::npos);
    const std::string later = text("1.4");
    INFO(later);
    CHECK(later.find("Repair step 1.4") != later.npos);
    CHECK(later.find(kEarlier) != later.npos);
    CHECK(lab.grade("check", "--json report.json").text.find(kEarlier) == std::string::npos);
}

TEST_CASE("grader: a step is not a part of the name of another") {
    Lab lab("exact_step");
    lab.steps({"1.1", "1.16"}).tests("^1\\.(1|16) ");
    const std::string text = lab.grade("check", "--only 1.1").text;
    CHECK(text.find("1.1 ") != text.npos);
    CHECK(text.find("✓ 1.16") == text.npos);
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

    INFO("one that came solved, and was left so, is not tried");
    write(below / "exercise/a.cpp", "");
    write(lab.dir() / "../solved_through", "8\n");
    CHECK(lab.grade("check", "--below 08_below").text.find("Lab 08") == std::string::npos);
    const auto given = fs::last_write_time(lab.dir() / "../solved_through");
    fs::last_write_time(below / "exercise/a.cpp", given + std::chrono::seconds(1));
    CHECK(lab.grade("check", "--below 08_below").text.starts_with("Lab 08, which this one stands on"));

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

TEST_CASE("grader: a test that fails on the stand-in too is this lab's, and no lab below is tried") {
    Lab lab("blame");
    lab.steps({"1.2"}).tests("^1\\.2 ");
    const fs::path dir = lab.dir().parent_path(), below = dir / "08_below";
    write(below / "steps.json", R"([{"step": "1.3", "title": "t", "file": "exercise/a.cpp"}])");
    const auto program = [&](const char* name, const std::string& run) {
        write(lab.dir() / name, "#!/bin/sh\n" + run + "\n");
        fs::permissions(lab.dir() / name, fs::perms::owner_all);
    };
    const auto check = [&] { return lab.grade("check", "--below 08_below --stand-in 09_broken/stand_in").text; };
    program("stand_in", "exec " BROKEN_TESTS " \"$@\"");
    const std::string here = check();
    CHECK(here.find("the mistake is in this lab") != std::string::npos);
    CHECK(here.find("Repair step 1.2") > here.find("the mistake is in this lab"));
    INFO("where it passes, the lab below that has a failed test is named");
    program("stand_in", "exec " BROKEN_TESTS " --one '1.1 passes'");
    program("lab08_tests", "if [ \"$1\" = --names ]; then echo '1.3 x'; else exit 1; fi");
    CHECK(check().find("Lab 08, which this one stands on: 0 of 1 tests of 1.3 pass.") != std::string::npos);
}

TEST_CASE("grader: a program that a person starts says what is not written yet") {
    CHECK(run(BROKEN_TESTS " --one '1.11 is not implemented'")
              .text.find("not implemented: step 1.11 resume(): enter the coroutine\nedit ") != std::string::npos);
}

TEST_CASE("grader: a step that is solved names the next one that is not") {
    Lab lab("next_of_step");
    lab.steps({"1.1", "1.2", "1.14", "1.16"}).tests("^1\\.(1|2|14|16) ");
    const auto after = [&](const std::string& step) {
        const std::string text = lab.grade("check", "--json report.json --only " + step).text;
        const std::size_t at = text.find("\nNext: ");
        return at == text.npos ? "" : text.substr(at + 1, text.find('\n', at + 1) - at - 1);
    };
    CHECK(after("1.1") == "Next: step 1.2, step 1.2");
    lab.grade("check", "--json report.json");  // 1.14 and 1.16 pass
    CHECK(after("1.1") == "Next: step 1.2, step 1.2");
    CHECK(after("1.14") == "Next: the whole lab");
    CHECK(after("'1.1 passes'") == "Next: the whole lab");
    CHECK(lab.grade("check", "--json report.json --only 1.14")
              .text.find("\nNext: the whole lab\n  type  ./lab check 09\n") != std::string::npos);
}

TEST_CASE("grader: a lab that is solved names a demo of it that can be watched") {
    Lab lab("demo_of_solved");
    lab.steps({"1.1"}).tests("^1\\.1 ");
    const fs::path samples = lab.dir() / "../../traces/samples";
    write(samples / "09_second.json", "");
    write(samples / "09_first.json", "");
    write(samples / "08_another.json", "");
    const std::string text = lab.grade("check").text;
    fs::remove_all(samples.parent_path());
    CHECK(text.find("watch it  ./lab run 09 first --mine\n") != text.npos);
}

TEST_CASE("grader: a test that records without end leaves a small recording, and the story says where it stops") {
    Lab lab("records");
    lab.steps({"1.29"}).tests("^1\\.29 ");
    ::setenv("FIBERSCOPE_TRACE_LIMIT", "1500000", 1);
    const std::string text = lab.grade("check", "--time 0.3").text;
    ::unsetenv("FIBERSCOPE_TRACE_LIMIT");
    INFO(text);
    CHECK(text.find("The recording stops at 2 MiB: ") != text.npos);
    CHECK(text.find(" later events are not in it.") != text.npos);
    CHECK(fs::file_size(lab.dir() / ".." / "traces" / "1.29_notes_without_end.json") < 1'500'100);
}

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

TEST_CASE("grader: a step that is checked alone counts in the report, and the others stay as they were") {
    Lab lab("step_counts");
    const auto results = [&] {
        std::string all;
        const auto report = nlohmann::json::parse(read(lab.dir() / "../report.json"));
        for (const auto& test : report.at("tests"))
            all += test.at("name").get<std::string>().substr(0, 4) + test.at("result").get<std::string>() + "\n";
        return all;
    };
    lab.steps({"1.1", "1.2", "1.11"}).tests("^1\\.(1|2|11) ");
    lab.grade("check", "--json report.json --only 1.1");
    CHECK(results() == "1.1 passed\n");
    lab.grade("check", "--json report.json");
    const std::string whole = results();
    lab.grade("check", "--json report.json --only 'no test of a step'");
    CHECK(results() == whole);
    write(
        lab.dir() / "../report.json",
        R"({"tests": [{"name": "1.1 as it was", "result": "failed"}, {"name": "1.2 as it was", "result": "passed"}]})");
    lab.grade("check", "--json report.json --only 1.1");
    CHECK(results() == "1.2 passed\n1.1 passed\n");

    // A lab that came solved counts as such until it is checked whole.
    fs::remove(lab.dir() / "../report.json");
    write(lab.dir() / "../solved_through", "9\n");
    lab.grade("check", "--json report.json --only 1.1");
    CHECK_FALSE(fs::exists(lab.dir() / "../report.json"));
}
