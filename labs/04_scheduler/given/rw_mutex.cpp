// Given for RWMutex: its holders, its waiting tasks, and their recording in traces.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "labs/04_scheduler/rw_mutex.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/run/known_code.h"
#include "languages/spoken_error.h"

namespace fiberscope::lab04 {

namespace {

constexpr Text kToRead = mark("the lock '{0}' to read"), kToWrite = mark("the lock '{0}' to write");

std::string in_words(const std::string& name, Mode mode) {
    return english_of(message(mode == Mode::write ? kToWrite : kToRead, name));
}

}  // namespace

RWMutex::RWMutex(std::string name)
    : name_(std::move(name)), reason_to_read_(message(kToRead, name_)), reason_to_write_(message(kToWrite, name_)) {
    kit::name_object(&lock_, message("the lock inside '{0}'", name_));
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
    recorded_.did(trace::LockOp::acquire, mode, task.core());
}

void RWMutex::remove_holder(const Task& task) {
    if (!holds(task)) return;
    const Mode mode = writer_ == &task ? Mode::write : Mode::read;
    if (mode == Mode::write)
        writer_ = nullptr;
    else
        std::erase(readers_, &task);
    recorded_.did(trace::LockOp::release, mode, task.core());
}

// ---- waiting --------------------------------------------------------------------------------------------------------

void RWMutex::insert_waiter(Waiter& waiter) {
    if (waiter.task.backend->shares_stack)
        throw Spoken<std::logic_error>(message(
            "task '{0}' cannot wait for the lock '{1}': its queue entry would be on a shared stack; give the task a "
            "private one",
            waiter.task.core().name(), name_));
    queue_.push_back(&waiter);
    recorded_.inserted(waiter.task.core());
    recorded_.did(trace::LockOp::block, waiter.mode, waiter.task.core());
}

bool RWMutex::leave_queue(Waiter& waiter) {
    if (std::erase(queue_, &waiter) == 0) return false;
    recorded_.removed(waiter.task.core());
    return true;
}

void RWMutex::remove_waiter(Waiter& waiter) {
    if (leave_queue(waiter)) recorded_.did(trace::LockOp::timeout, waiter.mode, waiter.task.core());
}

Wake RWMutex::park_in_queue(Waiter& waiter) KIT_UNCHECKED {  // the loop releases the lock; reacquired here
    Wake woken;
    try {
        woken = park((waiter.mode == Mode::write ? reason_to_write_ : reason_to_read_).c_str(), lock_);
    } catch (...) {  // the stack is being unwound: the others must not wait for it
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

namespace {

constexpr kit::CodeRow kRwMutexCode[] = {
    {"program", "", "4.10", "exercise/rw_mutex.cpp", "", "", "readers_writers"},
    {"waiting", "the lock '", "4.10", "exercise/rw_mutex.cpp", "bool RWMutex::take("},
};
const kit::KnownCode rw_mutex_code("04_scheduler", kRwMutexCode, {.above = true});

}  // namespace

}  // namespace fiberscope::lab04
