// The workloads as demos, with any strategy. Each writes a trace.
#include "labs/kit/demo/demo.h"

#include <atomic>
#include <charconv>
#include <cstdio>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "labs/04_scheduler/event_loop.h"
#include "labs/04_scheduler/given/workloads.h"
#include "labs/04_scheduler/go_scheduler.h"
#include "labs/04_scheduler/programs/demos.h"
#include "labs/04_scheduler/programs/scale/ours.h"
#include "labs/04_scheduler/programs/scale/shapes.h"
#include "labs/04_scheduler/programs/written/run.h"
#include "labs/04_scheduler/strategy.h"
#include "labs/04_scheduler/task_local.h"
#include "labs/04_scheduler/tasks.h"
#include "labs/kit/machines/work.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/time/units.h"
#include "languages/spoken_error.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using kit::DemoOptions;

namespace {

constexpr const char* kNetco[] = {"netco"};
constexpr const char* kHandOff[] = {"hand_off"};
constexpr const char* kMultiState[] = {"multi_state"};
constexpr const char* kSylar[] = {"sylar"};
constexpr kit::Acting kOfSylar{true, kSylar}, kOfNetco{true, kNetco};

}  // namespace

namespace fiberscope::lab04 {

Settings settings_of(const DemoOptions& options, SimulatedSource& io) {
    Settings settings;
    settings.strategy = options.strategy;
    settings.source = &io;
    settings.machines = options.machines;
    settings.seed = options.seed;
    settings.with_known_bug = options.with_known_bug;
    return settings;
}

void run_workload(const char* name, const DemoOptions& options) {
    SimulatedSource io;
    Scheduler scheduler(settings_of(options, io));
    Stage stage{io, options.seed};
    workload(name).run(stage);
}

}  // namespace fiberscope::lab04

