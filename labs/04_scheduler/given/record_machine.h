#pragma once

#include "labs/kit/run/trace.h"
#include "labs/kit/time/clock.h"
#include "traces/record/recorder.h"

namespace fiberscope::lab04 {

/// Records what this machine does, if a trace is recorded.
inline void record_machine(trace::MachineOp op) {
    if (trace::recording()) trace::record(kit::now(), trace::machine_event(op));
}

}  // namespace fiberscope::lab04
