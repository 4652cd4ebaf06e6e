#include "labs/04_scheduler/beyond/preemption/preemption.h"

namespace fiberscope::lab04 {

void Preemption::on_tick(std::uintptr_t pc) {
    Task* const task = running();
    if (task == nullptr) return;
    if (!is_preemptible(pc) || forbidden(*task) > 0) {
        asked_ = task;
        return;
    }
    asked_ = nullptr;
    unblock_signal();
    stop();
}

void Preemption::forbid() { ++running_task().forbids_preemption(); }

void Preemption::allow() { --running_task().forbids_preemption(); }

void Preemption::safe_point() {
    Task& self = running_task();
    if (asked_ != &self || forbidden(self) > 0) return;
    asked_ = nullptr;
    yield();
}

}  // namespace fiberscope::lab04
