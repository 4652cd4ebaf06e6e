// What lab 04 gives of step 4.12: the way from a task's yield to HandOff, and from the loop into the tasks.
#include "labs/04_scheduler/hand_off.h"

#include <array>
#include <cstddef>
#include <mutex>
#include <stdexcept>

#include "labs/kit/run/from_loop.h"

namespace fiberscope::lab04 {

namespace {

/// The same backend, whose coroutines leave by HandOff. It lies here for good: a Handle may keep a task longer than its
/// scheduler.
const kit::CoroutineBackend& with_hand_off(const kit::CoroutineBackend& backend) {
    constexpr std::size_t kBackends = 3;
    static std::mutex mutex;
    static std::array<kit::CoroutineBackend, kBackends> made;
    static std::size_t count = 0;
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < count; ++i)
        if (made[i].resume == backend.resume) return made[i];
    if (count == kBackends) throw std::logic_error("a backend more than the labs have asks for hand-off");
    made[count] = backend;
    made[count].yield = &HandOff::leave;
    made[count].yield_ready = &HandOff::leave_ready;
    return made[count++];
}

}  // namespace

void HandOff::on_attach(Scheduler& sched) { backend_ = &with_hand_off(sched.backend()); }

void HandOff::enqueue_new(Scheduler& sched, Task& task) {
    task.backend = backend_;
    sched.make_ready(task, trace::Cause::spawned);
}

void HandOff::on_detach(Scheduler&) { turns_ = 0; }

void HandOff::hand_over_with_care(Scheduler& sched, Task& self) {
    sched.ready().push(self);
    hand_over_ready(*sched.ready().pop());
}

void HandOff::enter(Scheduler& sched, Task& first) {
    begin(first);
    kit::resume_from_loop(sched.backend(), first.core());
    sched.insert_by_state(*sched.running());
}

}  // namespace fiberscope::lab04
