// Internal state of one machine; for machines.cpp, turns.cpp, parking.cpp and by_choice.cpp only.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <thread>

#include "labs/kit/machines/lock.h"
#include "labs/kit/machines/machines.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::kit {

/// Whether only one machine runs at a time, the one whose clock is furthest behind.
inline bool by_turns() noexcept { return clock_kind() == ClockKind::virtual_; }

struct Machines::MachineThread {
    enum class Doing : std::uint8_t { not_begun, running, parked, ended };

    Doing doing = Doing::not_begun;
    bool unparked = false;          // since the last park
    std::uint64_t unparked_at = 0;  // ns, by the clock of the caller of unpark
    std::uint64_t clock = 0;        // ns, when the machine last gave up its turn
    std::uint64_t until = 0;        // while it is parked
    std::condition_variable turn;
    std::thread thread;
    const Lock* wanted = nullptr;  // the lock that the machine waits for
    // While an explorer decides
    Act act = Act::begin;  // its next action
    const void* object = nullptr;

    bool takes_part() const noexcept { return doing == Doing::running || doing == Doing::parked; }
    bool sleeps() const noexcept { return doing == Doing::parked && !unparked; }
    bool waits_for_ever() const noexcept { return doing == Doing::parked && !unparked && until == kNever; }
    bool waits_for_lock() const noexcept { return wanted != nullptr && !wanted->is_free(); }
    /// The time at which it would continue.
    std::uint64_t next_step() const noexcept {
        return doing == Doing::parked ? std::max(clock, unparked ? unparked_at : until) : clock;
    }
};

}  // namespace fiberscope::kit
