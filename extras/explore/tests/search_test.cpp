// The search on small programs of two machines: coverage, findings, and minimization.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include "extras/explore/search.h"
#include "labs/kit/machines/atomic.h"
#include "labs/kit/machines/lock.h"
#include "labs/kit/machines/machines.h"
#include "labs/kit/time/clock.h"
#include "languages/spoken_error.h"
#include "testing/catch.h"
#include "traces/read/reader.h"
#include "traces/record/recorder.h"

using namespace fiberscope;
using namespace fiberscope::explore;
using kit::Atomic;
using kit::Machines;

namespace {

void run_two(const std::function<void(unsigned)>& body) {
    Machines machines(2);
    machines.run(body);
}

/// Two machines increment a counter non-atomically.
void lost_update() {
    Atomic<int> counter{0};
    run_two([&](unsigned) { counter.store(counter.load() + 1); });
    if (counter.load() != 2) throw std::runtime_error("an update is lost");
}

void locked_update() {
    kit::Lock lock;
    int counter = 0;
    run_two([&](unsigned) {
        const kit::Guard guard(lock);
        ++counter;
    });
    if (counter != 2) throw std::runtime_error("an update is lost");
}

void two_locks() {
    kit::Lock a, b;
    run_two([&](unsigned i) {
        const kit::Guard first(i == 0 ? a : b);
        const kit::Guard second(i == 0 ? b : a);
    });
}

/// Dekker's algorithm: each announces itself and checks for the other. `fenced`: with a fence in between.
template <bool fenced>
void dekker() {
    Atomic<int> here[2] = {0, 0};
    bool alone[2] = {false, false};
    run_two([&](unsigned i) {
        here[i].store(1, std::memory_order_relaxed);
        if (fenced) kit::atomic_thread_fence(std::memory_order_seq_cst);
        alone[i] = here[1 - i].load(std::memory_order_relaxed) == 0;
    });
    if (alone[0] && alone[1]) throw std::runtime_error("both believe that they are alone");
}

/// The second check before parking is missing.
void lost_wake_up() {
    Machines machines(2);
    Atomic<int> work{0}, asleep{0};
    machines.run([&](unsigned i) {
        if (i == 0) {
            work.store(1);
            if (asleep.load() == 1) machines.unpark(1);
        } else if (work.load() == 0) {
            asleep.store(1);
            machines.park();
        }
    });
}

/// Two preemptions lead to an invalid recording: a timer fires that was never added.
void fires_a_timer_if_late() {
    Atomic<int> step{0};
    run_two([&](unsigned i) {
        if (i == 1) {
            step.store(1);
            step.store(2);
        } else if (step.load() == 0 && step.load() == 1 && trace::recording()) {
            trace::record(kit::now(), trace::timer_event(0, trace::TimerOp::fire));
        }
    });
}

Options bounded(unsigned preemptions, bool weak = false) {
    Options options;
    options.preemptions = preemptions;
    options.weak = weak;
    options.seconds = 20;
    return options;
}

}  // namespace

TEST_CASE("a lost update needs one preemption, and the search finds it with one") {
    CHECK_FALSE(explore::explore(bounded(0), lost_update).failure.has_value());
    const Report report = explore::explore(bounded(2), lost_update);
    REQUIRE(report.failure.has_value());
    CHECK(report.bound == 0);
    CHECK(report.failure->what == "an update is lost");
    CHECK(report.failure->preemptions == 1);
    INFO(words(report));
    CHECK(report.failure->story.find("before machine") != std::string::npos);
}

namespace {

/// Lines of a Chinese report without Chinese characters.
std::string lines_left_in_english(Report report) {
    report.options.language = Language::chinese;
    std::istringstream lines(words(report));
    std::string found;
    for (std::string line; std::getline(lines, line);) {
        const bool chinese = std::any_of(line.begin(), line.end(), [](char c) { return (c & 0xF0) == 0xE0; });
        if (!chinese && line.find_first_of("abcdefghijklmnopqrstuvwxyz") != line.npos) found += line + '\n';
    }
    return found;
}

}  // namespace

