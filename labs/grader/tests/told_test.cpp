// What a step asks for and its tests cannot see.
#include <string>

#include "labs/grader/tests/made_lab.h"
#include "testing/catch.h"

using namespace fiberscope::grader::testing;

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
