// English texts that an explorer gets from the kit and from lab 04: steps and failures. Marked for translation here,
// since those are independent of languages.
#pragma once

#include "languages/say.h"

namespace fiberscope::explore {

inline constexpr Text kSaidByKit[] = {
    mark("machine {0:number} sleeps beside work: {1}"),
    mark("{0:number} Gs are runnable in the queue of machine {1:number}"),
    mark("all machines sleep, until {0} at the earliest, and a task must be woken at {1}"),
    mark("deadlock: each machine waits, and of the locks that {0} wait for none will be released"),
    mark("machine {0:number} changes the set '{1:set}' without its lock"),
    mark("event {0:number}: {1}"),
    mark("every machine is parked, and none is left to unpark one"),
    mark("the lock inside '{0:name}'"),
    mark("the lock inside the channel '{0:name}'"),
    mark("a lock"),
    mark("the lock of queue {0:number}"),
    mark("the lock of scheduler {0:number}"),
    mark("the scheduler's lock"),
    mark("the length of the global queue"),
    mark("the length of queue {0:number}"),
    mark("the number of idle machines of scheduler {0:number}"),
    mark("the number of idle machines"),
    mark("the number of tasks of all processors"),
    mark("the number of tasks of scheduler {0:number}"),
    mark("the number of tasks"),
    mark("the caller of {0:name}"),
    mark("the time of the caller of {0:name}"),
    mark("whether the monitor sleeps"),
    mark("machine {0:number} is in a call, and no monitor watches it"),
};

}  // namespace fiberscope::explore