TEST_CASE("findings and their steps are translated to Chinese") {
    for (const Body& program : {Body(lost_update), Body(lost_wake_up), Body(dekker<false>)}) {
        const Report report = explore::explore(bounded(2, true), program);
        REQUIRE(report.failure.has_value());
        CHECK(lines_left_in_english(report) == "");
    }
    Report none;
    none.options.language = Language::chinese;
    CHECK(words(none).find("什么也没有找到") != std::string::npos);
}

TEST_CASE("all schedules of a correct program are tried, and the report says so") {
    const Report report = explore::explore(bounded(3), locked_update);
    CHECK_FALSE(report.failure.has_value());
    CHECK(report.bound == 3);
    CHECK(report.schedules > 10);
    CHECK(report.points > report.schedules);
    CHECK(words(report).find("all with at most 3 preemptions") != std::string::npos);
}

TEST_CASE("the traces of schedules with few preemptions are checked, or of all schedules if requested") {
    Options options = bounded(3);
    const Report few = explore::explore(options, locked_update);
    options.judge_all = true;
    const Report all = explore::explore(options, locked_update);
    CHECK(few.traced > 0);
    CHECK(few.traced < few.schedules);
    CHECK(all.traced == all.schedules);
    CHECK(all.schedules == few.schedules);
    CHECK(all.judged_all);
    CHECK_FALSE(few.judged_all);
}

TEST_CASE("when all schedules have passed, the remaining traces are checked while time remains") {
    Options options = bounded(2);
    options.judge_rest = true;
    const Report all = explore::explore(options, locked_update);
    CHECK(all.judged_all);
    CHECK(all.bound == 2);
    CHECK(words(all).find("checked the traces of all of them") != std::string::npos);
    options.judge_rest = false;
    CHECK(all.schedules == explore::explore(options, locked_update).schedules);
}

TEST_CASE("an invariant violated only with two preemptions is found by checking the remaining traces") {
    Options options = bounded(2);
    CHECK_FALSE(explore::explore(options, fires_a_timer_if_late).failure.has_value());
    options.judge_rest = true;
    const Report report = explore::explore(options, fires_a_timer_if_late);
    REQUIRE(report.failure.has_value());
    CHECK(report.failure->preemptions == 2);
    CHECK(report.bound == 2);
    CHECK_FALSE(report.judged_all);
}

TEST_CASE("a recorded failure contains its choices as events, and a passing run differs at the last choice") {
    Options options = bounded(2);
    options.trace = std::filesystem::temp_directory_path() / ("explored_" + std::to_string(::getpid()) + ".json");
    const Report report = explore::explore(options, lost_update);
    REQUIRE(report.failure.has_value());
    REQUIRE_FALSE(report.failure->passing.empty());
    const trace::Trace failing = trace::read(options.trace), passing = trace::read(report.failure->passing);
    std::filesystem::remove(options.trace);
    std::filesystem::remove(report.failure->passing);
    const auto choices = [](const trace::Trace& trace) {
        std::vector<trace::Event> all;
        for (std::size_t n = 0; n < trace.size(); ++n)
            if (trace[n].kind == trace::Kind::choice) all.push_back(trace[n]);
        return all;
    };
    const auto a = choices(failing), b = choices(passing);
    const auto parted = std::mismatch(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& other) {
        return one.x == other.x && one.other == other.other;
    });
    REQUIRE(parted.first != a.end());
    REQUIRE(parted.second != b.end());
    const Deviation& last = report.failure->schedule.back();
    CHECK(parted.first->x == static_cast<std::int64_t>(last.step));
    CHECK(parted.first->other == last.machine);
    CHECK(parted.first->first<trace::Turn>() == trace::Turn::preemption);
    CHECK(parted.second->first<trace::Turn>() == trace::Turn::free);
}

