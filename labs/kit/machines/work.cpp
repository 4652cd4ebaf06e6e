#include "labs/kit/machines/work.h"

#include <algorithm>
#include <thread>

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
    for (std::uint64_t left = time_left(t); left > 0; left = time_left(t)) std::this_thread::sleep_for(a_while(left));
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
