// What lab 04 gives of RWMutex: which task has it, which wait for it, and what of that stands in a trace. Each task
// records its own steps, also where another one has handed the lock over to it: so no other touches a task that may be
// running elsewhere.
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
    if (!take(self, mode)) return Wake::cancelled;
    record(self, trace::LockOp::acquire, mode);
    return Wake::event;
}

void RWMutex::unlock(Mode mode) {
    Task& self = running_task();
    const kit::Guard guard(lock_);
    if (!holds(self) || (mode == Mode::write) != (writer_ == &self))
        kit::refuse(kit::MisuseKind::not_the_holder, self.core(), in_words(name_, mode));
    record(self, trace::LockOp::release, mode);
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
}

void RWMutex::remove_holder(const Task& task) {
    if (writer_ == &task)
        writer_ = nullptr;
    else
        std::erase(readers_, &task);
}

// ---- waiting --------------------------------------------------------------------------------------------------------

void RWMutex::insert_waiter(Waiter& waiter) {
    if (waiter.task.backend->shares_stack)
        throw std::logic_error(
            "task '" + waiter.task.core().name() + "' cannot wait for the lock '" + name_ +
            "': its place in the queue would lie on a stack that others use; give it one of its own");
    queue_.push_back(&waiter);
    if (trace::recording()) queue_set_.inserted(kit::item_of(waiter.task.core()));
    record(waiter.task, trace::LockOp::block, waiter.mode);
}

void RWMutex::remove_waiter(Waiter& waiter) {
    std::erase(queue_, &waiter);
    if (trace::recording()) queue_set_.removed(kit::item_of(waiter.task.core()));
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
    std::erase(queue_, &waiter);
    add_holder(waiter.task, waiter.mode);
    waiter.admitted = true;
    wake(Handle(waiter.task));
}

void RWMutex::record(Task& task, trace::LockOp op, Mode mode) {
    if (!trace::recording()) return;
    const auto event = trace::lock_event(task.core().id(), op, mode);
    trace::record(kit::now(), event, kit::Transfer::touch(task.core()), touch_, name_);
}

}  // namespace fiberscope::lab04
