// Workloads in files: their contents, their errors, and the same work with every strategy.
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <iterator>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "labs/04_scheduler/parts/settings.h"
#include "labs/04_scheduler/programs/written/file.h"
#include "labs/04_scheduler/programs/written/run.h"
#include "labs/kit/testing/child.h"
#include "labs/kit/testing/clock.h"
#include "labs/kit/testing/recorded.h"
#include "testing/catch.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using kit::kMicrosecond;
using kit::testing::use_virtual_time;

namespace {

constexpr const char* kStrategies[] = {"producer_consumer", "multi_state", "libco", "sylar", "netco", "go",
                                       "hand_off",          "deque"};

std::string example(const char* name) { return std::string(WRITTEN_EXAMPLES "/") + name; }

struct Run {
    written::RunOptions options;
    unsigned machines = 2;
};

trace::Trace record(const char* strategy, const written::File& file, const written::RunOptions& options = {}) {
    return kit::testing::trace_of("written",
                                  [&] { written::run(file, {.strategy = strategy, .machines = 2}, options); });
}

/// Returns for how many ns each task has worked, or why no task can run any more. Runs in a separate process, since no
/// recording can begin after the first coroutine.
std::string run_by(const char* strategy, const written::File& file, const Run& how = {}) {
    const auto answer = kit::answer_of_child(
        [&] {
            use_virtual_time();
            std::string all;
            try {
                for (const std::uint64_t ns : written::run(
                         file, {.strategy = strategy, .machines = how.machines, .seed = how.options.seed}, how.options))
                    all += std::to_string(ns) + " ";
            } catch (const Stuck& stuck) {
                return std::string(stuck.what());
            }
            return all;
        },
        std::chrono::seconds(20));
    return answer.text.value_or("it crashed, or did not end");
}

/// Returns the error message for a text; empty if there is none.
std::string complaint(std::string_view text, std::uint64_t tasks = 0) {
    try {
        written::read_text(text, "w.txt", tasks);
    } catch (const written::FileError& error) {
        return error.what();
    }
    return {};
}

}  // namespace

TEST_CASE("every strategy does the same work of a written workload", "[written]") {
    for (const char* name : {"bakery.txt", "answers.txt"}) {
        const written::File file = written::read_file(example(name));
        const std::string expected = run_by("producer_consumer", file);
        for (const char* strategy : kStrategies)
            for (const unsigned machines : {1U, 2U, 4U})
                for (const std::uint64_t quantum : {std::uint64_t{0}, 7 * kMicrosecond}) {
                    INFO(name << " by " << strategy << " on " << machines << ", quantum " << quantum);
                    CHECK(run_by(strategy, file, {{.quantum = quantum}, machines}) == expected);
                }
    }
    const written::File fixed =
        written::read_text("task a x2: repeat 3; work 2us; end; work 1ms\ntask b: yield", "w.txt");
    CHECK(run_by("go", fixed) == "1006000 1006000 0 ");
}

TEST_CASE("the recordings of written workloads keep every rule", "[written]") {
    for (const char* name : {"bakery.txt", "answers.txt"})
        for (const char* strategy : kStrategies) {
            INFO(name << " by " << strategy);
            const trace::Trace recorded =
                record(strategy, written::read_file(example(name)), {.quantum = 10 * kMicrosecond});
            CHECK(kit::testing::count(recorded, trace::Kind::switch_) > 20);
        }
}

TEST_CASE("random times depend on the seed and not on the strategy", "[written]") {
    const written::File file = written::read_text("task a x4: work 1us..90us; sleep 1us..2us; work 1us..90us", "w.txt");
    const std::string one = run_by("go", file, {{.seed = 1}});
    CHECK(one == run_by("multi_state", file, {{.seed = 1}}));
    CHECK(one != run_by("go", file, {{.seed = 2}}));
    std::istringstream numbers(one);
    std::set<std::uint64_t> different;
    for (std::uint64_t ns = 0; numbers >> ns; different.insert(ns))
        CHECK((ns >= 2 * kMicrosecond && ns <= 180 * kMicrosecond));
    CHECK(different.size() > 1);
}

TEST_CASE("a deadlock of a written workload names the tasks and what each waits for", "[written]") {
    const written::File locks = written::read_file(example("two_locks.txt"));
    const written::File signals = written::read_text("task a: wait x; signal y\ntask b: wait y; signal x", "w.txt");
    for (const char* strategy : kStrategies) {
        INFO(strategy);
        CHECK(run_by(strategy, locks, {{}, 1}) ==
              "no task can ever run again: 'left' waits for the lock 'knife' to write, 'right' waits for the lock "
              "'fork' to write");
        CHECK(run_by(strategy, signals) ==
              "no task can ever run again: 'a' waits for the signal 'x', 'b' waits for the signal 'y'");
    }
}

TEST_CASE("a signal is kept until a task waits for it", "[written]") {
    const written::File file =
        written::read_text("task early: signal x; signal x\ntask late x2: sleep 9us; wait x; work 1us", "w.txt");
    for (const char* strategy : kStrategies) CHECK(run_by(strategy, file) == "0 1000 1000 ");
}

TEST_CASE("a wait for an input ends at its limit", "[written]") {
    const written::File file = written::read_text("input keys at 1s\ntask a: wait keys for 5us; work 1us", "w.txt");
    const trace::Trace recorded = record("libco", file);
    CHECK(recorded[recorded.size() - 1].t < static_cast<std::int64_t>(100 * kMicrosecond));
}

