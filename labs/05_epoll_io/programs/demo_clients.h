// The demo `clients`: the same clients, served by each of the five systems.
#pragma once

#include "labs/kit/demo/demo.h"

namespace fiberscope::lab05 {

/// Returns the names of the systems, as strategies of a demo.
inline constexpr const char* kSystemNames[] = {"ntyco", "libco", "sylar", "netco", "go"};
inline constexpr const char* kSeveralMachines[] = {"sylar", "netco", "go"};
inline constexpr const char* kOnlyLibco[] = {"libco"};
inline constexpr const char* kOnlySylar[] = {"sylar"};
inline constexpr const char* kOnlyNetco[] = {"netco"};
inline constexpr const char* kOnlyGo[] = {"go"};

/// Serves simulated clients under the virtual clock, or a load on real sockets under the monotonic one; then prints the
/// results for machines and clients, and notes them in the recording.
void clients(const kit::DemoOptions& options);

}  // namespace fiberscope::lab05
