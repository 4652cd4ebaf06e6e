// The workloads as programs worth watching, by any strategy. Each writes a trace.
#include "labs/kit/demo.h"

#include <cstdio>
#include <string>
#include <vector>

#include "labs/04_scheduler/go_scheduler.h"
#include "labs/04_scheduler/scheduler.h"
#include "labs/04_scheduler/workloads.h"
#include "labs/kit/trace.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using kit::DemoOptions;

namespace {

constexpr const char* kStrategies[] = {"producer_consumer", "multi_state", "sylar", "go"};
constexpr const char* kMultiState[] = {"multi_state"};
constexpr const char* kGo[] = {"go"};

Settings settings_of(const DemoOptions& options, SimulatedSource& io) {
    Settings settings;
    settings.strategy = options.strategy;
    settings.source = &io;
    settings.machines = options.machines;
    settings.seed = options.seed;
    settings.as_published = options.as_published;
    return settings;
}

void run(const char* name, const DemoOptions& options) {
    SimulatedSource io;
    Scheduler scheduler(settings_of(options, io));
    Stage stage{io, options.seed};
    workload(name).run(stage);
}

void mixed(const DemoOptions& options) { run("mixed", options); }
void hog(const DemoOptions& options) { run("hog", options); }
void fanout(const DemoOptions& options) { run("fanout", options); }
void pipeline(const DemoOptions& options) { run("pipeline", options); }
void storm(const DemoOptions& options) { run("storm", options); }

/// Go's words.
constexpr const char* kGoNames[][2] = {
    {"idle", "new"}, {"runnable", "ready"}, {"suspended", "waiting"}, {nullptr, nullptr}};

/// The root G defers a call, begins workers and waits for them; a G of the system looks on.
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
                kit::note(std::to_string(Scheduler::here()->alive()) + " Gs are alive");
            }
        },
        {.name = "monitor (system)", .stack_size = kit::kDefaultStackSize});
    static_cast<void>(scheduler.run());
}

constexpr kit::Demo kDemos[] = {
    {"mixed", "some compute, some sleep, some wait for input (--strategy NAME|all, --seed N)", mixed, nullptr,
     kStrategies},
    {"mixed_multi_state", "the same by the multi-state loop", mixed, nullptr, kMultiState},
    {"hog", "one does not give way for long, among polite ones and sleepers", hog, nullptr, kStrategies},
    {"hog_multi_state", "the same by the multi-state loop", hog, nullptr, kMultiState},
    {"fanout", "a tree of tasks, each of which begins others and waits for them", fanout, nullptr, kStrategies},
    {"pipeline", "stages with small baskets between them", pipeline, nullptr, kStrategies},
    {"mixed_go", "mixed by the M:G scheduler (--machines N)", mixed, kGoNames, kGo},
    {"fanout_go", "fanout by the M:G scheduler: steals", fanout, kGoNames, kGo},
    {"gs", "the root G, its workers, a deferred call, and a G of the system", gs, kGoNames, kGo},
    {"storm", "10,000 short lives: a long trace", storm, nullptr, kStrategies, true},
};

}  // namespace

int main(int argc, char** argv) { return kit::demo_main(argc, argv, kDemos); }