TEST_CASE("--tasks replaces the counts given in the file", "[written]") {
    CHECK(run_by("go", written::read_text("task a x2: work 1us\ntask b: work 1us", "w.txt", 5)) ==
          "1000 1000 1000 1000 1000 1000 ");
}

TEST_CASE("an error in a workload's file is one sentence with its line", "[written]") {
    const std::pair<const char*, const char*> wrong[] = {
        {"", "w.txt: there are no tasks; a task begins with: task NAME"},
        {"# nothing\n\n", "w.txt: there are no tasks; a task begins with: task NAME"},
        {"task a x0: yield", "w.txt:1: invalid number of tasks 'x0'; give x1 to x10000"},
        {"task a x1000000: yield", "w.txt:1: invalid number of tasks 'x1000000'; give x1 to x10000"},
        {"task a 3: yield", "w.txt:1: invalid number of tasks '3'; give x1 to x10000"},
        {"task a x9000\ntask b x9000", "w.txt:2: with this one there are more than 10000 tasks"},
        {"task a x100: repeat 20000; yield; end", "w.txt:1: with this one the tasks make more than 1000000 steps"},
        {"task a: repeat 0; end", "w.txt:1: invalid number of repeats '0'; give 1 to 1000000"},
        {"task a\n wrok 20us",
         "w.txt:2: unknown statement 'wrok'; there are task, input, work, sleep, yield, lock, unlock, signal, wait, "
         "repeat, "
         "end"},
        {"work 20us", "w.txt:1: 'work' is outside of a task"},
        {"task a: work", "w.txt:1: 'work' is written as in: work 20us, or work 10us..30us"},
        {"task a: work 20", "w.txt:1: invalid time '20'; write a whole number and ns, us, ms or s, as in 20us"},
        {"task a: work 1.5ms", "w.txt:1: invalid time '1.5ms'; write a whole number and ns, us, ms or s, as in 20us"},
        {"task a: work -1us", "w.txt:1: invalid time '-1us'; write a whole number and ns, us, ms or s, as in 20us"},
        {"task a: work 0us", "w.txt:1: invalid time '0us': it is zero"},
        {"task a: sleep 99999999999999999999999us", "w.txt:1: '99999999999999999999999us' is longer than an hour"},
        {"task a: sleep 18446744073709551616ns", "w.txt:1: '18446744073709551616ns' is longer than an hour"},
        {"task a: sleep 3601s", "w.txt:1: '3601s' is longer than an hour"},
        {"task a: repeat 1000001; end", "w.txt:1: invalid number of repeats '1000001'; give 1 to 1000000"},
        {"task a: work 9us..2us", "w.txt:1: '9us..2us' begins with the longer time"},
        {"task a: wait bread", "w.txt:1: no task signals 'bread', and no input is called so"},
        {"task a: signal x; wait x for 9us", "w.txt:1: only an input can be waited for with a limit"},
        {"input x at 1us\ntask a: signal x\nwait x", "w.txt:3: 'x' is an input, and a signal too"},
        {"input x at 1us\ninput x at 2us", "w.txt:2: there is an input 'x' already"},
        {"input x in 1us", "w.txt:1: 'input' is written as in: input keys at 10us 40us"},
        {"task a\ntask a", "w.txt:2: there is a task 'a' in line 1 already"},
        {"task a: unlock x", "w.txt:1: the task does not hold 'x' here"},
        {"task a: lock x\nlock x", "w.txt:2: the task holds 'x' since line 1"},
        {"task a\nlock x\ntask b\nyield", "w.txt:2: the task ends and still holds 'x'"},
        {"task a\nrepeat 2\nlock x\nend",
         "w.txt:4: at its 'end' a repeat must hold the same locks as at its beginning"},
        {"task a\nrepeat 2\nyield", "w.txt:2: this 'repeat' has no 'end'"},
        {"task a\nend", "w.txt:2: 'end' without 'repeat'"},
        {"task a\n\x1b[2J", "w.txt:2: byte 1 of this line is not valid UTF-8"},
        {"task a\xff", "w.txt:1: byte 7 of this line is not valid UTF-8"},
    };
    for (const auto& [text, sentence] : wrong) {
        INFO(text);
        CHECK(complaint(text) == sentence);
    }
    CHECK(complaint("task " + std::string(90, 'n')).ends_with("…' is longer than 60 bytes"));
    CHECK(complaint("task a x2", 20'000) == "w.txt:1: invalid number of tasks 'x2'; give x1 to x10000");
}

TEST_CASE("a broken file of a workload is read or refused with a message, whatever its contents", "[written]") {
    std::mt19937_64 random(7);
    const char* const pieces[] = {
        "task ",    "a",      " x2",   ":",     ";",        "\n",    "work ",        "20us",
        "1us..9us", "sleep ", "lock ", "L ",    "unlock L", "wait ", "signal L",     "repeat 3",
        "end",      "input ", " at ",  " for ", "#",        "\xC3",  "\xE4\xB8\xAD", "99999999999999999999",
        "\t",       "\r\n",   "x",     ",",     "..",       "\0x"};
    for (int round = 0; round < 20'000; ++round) {
        std::string text =
            round % 2 == 0 ? "" : "task a x2: repeat 3; lock L; work 1us..9us; unlock L; signal s; wait s; end\n";
        for (std::uint64_t n = random() % 20; n > 0; --n)
            text.insert(random() % (text.size() + 1), pieces[random() % std::size(pieces)]);
        const std::string said = complaint(text);
        if (said.empty()) continue;
        INFO(text);
        REQUIRE(said.starts_with("w.txt:"));
        REQUIRE(said.find('\n') == std::string::npos);
        REQUIRE(said.size() < 300);
    }
}
