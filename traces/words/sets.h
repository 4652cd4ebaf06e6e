// What the labs call their sets, and what these are ordered by. A trace has the English words, and this names them for
// the catalogue: a lab knows no languages.
#pragma once

#include "languages/say.h"

namespace fiberscope::trace {

inline constexpr Text kSets[] = {
    mark("ready", "set"),
    mark("sleeping", "set"),
    mark("waiting", "set"),
    mark("timers", "set"),
    mark("runnable", "set"),
    mark("removed", "set"),
    mark("new", "set"),
    mark("active", "set"),
    mark("expired", "set"),
    mark("time-outs", "set"),
    mark("free coroutines", "set"),
    mark("tasks of {0:name}", "set"),
    mark("waiting for the lock '{0:name}'", "set"),
    mark("{0:set} of machine {1:number}", "set"),
    mark("{0:set} of processor {1:number}", "set"),
    mark("{0:set} of processor {1:number}, buffer {2:number}", "set"),
};

inline constexpr Text kOrders[] = {
    mark("descriptor", "order"),
    mark("deadline", "order"),
    mark("deadline, ns", "order"),
};

}  // namespace fiberscope::trace
