// The command line of a lab's demos.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "labs/kit/demo/command_line.h"
#include "testing/catch.h"

using namespace fiberscope::kit;

namespace {

constexpr const char* kStrategies[] = {"fifo", "lifo"};
constexpr const char* kSeveral[] = {"lifo"};
constexpr DemoOption kOwn[] = {{"port", "P", "Where"}};
const Demo kDemos[] = {
    {.name = "turns",
     .description = "some take turns",
     .run = nullptr,
     .strategies = kStrategies,
     .acting = {.machines = kSeveral}},
    {.name = "server", .description = "one serves", .run = nullptr, .clocks = kMonotonicOnly, .options = kOwn}};

struct Read {
    std::optional<detail::DemoCall> call;
    int status = -1;
};

Read read(std::vector<std::string> words) {
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    Read result;
    result.call = detail::read_demo_call(pointers, kDemos, result.status);
    if (result.call) result.call->settle();
    return result;
}

}  // namespace

TEST_CASE("a demo is a verb with the options that all have and its own", "[kit]") {
    const Read turns = read({"turns", "--seed", "7", "--machines=3", "--strategy", "lifo", "--clock", "monotonic"});
    REQUIRE(turns.call);
    CHECK(turns.call->demo == &kDemos[0]);
    CHECK(turns.call->options.seed == 7);
    CHECK(turns.call->options.machines == 3);
    CHECK(turns.call->options.machines_given);
    CHECK(turns.call->options.strategy == "lifo");
    CHECK(turns.call->options.clock == "monotonic");
    const Read server = read({"server", "--port", "9,10", "--out", "a.json"});
    REQUIRE(server.call);
    CHECK(server.call->options.option("port", "1") == "9,10");
    CHECK(server.call->options.out == "a.json");
}

TEST_CASE("a demo lists the options that have an effect, for scripts", "[kit]") {
    constexpr DemoOption kOptions[] = {
        {"tasks", "N", ""}, {"quantum", "TIME", ""}, {"file", "FILE", ""}, {"ip", "IP", ""}};
    const Demo turned{.name = "turned",
                      .description = "",
                      .run = nullptr,
                      .strategies = kStrategies,
                      .acting = {true, kSeveral},
                      .options = kOptions};
    CHECK(detail::knobs_of(turned) ==
          "strategy\tchoice\tfifo\tfifo,lifo\t\nmachines\tnumber\t2\t\tlifo\n"
          "lock-ns\tnumber\t0\t\tlifo\nseed\tnumber\t1\t\t\n"
          "tasks\tnumber\t\t\t\nquantum\ttime\t\t\t\nfile\tfile\t\t\t\n");
    INFO("knobs include no seed without effect, no single strategy, and nothing outside");
    CHECK(detail::knobs_of({.name = "still", .description = "", .run = nullptr}).empty());
    CHECK(detail::knobs_of(
              {.name = "outside", .description = "", .run = nullptr, .acting = {true}, .clocks = kMonotonicOnly})
              .empty());
    const Read asked = read({"turns", "--knobs"});
    CHECK((!asked.call && asked.status == 0));
}

TEST_CASE("defaults: the first strategy, the virtual clock, and a file with the demo's name", "[kit]") {
    const Read turns = read({"turns"});
    REQUIRE(turns.call);
    CHECK(turns.call->options.strategy == "fifo");
    CHECK(turns.call->options.clock == "virtual");
    CHECK(turns.call->options.out == "turns.json");
    CHECK_FALSE(turns.call->options.machines_given);
}

TEST_CASE("a wrong command line of a demo is refused with status 2", "[kit]") {
    std::istringstream lines(
        ", nosuch, turns --seed x, turns --seed -1, turns --seed 7x, turns --seed 18446744073709551616, "
        "turns --seed, turns --strategy all --machines 0, turns --strategy all --machines 65, turns "
        "--strategy all --machines 2x, turns --lock-ns -1, turns --lock-ns 1000001, turns --clock sun, "
        "turns --machines 2, turns --strategy fifo --lock-ns 1, server --machines 2, server --clock "
        "virtual, turns --strategy none, turns --port 9, server --strategy fifo, server more, server "
        "--port, --nosuch");
    for (std::string line; std::getline(lines, line, ',');) {
        CAPTURE(line);
        std::istringstream in(line);
        const Read result = read({std::istream_iterator<std::string>(in), {}});
        CHECK_FALSE(result.call);
        CHECK(result.status == 2);
    }
}

TEST_CASE("help and lists are answered with status 0", "[kit]") {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"--help"}, {"--list"}, {"--list-all"}, {"turns", "--help"}}) {
        const Read result = read(words);
        CHECK_FALSE(result.call);
        CHECK(result.status == 0);
    }
}

namespace {

/// Creates a file with this content, runs a demo that writes to it, and returns its new content.
std::string left_by_a_demo_that_refuses(const std::string& words) {
    const auto file = std::filesystem::temp_directory_path() / ("fiberscope-older-" + std::to_string(::getpid()));
    std::ofstream(file) << words;
    const Demo refuses{.name = "refuses",
                       .description = "takes no options",
                       .run = [](const DemoOptions&) {},
                       .check = [](const DemoOptions&) { throw std::runtime_error("this port is taken"); }};
    std::string name = "demo", verb = "refuses", out = "--out", path = file.string();
    char* arguments[] = {name.data(), verb.data(), out.data(), path.data()};
    const int status = demo_main(4, arguments, std::span(&refuses, 1));
    std::stringstream left;
    left << "status " << status << ": " << std::ifstream(file).rdbuf();
    std::filesystem::remove(file);
    return left.str();
}

}  // namespace

TEST_CASE("a demo that refuses its options leaves an older recording as it is", "[kit]") {
    CHECK(left_by_a_demo_that_refuses("an older recording") == "status 1: an older recording");
}
