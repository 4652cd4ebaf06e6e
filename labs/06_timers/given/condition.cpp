// What lab 06 gives of the condition variable: its line, and what is recorded.
#include "labs/06_timers/condition.h"
#include "labs/kit/run/thread_state.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::lab06 {

Condition::Waiter::~Waiter() {
    of.remove(*this);
    if (alarm) of.manager_.cancel(alarm);
}

Condition::Waiter* Condition::pop() {
    if (line_.empty()) return nullptr;
    Waiter* first = line_.front();
    line_.pop_front();
    return first;
}

bool Condition::remove(Waiter& waiter) { return std::erase(line_, &waiter) > 0; }

void Condition::record(trace::LockOp op) const {
    if (trace::recording())
        trace::record(kit::now(), trace::lock_event(kit::this_thread().current->id(), op, trace::LockMode::cond),
                      name_);
}

lab04::Wake Condition::wait(std::uint64_t limit) {
    lab04::running_task();  // refuses before anything is recorded
    record(trace::LockOp::wait);
    const lab04::Wake woken = stand_in_line(limit);
    if (woken == lab04::Wake::timeout) record(trace::LockOp::timeout);
    return woken;
}

bool Condition::signal() {
    record(trace::LockOp::signal);
    return wake_first();
}

std::size_t Condition::broadcast() {
    record(trace::LockOp::broadcast);
    return wake_all();
}

}  // namespace fiberscope::lab06
