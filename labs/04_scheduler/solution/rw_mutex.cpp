#include "labs/04_scheduler/rw_mutex.h"

namespace fiberscope::lab04 {

bool RWMutex::free_for(Mode mode) const {
    return queue_.empty() && writer_ == nullptr && (mode == Mode::read || readers_.empty());
}

bool RWMutex::take(Task& self, Mode mode) {
    if (free_for(mode)) {
        begin_holding(self, mode);
        return true;
    }
    Waiter waiter{self, mode};
    join_queue(waiter);
    Wake woken = Wake::event;
    while (!waiter.admitted && woken != Wake::cancelled) woken = park_in_queue(waiter);
    leave_queue(waiter);
    if (!waiter.admitted) admit_next();
    return waiter.admitted;
}

void RWMutex::give_back(Task& self) {
    end_holding(self);
    admit_next();
}

void RWMutex::admit_next() {
    while (!queue_.empty()) {
        Waiter& first = *queue_.front();
        if (writer_ != nullptr || (first.mode == Mode::write && !readers_.empty())) return;
        let_in(first);
    }
}

}  // namespace fiberscope::lab04
