// Shared by the demos of the lab and those of its challenges.
#pragma once

#include "labs/04_scheduler/event_source.h"
#include "labs/04_scheduler/parts/settings.h"
#include "labs/kit/demo/demo.h"

namespace fiberscope::lab04 {

// Placeholders that main() replaces by the names of the known strategies.
inline constexpr const char* kStrategies[] = {"any"};
inline constexpr const char* kOneThread[] = {"any of one thread"};
inline constexpr const char* kSeveral[] = {"any of several machines"};
inline constexpr kit::Acting kAll{true, kSeveral};
inline constexpr kit::Acting kSeedAlone{true};

inline constexpr const char* kGo[] = {"go"};
inline constexpr kit::Acting kOfGo{true, kGo};
/// Go's names of the states.
inline constexpr const char* kGoNames[][2] = {
    {"idle", "new"}, {"runnable", "ready"}, {"suspended", "waiting"}, {nullptr, nullptr}};

Settings settings_of(const kit::DemoOptions& options, SimulatedSource& io);
void run_workload(const char* name, const kit::DemoOptions& options);

}  // namespace fiberscope::lab04
