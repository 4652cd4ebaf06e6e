// Given parts of the condition variable: its line, and the recording.
#include <utility>

#include "labs/06_timers/condition.h"

namespace fiberscope::lab06 {

Condition::Waiter::~Waiter() {
    of.remove(*this);
    if (alarm) of.manager_.cancel(alarm);
}

void Condition::push(Waiter& waiter) {
    recorded_.did(trace::LockOp::wait, trace::LockMode::cond, waiter.task.task().core());
    line_.push_back(&waiter);
}

// A waiter that was woken otherwise and has not run since is still in the line; no signal is spent on it.
Condition::Waiter* Condition::pop() {
    if (line_.empty()) return nullptr;
    Waiter* first = line_.front();
    line_.pop_front();
    if (broadcasts_) return first;
    if (first->task.task().status() != lab04::State::waiting)
        recorded_.did(trace::LockOp::timeout, trace::LockMode::cond, first->task.task().core());
    else if (std::exchange(signals_, false))
        recorded_.did(trace::LockOp::signal, trace::LockMode::cond);
    return first;
}

bool Condition::remove(Waiter& waiter) {
    if (std::erase(line_, &waiter) == 0) return false;
    recorded_.did(trace::LockOp::timeout, trace::LockMode::cond, waiter.task.task().core());
    return true;
}

lab04::Wake Condition::wait(std::uint64_t limit) {
    lab04::running_task();  // throws before anything is changed
    return stand_in_line(limit);
}

// A signal is recorded when a waiter leaves the line because of it, or as lost if there is none.
bool Condition::signal() {
    signals_ = true;
    const bool woke = wake_first();
    if (std::exchange(signals_, false)) recorded_.did(trace::LockOp::signal, trace::LockMode::cond);
    return woke;
}

// A broadcast empties the line and wakes those that still wait; the others have already been woken otherwise.
std::size_t Condition::broadcast() {
    if (trace::recording())
        for (const Waiter* one : line_)
            if (one->task.task().status() != lab04::State::waiting)
                recorded_.did(trace::LockOp::timeout, trace::LockMode::cond, one->task.task().core());
    recorded_.did(trace::LockOp::broadcast, trace::LockMode::cond);
    broadcasts_ = true;
    const std::size_t woken = wake_all();
    broadcasts_ = false;
    return woken;
}

}  // namespace fiberscope::lab06
