// The workloads as programs worth watching, by any strategy. Each writes a trace.
#include "labs/kit/demo.h"

#include <cstdio>

#include "labs/04_scheduler/scheduler.h"
#include "labs/04_scheduler/workloads.h"
#include "labs/kit/trace.h"

using namespace fiberscope;
using namespace fiberscope::lab04;
using kit::DemoOptions;

namespace {

constexpr const char* kStrategies[] = {"producer_consumer", "multi_state", "sylar", "netco"};
constexpr const char* kNetco[] = {"netco"};
constexpr const char* kMultiState[] = {"multi_state"};

void run(const char* name, const DemoOptions& options) {
    SimulatedSource io;
    Settings settings;
    settings.strategy = options.strategy;
    settings.source = &io;
    settings.machines = options.machines;
    settings.seed = options.seed;
    settings.as_published = options.as_published;
    Scheduler scheduler(settings);
    Stage stage{io, options.seed};
    workload(name).run(stage);
}

void mixed(const DemoOptions& options) { run("mixed", options); }
void hog(const DemoOptions& options) { run("hog", options); }
void fanout(const DemoOptions& options) { run("fanout", options); }
void pipeline(const DemoOptions& options) { run("pipeline", options); }
void storm(const DemoOptions& options) { run("storm", options); }
void readers_writers(const DemoOptions& options) { run("readers_writers", options); }

constexpr kit::Demo kDemos[] = {
    {"mixed", "some compute, some sleep, some wait for input (--strategy NAME|all, --seed N)", mixed, nullptr,
     kStrategies},
    {"mixed_multi_state", "the same by the multi-state loop", mixed, nullptr, kMultiState},
    {"hog", "one does not give way for long, among polite ones and sleepers", hog, nullptr, kStrategies},
    {"hog_multi_state", "the same by the multi-state loop", hog, nullptr, kMultiState},
    {"fanout", "a tree of tasks, each of which begins others and waits for them", fanout, nullptr, kStrategies},
    {"pipeline", "stages with small baskets between them", pipeline, nullptr, kStrategies},
    {"readers_writers", "readers together and writers alone, at one table", readers_writers, nullptr, kStrategies},
    {"mixed_netco", "mixed by processors, each of which has its own sets (--machines N)", mixed, nullptr, kNetco},
    {"fanout_netco", "fanout by processors: where do new tasks go?", fanout, nullptr, kNetco},
    {"readers_writers_netco", "readers and writers on several machines", readers_writers, nullptr, kNetco},
    {"storm", "10,000 short lives: a long trace", storm, nullptr, kStrategies, true},
};

}  // namespace

int main(int argc, char** argv) { return kit::demo_main(argc, argv, kDemos); }
