// What lab 04 gives of RWMutex: which task has it, which wait for it, and what of that stands in a trace. Each step is
// recorded by the task that takes it: one that hands the lock over records that another one has it now. So these events
// are ordered by the lock's stamp and not by that of the task, which may be running elsewhere.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "labs/04_scheduler/rw_mutex.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/run/transfer.h"

namespace fiberscope::lab04 {

namespace {
std::string in_words(const std::string& name, Mode mode) {
    return "the lock '" + name + (mode == Mode::write ? "' to write" : "' to read");
}
}  // namespace

RWMutex::RWMutex(std::string name)
    : name_(std::move(name)),
      queue_name_("waiting for the lock '" + name_ + "'"),
      reason_to_read_(in_words(name_, Mode::read)),
      reason_to_write_(in_words(name_, Mode::write)) {
    queue_set_.guarded_by(&lock_);
    kit::name_object(&lock_, "the lock inside '" + name_ + "'");
}

Wake RWMutex::lock(Mode mode) {
    Task& self = running_task();
    const kit::Guard guard(lock_);
    if (holds(self)) kit::refuse(kit::MisuseKind::holds_already, self.core(), in_words(name_, mode));
    return take(self, mode) ? Wake::event : Wake::cancelled;
}

void RWMutex::unlock(Mode mode) {
    Task& self = running_task();
    const kit::Guard guard(lock_);
    if (!holds(self) || (mode == Mode::write) != (writer_ == &self))
        kit::refuse(kit::MisuseKind::not_the_holder, self.core(), in_words(name_, mode));
    give_back(self);
}

// ---- holding it -----------------------------------------------------------------------------------------------------

bool RWMutex::holds(const Task& task) const noexcept {
    return writer_ == &task || std::find(readers_.begin(), readers_.end(), &task) != readers_.end();
}

void RWMutex::add_holder(Task& task, Mode mode) {
    if (mode == Mode::write)
        writer_ = &task;
    else
        readers_.push_back(&task);
    record(task, trace::LockOp::acquire, mode);
}

void RWMutex::remove_holder(const Task& task) {
    if (!holds(task)) return;
    const Mode mode = writer_ == &task ? Mode::write : Mode::read;
    if (mode == Mode::write)
        writer_ = nullptr;
    else
        std::erase(readers_, &task);
    record(task, trace::LockOp::release, mode);
}

// ---- waiting --------------------------------------------------------------------------------------------------------

void RWMutex::insert_waiter(Waiter& waiter) {
    if (waiter.task.backend->shares_stack)
        throw std::logic_error(
            "task '" + waiter.task.core().name() + "' cannot wait for the lock '" + name_ +
            "': its place in the queue would lie on a stack that others use; give it one of its own");
    queue_.push_back(&waiter);
    if (trace::recording()) queue_set_.inserted({waiter.task.core().id(), &touch_});
    record(waiter.task, trace::LockOp::block, waiter.mode);
}

bool RWMutex::leave_queue(Waiter& waiter) {
    if (std::erase(queue_, &waiter) == 0) return false;
    if (trace::recording()) queue_set_.removed({waiter.task.core().id(), &touch_});
    return true;
}

void RWMutex::remove_waiter(Waiter& waiter) {
    if (leave_queue(waiter)) record(waiter.task, trace::LockOp::timeout, waiter.mode);
}

Wake RWMutex::park_in_queue(Waiter& waiter) KIT_UNCHECKED {  // the loop releases the lock, and the task takes it again
    Wake woken;
    try {
        woken = park((waiter.mode == Mode::write ? reason_to_write_ : reason_to_read_).c_str(), lock_);
    } catch (...) {  // its stack is being unwound: the others must not wait for it
        lock_.lock();
        remove_waiter(waiter);
        if (waiter.admitted)
            give_back(waiter.task);
        else
            admit_next();
        throw;
    }
    lock_.lock();
    return woken;
}

void RWMutex::admit(Waiter& waiter) {
    leave_queue(waiter);
    add_holder(waiter.task, waiter.mode);
    waiter.admitted = true;
    wake(Handle(waiter.task));
}

void RWMutex::record(const Task& task, trace::LockOp op, Mode mode) {
    if (!trace::recording()) return;
    const auto event = trace::lock_event(task.core().id(), op, mode);
    trace::record(kit::now(), event, touch_, name_);
}

}  // namespace fiberscope::lab04
