// Traces made up for the viewer's tests, so that they hold what a test looks for. They obey the format's invariants.
#pragma once

#include <string>

#include "traces/read/reader.h"

namespace fiberscope::viewer::tests {

/// Text of a trace: main resumes `workers` coroutines one after the other, `rounds` times; every switch costs 100 ns,
/// every turn 1 to 5 µs. Worker n ends after its own number of turns.
std::string round_robin(unsigned workers, unsigned rounds);

/// Text of a trace with registers: main enters ping, and ping and pong switch to each other `turns` times.
std::string two_contexts(unsigned turns);

/// Text of a trace with every state, a note, a fault and two machines.
std::string all_states();

/// Text of a trace in which main resumes A, A resumes B and so on, `depth` deep, and back.
std::string nested(unsigned depth);

/// Text of a trace on `stacks` shared stacks: main resumes `workers` coroutines one after the other, `rounds` times;
/// a coroutine that finds another on its stack copies it out and itself in. The names of states are cloudwu's.
std::string shared_stacks(unsigned workers, unsigned stacks, unsigned rounds);

/// Text of a trace of the hazard: the address of a local of A is used by main while A lies there, and by B, which then
/// lies there.
std::string hazard();

/// Text of a trace with a pool: two fibers end, wait in the pool, and one is used again.
std::string pool();

/// Text of a trace of three machines with local queues and a global one, which steal, park and unpark; two workers of
/// one name; a lock that two read and one waits to write; a deferred call.
std::string machines();

/// Text of a trace in which `count` coroutines go to sleep in a red-black tree, one after the other, and wake.
std::string sleepers(unsigned count);

/// Text of a trace in which `count` timers are set in a heap, from the latest to the earliest, one of them in the
/// middle is cancelled, and the first three expire.
std::string heap_of_timers(unsigned count);

/// Text of a trace in which `count` timers are set in a wheel of `slots` slots, `apart` slots one from the other from
/// slot 10 on, the first in one slot with the second; then the hand moves on and takes the slots one by one.
std::string wheel_of_timers(unsigned count, unsigned slots, unsigned apart);

/// `text` read as the file `name`.
trace::Trace parsed(const std::string& text, const std::string& name = "made.json");

}  // namespace fiberscope::viewer::tests
