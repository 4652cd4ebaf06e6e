// The programs with channels give the same as Go's own, by each strategy.
#include <cstdio>
#include <string>
#include <vector>

#include "labs/04_scheduler/beyond/channels/programs/programs.h"
#include "labs/04_scheduler/tasks.h"
#include "labs/kit/testing/clock.h"
#include "testing/catch.h"

using namespace fiberscope;
using namespace fiberscope::lab04;

namespace {

std::vector<int> by(const char* strategy, unsigned machines, const std::function<std::vector<int>()>& program) {
    kit::testing::use_virtual_time();
    Scheduler scheduler(Settings{.strategy = strategy, .machines = machines});
    std::vector<int> result;
    go([&] { result = program(); });
    CHECK(scheduler.run().empty());
    return result;
}

#ifdef GO_PEER
std::vector<int> by_go(const std::string& program, int machines) {
    std::vector<int> result;
    FILE* const output = popen((GO_PEER " " + program + " " + std::to_string(machines)).c_str(), "r");
    REQUIRE(output != nullptr);
    for (int value = 0; std::fscanf(output, "%d", &value) == 1;) result.push_back(value);
    CHECK(pclose(output) == 0);
    return result;
}
#endif

}  // namespace

TEST_CASE("channels: each program gives the same by every strategy") {
    for (const auto& [name, program] : channels::kPrograms) {
        INFO(name);
        const std::vector<int> expected = by("producer_consumer", 1, program);
        CHECK(expected.size() > 2);
        for (const char* strategy : {"multi_state", "libco", "hand_off"}) CHECK(by(strategy, 1, program) == expected);
        for (const char* strategy : {"sylar", "netco", "go"}) CHECK(by(strategy, 2, program) == expected);
    }
}

TEST_CASE("channels: each program gives the same as Go itself") {
#ifdef GO_PEER
    for (const auto& [name, program] : channels::kPrograms)
        for (const int machines : {1, 2}) {
            INFO(name);
            CHECK(by("go", static_cast<unsigned>(machines), program) == by_go(name, machines));
        }
#else
    WARN("Go is not installed: its programs are not compared; './lab setup' says how to install it");
#endif
}
