// Generated traces for the viewer's tests. They satisfy the format's invariants.
#pragma once

#include <string>

#include "traces/read/reader.h"

namespace fiberscope::viewer::tests {

/// A trace in which main resumes `workers` coroutines one after the other, `rounds` times; every switch costs 100 ns,
/// every turn 1 to 5 µs. Worker n ends after its own number of turns.
std::string round_robin(unsigned workers, unsigned rounds);

/// A trace with registers: main enters ping, and ping and pong switch to each other `turns` times.
std::string two_contexts(unsigned turns);

/// A trace with every state, a note, a fault and two machines.
std::string all_states();

/// A trace in which main resumes A, A resumes B and so on, `depth` levels, and back.
std::string nested(unsigned depth);

/// A trace on `stacks` shared stacks: main resumes `workers` coroutines one after the other, `rounds` times; a
/// coroutine that finds another on its stack copies that out and itself in. The names of states are cloudwu's.
std::string shared_stacks(unsigned workers, unsigned stacks, unsigned rounds);

/// A trace of the hazard: the address of a local of A is used by main while A occupies the stack, and by B, which then
/// occupies it.
std::string hazard();

/// A trace with a pool: two fibers end, wait in the pool, and one is reused.
std::string pool();

/// A trace of three machines with local queues and a global one, which steal, park and unpark; two workers of the same
/// name; a lock with two readers and a waiting writer; a deferred call.
std::string machines();

/// A trace in which `count` coroutines go to sleep in a red-black tree, one after the other, and wake.
std::string sleepers(unsigned count);

/// A trace in which `count` timers are set in a heap, from the latest to the earliest, one in the middle is cancelled,
/// and the first three expire.
std::string heap_of_timers(unsigned count);

/// A trace in which `count` timers are set in a wheel of `slots` slots, `apart` slots from each other from slot 10 on,
/// the first in the same slot as the second; then the hand takes the slots one by one.
std::string wheel_of_timers(unsigned count, unsigned slots, unsigned apart);

/// `text` parsed as the file `name`.
trace::Trace parsed(const std::string& text, const std::string& name = "made.json");

}  // namespace fiberscope::viewer::tests
