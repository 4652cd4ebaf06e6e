// Several machines under the virtual clock: whose turn it is.
#include <cstdint>
#include <mutex>

#include "labs/kit/machines/machine_thread.h"
#include "labs/kit/machines/machines.h"
#include "labs/kit/run/thread_state.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::kit {

// Returns the machine whose next step comes first; ties are broken by the seed.
unsigned Machines::furthest_behind() {
    std::uint64_t first = kNever;
    unsigned chosen = turn_, equals = 0;
    for (unsigned i = 0; i < count(); ++i) {
        const MachineThread& machine = *machines_[i];
        if (!machine.takes_part() || machine.waits_for_lock()) continue;
        const std::uint64_t next = stopped_ ? 0 : machine.next_step();
        if (next > first || (!stopped_ && machine.waits_for_ever())) continue;
        equals = next < first ? 1 : equals + 1;
        if (equals == 1 || random_() % equals == 0) chosen = i;
        first = next;
    }
    return chosen;
}

// Passes the baton to the machine furthest behind; returns when it comes back.
void Machines::give_turn(std::unique_lock<std::mutex>& lock, MachineThread& self) {
    const unsigned mine = turn_;
    turn_ = next_turn();
    if (turn_ == mine) return;
    machines_[turn_]->turn.notify_all();
    self.turn.wait(lock, [&] { return turn_ == mine; });
}

void Machines::pass_the_baton() {
    if (!by_turns() || count() == 1) return;
    std::unique_lock lock(mutex_);
    MachineThread& self = *machines_[thread_state().machine];
    self.clock = now();
    give_turn(lock, self);
}

}  // namespace fiberscope::kit
