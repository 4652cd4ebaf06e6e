// Of several failures, which one is told, and how the others are counted.
#include <filesystem>
#include <string>

#include "labs/grader/tests/made_lab.h"
#include "testing/catch.h"

using namespace fiberscope::grader::testing;
namespace fs = std::filesystem;

TEST_CASE("grader: of one step a test that fails is told, rather than one that hangs before it") {
    Lab lab("hangs_first");
    lab.steps({"2.1"}).program(
        "echo '2.1 the first'\necho '2.1 the second'\n"
        "elif echo \"$*\" | grep -q first; then while :; do :; done\n");
    const Answer answer = lab.grade("check", "--time 0.3 --only 2.1");
    CHECK(answer.text.find("✗ 2.1 the second\n") != std::string::npos);
    CHECK(answer.text.find("✗ 2.1 the first: ") != std::string::npos);
}

TEST_CASE("grader: a large trace is kept only of the failure that is told") {
    Lab lab("large");
    const fs::path large = lab.dir() / "../traces/1.26_fails_and_leaves_a_large_trace.json";
    lab.steps({"1.26"}).tests("^1\\.26 ");
    CHECK(lab.grade("check").status == 1);
    CHECK(fs::file_size(large) > 32 << 20);

    lab.steps({"1.2", "1.26"}).tests("^1\\.(2|26) ");
    CHECK(lab.grade("check").status == 1);
    CHECK_FALSE(fs::exists(large));
    CHECK(fs::exists(lab.dir() / "../traces/1.2_an_assertion_fails_with_values_and_a_message.json"));
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

TEST_CASE("grader: a test of a later step that reaches into every test is told before all others") {
    Lab lab("before_all");
    auto list = nlohmann::ordered_json::array();
    list.push_back({{"step", "2.1"}, {"title", "t"}, {"file", "exercise/a.cpp"}});
    list.push_back(
        {{"step", "2.2"}, {"title", "hook"}, {"file", "exercise/b.cpp"}, {"before_all", {"2.2 finds the next one"}}});
    lab.described(list).program("echo '2.1 a sleeper wakes'\necho '2.2 simple'\necho '2.2 finds the next one'\n");
    const std::string text = lab.grade("check").text;
    INFO(text);
    CHECK(text.find("\n✗ 2.2 finds the next one\n") != std::string::npos);
    CHECK(text.find("  edit  09_broken/exercise/b.cpp\n") != std::string::npos);
}

TEST_CASE("grader: of the failing tests of a step the one that the step lists first is told, one not listed at last") {
    Lab lab("listed_first");
    auto list = nlohmann::ordered_json::array();
    list.push_back({{"step", "2.1"}, {"title", "in an order"}, {"file", "exercise/a.cpp"}});
    list[0]["first"] = {"2.1 the simplest", "2.1 the next", "2.1 one that was there once"};
    lab.described(list).program("echo '2.1 exotic'\necho '2.1 the next'\necho '2.1 the simplest'\n");
    const auto told = [&] {
        const std::string text = lab.grade("check").text;
        const std::size_t at = text.find("\n✗ ");
        return text.substr(at, text.find('\n', at + 1) - at);
    };
    CHECK(told() == "\n✗ 2.1 the simplest");
    list[0]["first"] = {"2.1 the next"};
    lab.described(list);
    CHECK(told() == "\n✗ 2.1 the next");
}

TEST_CASE("grader: a listed test that hangs is told rather than one that is not listed and fails") {
    Lab lab("listed_hangs");
    auto list = nlohmann::ordered_json::array();
    list.push_back({{"step", "2.1"}, {"title", "hangs"}, {"file", "exercise/a.cpp"}, {"first", {"2.1 the first"}}});
    lab.described(list).program(
        "echo '2.1 exotic'\necho '2.1 the first'\n"
        "elif echo \"$*\" | grep -q first; then while :; do :; done\n");
    CHECK(lab.grade("check", "--time 0.3").text.find("\n✗ 2.1 the first\n") != std::string::npos);
}

TEST_CASE("grader: of the listed tests the first is told, also where it hangs and the next one fails") {
    Lab lab("listed_both");
    auto list = nlohmann::ordered_json::array();
    list.push_back({{"step", "2.1"}, {"title", "hangs"}, {"file", "exercise/a.cpp"}});
    list[0]["first"] = {"2.1 the first", "2.1 the next"};
    lab.described(list).program(
        "echo '2.1 the next'\necho '2.1 the first'\n"
        "elif echo \"$*\" | grep -q first; then while :; do :; done\n");
    CHECK(lab.grade("check", "--time 0.3").text.find("\n✗ 2.1 the first\n") != std::string::npos);
}

TEST_CASE("grader: a test that goes on after a failed assertion, and hangs, keeps its place") {
    Lab lab("fails_and_hangs");
    lab.steps({"2.1"}).program(
        "echo '2.1 the first'\necho '2.1 the second'\n"
        "elif echo \"$*\" | grep -q first; then\n"
        "  printf 'failed\\ta.cpp\\t1\\tx == 1\\t0 == 1\\tthe bread is sold\\n' >&3\n"
        "  while :; do :; done\n");
    const Answer answer = lab.grade("check", "--time 0.3");
    INFO(answer.text);
    CHECK(answer.text.find("\n✗ 2.1 the first\n") != std::string::npos);
    CHECK(answer.text.find("the bread is sold") != std::string::npos);
}

TEST_CASE("grader: what several tests say is said once, with their number; those not tried are counted") {
    Lab lab("said_once");
    lab.steps({"2.1"}).program("for n in a b c d; do echo \"2.1 $n\"; done\n");
    const std::string same = lab.grade("check", "--only 2.1").text;
    INFO(same);
    CHECK(same.find("  other tests that say the same: 3\n") != std::string::npos);
    CHECK(same.find("✗ 2.1 b") == std::string::npos);

    lab.program(
        "for n in a b c d e f; do echo \"2.1 hangs $n\"; done\n"
        "elif echo \"$*\" | grep -q hangs; then while :; do :; done\n");
    const std::string hung = lab.grade("check", "--time 0.2 --parallel 1 --only 2.1").text;
    INFO(hung);
    CHECK(hung.find("Tests that were not tried, because three others did not end: 3\n") != std::string::npos);
}

TEST_CASE("grader: a test is chosen by words of its name, in Chinese too") {
    Lab lab("named");
    lab.steps({"1.3"}).program("echo '1.3 yield outside a coroutine is a typed error'\n");
    CHECK(lab.grade("check", "--language zh --only 在协程之外").text.find("✗ 1.3 在协程之外让出") != std::string::npos);
    CHECK(lab.grade("check", "--language en --only 在协程之外").status == 2);
}

TEST_CASE("grader: check lists what a solved step asks for and its tests cannot see, until a later step sees it") {
    constexpr const char* kSeenLater = "insert_by_state: a task that waits for a descriptor, into the wait set";
    Lab lab("unseen");
    auto list = nlohmann::ordered_json::array();
    const auto unseen = [](const char* text, const char* from) {
        nlohmann::ordered_json one{{"text", text}};
        if (*from != '\0') one["from"] = from;
        return one;
    };
    list.push_back({{"step", "1.1"},
                    {"title", "first"},
                    {"file", "exercise/a.cpp"},
                    {"unseen", {unseen(kSeenLater, "1.11"), unseen("it is fast", "")}}});
    list.push_back({{"step", "1.11"}, {"title", "second"}, {"file", "exercise/b.cpp"}});
    lab.described(list).tests("^1\\.(1|11) ");
    const std::string whole = lab.grade("check").text;
    INFO(whole);
    CHECK(whole.find("What step 1.1 asks for and its tests cannot see:\n  " + std::string(kSeenLater) +
                     " (checked from 1.11 on)\n") != std::string::npos);
    CHECK(whole.find("it is fast") == std::string::npos);
    CHECK(lab.grade("check", "--only 1.1").text.find("  it is fast (no test sees it)\n") != std::string::npos);
    CHECK(lab.grade("check", "--language zh").text.find("（从 1.11 起检查）\n") != std::string::npos);
    list[1]["step"] = "1.16";
    list[0]["unseen"][0]["from"] = "1.16";
    lab.described(list).tests("^1\\.(1|16) ");
    CHECK(lab.grade("check").text.find(kSeenLater) == std::string::npos);
    list[0]["unseen"][0].erase("text");
    lab.described(list);
    CHECK(lab.grade("check").status == 2);
}
