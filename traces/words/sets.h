// Descriptions of sets and their members, and the names and keys that the labs give to sets. A trace contains them in
// English; listing them here enters them in the catalogue, because labs do not depend on languages/.
#pragma once

#include "languages/say.h"

namespace fiberscope::trace {

/// By Structure.
inline constexpr Text kStructures[] = {mark("queue"), mark("red-black tree"), mark("heap"), mark("timing wheel"),
                                       mark("map")};

/// By Role: description of the members.
inline constexpr Text kMembers[] = {
    mark("coroutines that can run"),
    mark("coroutines that sleep"),
    mark("coroutines that wait"),
    mark("coroutines that wait for a lock"),
    mark("coroutines that wait for a channel"),
    mark("values that coroutines have sent"),
    mark("timers"),
    mark("coroutines that have ended"),
    mark("coroutines that can be used again"),
};

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
    mark("in the kernel's hands", "set"),
    mark("runnable of machine {0}", "set"),
    mark("runnable of P {0}", "set"),
    mark("runnable of no P", "set"),
    mark("active of processor {0}", "set"),
    mark("sleeping of processor {0}", "set"),
    mark("waiting of processor {0}", "set"),
    mark("expired of processor {0}", "set"),
    mark("removed of processor {0}", "set"),
    mark("new of processor {0}, buffer {1}", "set"),
    mark("tasks of {0}", "set"),
    mark("waiting for the lock '{0}'", "set"),
    mark("senders of '{0}'", "set"),
    mark("receivers of '{0}'", "set"),
    mark("buffer of '{0}'", "set"),
};

inline constexpr Text kOrders[] = {
    mark("descriptor", "order"),
    mark("deadline", "order"),
    mark("deadline, ns", "order"),
    mark("operation", "order"),
};

}  // namespace fiberscope::trace
