// The demo `clients`: the same clients, served as each of five systems does.
#pragma once

#include "labs/kit/demo/demo.h"

namespace fiberscope::lab05 {

/// The names of the systems, as a demo's strategies.
inline constexpr const char* kSystemNames[] = {"ntyco", "libco", "sylar", "netco", "go"};
inline constexpr const char* kSeveralMachines[] = {"sylar", "netco", "go"};
inline constexpr const char* kOnlyLibco[] = {"libco"};
inline constexpr const char* kOnlySylar[] = {"sylar"};
inline constexpr const char* kOnlyNetco[] = {"netco"};
inline constexpr const char* kOnlyGo[] = {"go"};

/// Serves simulated clients under the virtual clock, and a load on real sockets under the monotonic one; then prints
/// what it was for the machines and for the clients, and notes it in the recording.
void clients(const kit::DemoOptions& options);

}  // namespace fiberscope::lab05
