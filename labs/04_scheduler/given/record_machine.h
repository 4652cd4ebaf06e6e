#pragma once

#include "labs/kit/run/trace.h"
#include "labs/kit/time/clock.h"
#include "traces/record/recorder.h"

namespace fiberscope::lab04 {

/// What this machine does, in the trace, if there is one.
inline void record_machine(trace::MachineOp op) {
    if (trace::recording()) trace::record(kit::now(), trace::machine_event(op));
}

}  // namespace fiberscope::lab04