TEST_CASE("two locks in different order: deadlock") {
    const Report report = explore::explore(bounded(1), two_locks);
    REQUIRE(report.failure.has_value());
    CHECK(report.failure->what.find("deadlock") != std::string::npos);
}

TEST_CASE("a failing schedule fails again when replayed, and the default schedule passes") {
    const Report found = explore::explore(bounded(2), lost_wake_up);
    REQUIRE(found.failure.has_value());
    Options again;
    again.strategy = Strategy::replay;
    again.schedule = parse_schedule(text_of(found.failure->schedule));
    CHECK(explore::explore(again, lost_wake_up).failure.has_value());
    again.schedule = {};
    CHECK_FALSE(explore::explore(again, lost_wake_up).failure.has_value());
}

TEST_CASE("random and PCT searches find and minimize the same faults") {
    for (const Strategy strategy : {Strategy::random, Strategy::pct})
        for (const auto& program : {lost_update, lost_wake_up, two_locks}) {
            Options options = bounded(2);
            options.strategy = strategy;
            const Report report = explore::explore(options, program);
            REQUIRE(report.failure.has_value());
            CHECK(report.failure->preemptions <= 2);
        }
}

TEST_CASE("without a fence a store may become visible after a later load, only with store buffers") {
    CHECK_FALSE(explore::explore(bounded(3), dekker<false>).failure.has_value());
    const Report report = explore::explore(bounded(3, true), dekker<false>);
    REQUIRE(report.failure.has_value());
    CHECK(text_of(report.failure->schedule).find("later") != std::string::npos);
    CHECK_FALSE(explore::explore(bounded(3, true), dekker<true>).failure.has_value());
}

TEST_CASE("a machine that sleeps past the first deadline has missed it") {
    const auto program = [](bool interrupts) {
        return [interrupts] {
            Machines machines(2);
            std::uint64_t deadline = kit::kNever;
            const kit::Watch watch{[](unsigned) { return std::string(); }, [&] { return deadline; }};
            machines.watch(&watch);
            machines.run([&](unsigned i) {
                if (i == 0) {
                    while (machines.park(deadline < 1000 ? deadline : 1000)) {
                    }
                    return;
                }
                deadline = 500;
                if (interrupts) machines.unpark(0);
                machines.park(2000);
                deadline = kit::kNever;
            });
        };
    };
    const Report report = explore::explore(bounded(2), program(false));
    REQUIRE(report.failure.has_value());
    CHECK(english_of(report.failure->what).find("all machines sleep, until 1 µs") != std::string::npos);
}

TEST_CASE("a program that crashes or hangs is also a finding") {
    const Report crash = explore::explore(bounded(1), [] { run_two([](unsigned) { std::abort(); }); });
    REQUIRE(crash.failure.has_value());
    CHECK(crash.failure->what.find("Abort") != std::string::npos);
    const Report endless = explore::explore(bounded(1), [] {
        Atomic<int> never{0};
        run_two([&](unsigned) {
            while (never.load() == 0) {
            }
        });
    });
    REQUIRE(endless.failure.has_value());
    CHECK(endless.failure->what.find("does not end") != std::string::npos);
}

TEST_CASE("schedules are converted to text and back; invalid ones are rejected") {
    for (const char* text : {"default", "17:1", "17:1,31:0,40:later"}) CHECK(text_of(parse_schedule(text)) == text);
    for (const char* text : {"x", "1", "1:", ":1", "1:x", "2:0,1:0", "1:0,1:1", "1:300", "99999999999:0"})
        CHECK_THROWS_AS(parse_schedule(text), SpokenError);
}

TEST_CASE("a schedule repeated for its trace counts once") {
    Options options;
    options.preemptions = 1;
    const Report whole = fiberscope::explore::explore(options, locked_update);
    options.schedules = whole.schedules + 1;  // is never reached
    const Report limited = fiberscope::explore::explore(options, locked_update);
    CHECK(limited.schedules == whole.schedules);
    CHECK(limited.points == whole.points);
    CHECK(limited.bound == 1);
    CHECK(limited.judged_all);
}