namespace {

void mixed(const DemoOptions& options) { run_workload("mixed", options); }
void hog(const DemoOptions& options) { run_workload("hog", options); }
void fanout(const DemoOptions& options) { run_workload("fanout", options); }
void pipeline(const DemoOptions& options) { run_workload("pipeline", options); }
void storm(const DemoOptions& options) { run_workload("storm", options); }
void readers_writers(const DemoOptions& options) { run_workload("readers_writers", options); }

/// The root G defers a call, starts workers and waits for them; a system G monitors them.
void gs(const DemoOptions& options) {
    SimulatedSource io;
    Scheduler scheduler(settings_of(options, io));
    go(
        [] {
            defer([] { kit::note("the root's deferred call"); });
            std::vector<Handle> workers;
            for (int i = 0; i < 5; ++i)
                workers.push_back(go(
                    [] {
                        for (int turn = 0; turn < 3; ++turn) {
                            kit::work(6000);
                            yield();
                        }
                    },
                    "worker " + std::to_string(i)));
            for (const Handle& worker : workers) join(worker);
        },
        "root");
    go_system(
        [] {
            for (;;) {
                sleep_for(25'000);
                kit::note("{0} Gs are alive", Scheduler::here()->alive());
            }
        },
        {.name = "monitor (system)", .stack_size = kit::kDefaultStackSize});
    static_cast<void>(scheduler.run());
}

// ---- step 4.9 -------------------------------------------------------------------------------------------------------

constexpr std::uint64_t kMicrosecond = 1000;

void go_polite() {
    go(
        [] {
            for (int i = 0; i < 3; ++i) {
                kit::work(4 * kMicrosecond);
                yield();
            }
        },
        "polite");
}

void go_waiter(const char* name, int fd, std::uint64_t limit) {
    go(
        [fd, limit] {
            const bool came = wait_readable(fd, limit) == Wake::event;
            kit::work(kMicrosecond);
            kit::note(came ? "there is something to read" : "has waited long enough");
        },
        name);
}

void go_sleeper_until(const char* name, std::uint64_t moment) {
    go(
        [moment] {
            sleep_for(kit::time_left(moment));
            kit::work(kMicrosecond);
        },
        name);
}

void event_loop(const DemoOptions&) {
    SimulatedSource io;
    Settings settings;
    settings.strategy = "libco";
    settings.source = &io;
    Scheduler scheduler(settings);
    io.becomes_ready(7, Want::read, 9 * kMicrosecond);
    go([] { wait_readable(3); }, "server");
    go_polite();
    go_waiter("reader", 7, 40 * kMicrosecond);
    go_waiter("impatient", 8, 25 * kMicrosecond);
    go_sleeper_until("early in its tick", 35'100);
    go_sleeper_until("late in its tick", 35'900);
    int rounds = 0;
    event_loop_of(scheduler).on_round([&] {
        const bool only_the_server = scheduler.alive() == 1;
        kit::note("round {0} is over{1}", ++rounds, (only_the_server ? ": -1" : ""));
        return only_the_server ? -1 : 0;
    });
    static_cast<void>(scheduler.run());
}

// ---- step 4.11 ------------------------------------------------------------------------------------------------------

/// Records its destruction.
struct User {
    std::string name;
    ~User() {
        if (!name.empty()) kit::note("the value of {0} is destroyed", name);
    }
};

thread_local std::string user_of_the_thread;

void task_local(const DemoOptions&) {
    const char* const own[] = {"PAGE"};
    own_environment(own);
    TaskLocal<User> user;
    Scheduler scheduler;
    const auto tell = [&] {
        kit::note("by the thread_local it is {0}, by the value of the task {1}, and PAGE is {2}", user_of_the_thread,
                  user->name, task_getenv("PAGE"));
    };
    for (const char* name : {"ann", "bob", "cid"})
        go(
            [&, name] {
                user_of_the_thread = user->name = name;
                task_setenv("PAGE", (std::string("/") + name).c_str());
                kit::work(3 * kMicrosecond);
                sleep_for(10 * kMicrosecond);
                tell();
                if (user->name == "cid") throw std::runtime_error("no such page");
            },
            std::string("request of ") + name);
    static_cast<void>(scheduler.run());
}

void mixed_spinning(const DemoOptions& options) {
    DemoOptions with_known_bug = options;
    with_known_bug.with_known_bug = true;
    run_workload("mixed", with_known_bug);
}

/// A task starts many short ones; on two machines, with the M:G scheduler.
void begin_short_lives(const DemoOptions& options, bool wake_always) {
    SimulatedSource io;
    Settings settings = settings_of(options, io);
    settings.wake_always = wake_always;
    Scheduler scheduler(settings);
    go(
        [] {
            for (int i = 0; i < 1000; ++i) {
                go([] {}, "short");
                if (i % 50 == 0) yield();
            }
        },
        "root");
    static_cast<void>(scheduler.run());
}
void short_lives(const DemoOptions& options) { begin_short_lives(options, false); }
void short_lives_woken(const DemoOptions& options) { begin_short_lives(options, true); }

// ---- docs/scale.md --------------------------------------------------------------------------------------------------

void work_of(int us) { kit::work(static_cast<std::uint64_t>(us) * kMicrosecond); }
using OnMachines = scale::Ours<work_of>;

template <void (&Program)()>
void scaled(const DemoOptions& options) {
    SimulatedSource io;
    Scheduler scheduler(settings_of(options, io));
    go(Program, "root");
    static_cast<void>(scheduler.run());
}

// ---- a workload in a file ------------------------------------------------------------------------------------------
// -------------------------------------------------------------------------------------------

constexpr kit::DemoOption kWrittenOptions[] = {
    {"file", "FILE", "The workload; the format is in docs/lab04/workloads.md"},
    {"quantum", "TIME", "Longer work yields after each quantum, such as 10us; default: it never yields"},
    {"tasks", "N", "Number of each task for which the file gives a count"},
};

/// Throws std::invalid_argument, and FileError.
written::File file_of(const DemoOptions& options) {
    const std::string path = options.option("file", ""), many = options.option("tasks", "0");
    if (path.empty()) throw std::invalid_argument("missing --file: the file of the workload");
    std::uint64_t tasks = 0;
    const auto [end, error] = std::from_chars(many.data(), many.data() + many.size(), tasks);
    const bool is_number = error == std::errc() && end == many.data() + many.size();
    if (options.more.contains("tasks") && (!is_number || tasks < 1 || tasks > written::kMostTasks))
        throw Spoken<std::invalid_argument>(message("--tasks takes a number from 1 to 10000, not '{0}'", many));
    return written::read_file(path, tasks);
}

std::uint64_t quantum_of(const DemoOptions& options) {
    return options.more.contains("quantum") ? written::time_of(options.option("quantum", "")) : 0;
}

void check_written(const DemoOptions& options) {
    static_cast<void>(file_of(options));
    static_cast<void>(quantum_of(options));
}

void run_written(const DemoOptions& options) {
    SimulatedSource none;
    written::run(file_of(options), settings_of(options, none), {options.seed, quantum_of(options)});
}

constexpr kit::Demo kDemos[] = {
    {"mixed", "some compute, some sleep, some wait for input (--strategy NAME|all, --seed N)", mixed, nullptr,
     kStrategies, kAll},
    {"mixed_multi_state", "the same by the multi-state loop", mixed, nullptr, kMultiState, kSeedAlone},
    {"mixed_sylar", "the same by sylar's scheduler on two machines (--machines N)", mixed, nullptr, kSylar, kOfSylar},
    {"mixed_sylar_spinning", "the same as published: an idle coroutine that only yields", mixed_spinning, nullptr,
     kSylar, kOfSylar},
    {"hog", "one task that does not yield for long, among tasks that do, and sleepers", hog, nullptr, kStrategies,
     kAll},
    {"hog_multi_state", "the same by the multi-state loop", hog, nullptr, kMultiState, kSeedAlone},
    {"fanout", "a tree of tasks, each of which starts others and waits for them", fanout, nullptr, kStrategies, kAll},
    {"pipeline", "pipeline stages with small buffers between them", pipeline, nullptr, kStrategies, kAll},
    {"readers_writers", "readers together and writers alone, with one lock", readers_writers, nullptr, kStrategies,
     kAll},
    {"mixed_netco", "mixed by processors, each of which has its own sets (--machines N)", mixed, nullptr, kNetco,
     kOfNetco},
    {"fanout_netco", "fanout by processors: where do new tasks go?", fanout, nullptr, kNetco, kOfNetco},
    {"readers_writers_netco", "readers and writers on several machines", readers_writers, nullptr, kNetco, kOfNetco},
    {"mixed_go", "mixed by the M:G scheduler (--machines N)", mixed, kGoNames, kGo, kOfGo},
    {"fanout_go", "fanout by the M:G scheduler: steals", fanout, kGoNames, kGo, kOfGo},
    {"gs", "the root G, its workers, a deferred call, and a G of the system", gs, kGoNames, kGo, kOfGo},
    {"mixed_hand_off", "mixed by hand-off: a task that leaves switches to the next one", mixed, nullptr, kHandOff,
     kSeedAlone},
    {"event_loop", "libco's loop: active list, time-outs, some put back, a function each round", event_loop},
    {"task_local", "values and environment variables of each task, compared with a thread_local", task_local},
    {"short_lives", "a task starts a thousand short ones, on two machines", short_lives, kGoNames, kGo, kOfGo, true,
     kit::kMonotonicFirst},
    {"short_lives_woken", "the same, and each of them wakes a machine that waits", short_lives_woken, kGoNames, kGo,
     kOfGo, true, kit::kMonotonicFirst},
    {"storm", "10,000 short-lived tasks: a long trace", storm, nullptr, kStrategies, kAll, true},
    {"scale_tasks", "4,096 short tasks in four rounds", scaled<scale::run_tasks<OnMachines>>, nullptr, {}, {}, true},
    {"scale_yields",
     "256 tasks that yield after each microsecond",
     scaled<scale::run_yields<OnMachines>>,
     nullptr,
     {},
     {},
     true},
    {"scale_tree", "four trees of 1,093 tasks", scaled<scale::run_tree<OnMachines>>, nullptr, {}, {}, true},
    {"scale_uneven",
     "1,024 tasks, of which some are long",
     scaled<scale::run_uneven<OnMachines>>,
     nullptr,
     {},
     {},
     true},
    {"workload", "a workload from a text file: tasks, work, sleeps, waits, locks (--file FILE)", run_written, nullptr,
     kStrategies, kAll, true, kit::kVirtualFirst, kWrittenOptions, check_written},
};

}  // namespace

int main(int argc, char** argv) {
    using About = KnownStrategy::About;
    const auto any = strategies([](const About& one) { return one.for_any_work; });
    const auto one_thread = strategies([](const About& one) { return one.for_any_work && !one.machines; });
    const auto several = strategies([](const About& one) { return one.for_any_work && one.machines; });
    const auto machines = strategies([](const About& one) { return one.machines; });
    std::vector<kit::Demo> demos = kit::all_demos(kDemos);
    for (kit::Demo& demo : demos) {
        if (demo.strategies.data() == kStrategies) demo.strategies = any;
        if (demo.strategies.data() == kOneThread) demo.strategies = one_thread;
        if (demo.acting.machines.data() == kSeveral) demo.acting.machines = several;
        if (!std::string_view(demo.name).starts_with("scale_")) continue;
        demo.strategies = machines;
        demo.acting = {true, machines};
    }
    return kit::demo_main(argc, argv, demos);
}
