#include "labs/kit/machines/work.h"

#include <time.h>

#include <algorithm>

#include "labs/kit/machines/machines.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"

namespace fiberscope::kit {

void idle_until(std::uint64_t t) {
    if (Machines* machines = Machines::of_this_thread(); machines != nullptr) {
        if (now() < t) machines->park(t);
        return;
    }
    if (clock_kind() == ClockKind::virtual_) {
        virtual_now() = std::max(virtual_now(), t);
        return;
    }
    // std::this_thread::sleep_for would resume an interrupted sleep with the kernel's remaining time, which includes
    // the timer slack: signals more often than that (50 us) keep it from ever ending.
    for (std::uint64_t left = time_left(t); left > 0; left = time_left(t)) {
        const timespec rest = timespec_of(left);
        ::nanosleep(&rest, nullptr);
    }
}

void work(std::uint64_t ns) {
    if (clock_kind() == ClockKind::virtual_) {
        virtual_now() = plus(virtual_now(), ns);
        Machines::pace();
        return;
    }
    const std::uint64_t until = plus(now(), ns);
    while (now() < until) {
    }
}

}  // namespace fiberscope::kit
