// Several machines: an idle machine parks until it is unparked, or until a given time.
#include <algorithm>
#include <cstdint>
#include <mutex>

#include "labs/kit/machines/machine_thread.h"
#include "labs/kit/machines/machines.h"
#include "labs/kit/run/thread_state.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"

namespace fiberscope::kit {

bool Machines::all_parked() const noexcept {
    unsigned parked = 0;
    for (const auto& machine : machines_) {
        if (machine->doing == MachineThread::Doing::running) return false;
        if (!machine->takes_part()) continue;
        if (!machine->waits_for_ever()) return false;
        ++parked;
    }
    return parked > 0;
}

bool Machines::park(std::uint64_t until) {
    choice(Act::park);
    std::unique_lock lock(mutex_);
    MachineThread& self = *machines_[thread_state().machine];
    if (stopped_) throw Stopped{};
    self.clock = now();
    self.until = until;
    self.doing = MachineThread::Doing::parked;
    if (explorer() != nullptr) {
        explorer()->drain(turn_);
        check_sleepers();
    }
    if (all_parked()) {
        self.doing = MachineThread::Doing::running;
        throw AllParked();
    }
    const bool unparked = by_turns() ? park_in_turn(lock, self) : park_for_real(lock, self, until);
    self.doing = MachineThread::Doing::running;
    self.unparked = false;
    if (stopped_) throw Stopped{};
    return unparked;
}

bool Machines::park_in_turn(std::unique_lock<std::mutex>& lock, MachineThread& self) {
    give_turn(lock, self);
    if (!stopped_) virtual_now() = self.next_step();
    return self.unparked;
}

bool Machines::park_for_real(std::unique_lock<std::mutex>& lock, MachineThread& self, std::uint64_t until) {
    const auto over = [&] { return self.unparked || stopped_; };
    if (until == kNever) {
        self.turn.wait(lock, over);
        return self.unparked;
    }
    for (std::uint64_t left = time_left(until); left > 0 && !over(); left = time_left(until))
        self.turn.wait_for(lock, a_while(left), over);
    return self.unparked;
}

void Machines::unpark(unsigned index) {
    choice(Act::unpark, machines_[index].get());
    MachineThread& machine = *machines_[index];
    {
        const std::unique_lock lock(mutex_);
        machine.unparked = true;
        machine.unparked_at = std::max(machine.unparked_at, now());
    }
    if (!by_turns()) machine.turn.notify_all();
}

}  // namespace fiberscope::kit
