#include "labs/04_scheduler/rw_mutex.h"

namespace fiberscope::lab04 {

bool RWMutex::free_for(Mode mode) const {
    return queue_.empty() && writer_ == nullptr && (mode == Mode::read || readers_.empty());
}

bool RWMutex::take(Task& self, Mode mode) {
    if (free_for(mode)) {
        add_holder(self, mode);
        return true;
    }
    Waiter waiter{self, mode};
    insert_waiter(waiter);
    Wake woken = Wake::event;
    while (!waiter.admitted && woken != Wake::cancelled) woken = park_in_queue(waiter);
    remove_waiter(waiter);
    if (!waiter.admitted) admit_next();
    return waiter.admitted;
}

void RWMutex::give_back(Task& self) {
    remove_holder(self);
    admit_next();
}

void RWMutex::admit_next() {
    while (!queue_.empty()) {
        Waiter& first = *queue_.front();
        if (writer_ != nullptr || (first.mode == Mode::write && !readers_.empty())) return;
        admit(first);
    }
}

}  // namespace fiberscope::lab04
