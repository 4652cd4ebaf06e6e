// Step 5.4: sylar's IO manager. The contracts are in ../io_manager.h. Given:
//
//     SchedulerLock held(scheduler_.shared())
//                                         holds the scheduler's lock in a scope: guards contexts, pending_, idles_
//     context(fd, event)                  one direction of one descriptor; address-stable
//     watch(context, fd, event)           from now on its event calls trigger(context)
//     unwatch(context)                    ends this
//     begin(callback, "its name")         starts a task with the lock held; lab04::go acquires the lock itself
//     lab04::running_task()               the calling task; a context without a callback stores its lab04::Handle
//     park_owner(context, held)           parks the owner; the lock is released when the owner has left the processor,
//                                         and reacquired afterwards
//     wake_owner(context)                 wakes the owner, if it is parked there
//     tickle_fd_                          an eventfd: write 8 bytes to make it readable, read them to reset it
//     mutex_                              guards scheduled_, timers_ and stopping_ against other threads; acquire it
//                                         after the scheduler's lock
//     timers_.take_expired(kit::now())    removes the expired timers and returns their callbacks
//     until_first_timer()                 ns; acquires mutex_ itself
#include "labs/05_epoll_io/io_manager.h"

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab05 {

bool IOManager::add_event(int, Want, Callback) {
    kit::not_implemented("5.4", "IOManager::add_event: one event, for a callback or for the running task");
}

Wake IOManager::wait_event(int, Want) {
    // Another machine may have triggered the event since it was added. A task woken for another reason still has it.
    kit::not_implemented("5.4", "IOManager::wait_event: park until the event that this task has added is triggered");
}

void IOManager::forget(EventContext&) {
    kit::not_implemented("5.4", "IOManager::forget: mark it as no longer pending");
}

void IOManager::drop(EventContext&) {
    kit::not_implemented("5.4", "IOManager::drop: forget it, its callback and its owner");
}

void IOManager::trigger(EventContext&) {
    // The callback or the owner may add the event again immediately.
    kit::not_implemented("5.4", "IOManager::trigger: forget it, then begin its callback or wake its owner");
}

bool IOManager::delete_event(int, Want) {
    kit::not_implemented("5.4", "IOManager::delete_event: remove without triggering");
}

bool IOManager::cancel_event(int, Want) { kit::not_implemented("5.4", "IOManager::cancel_event: remove and trigger"); }

bool IOManager::cancel_all(int) { kit::not_implemented("5.4", "IOManager::cancel_all: cancel both directions"); }

void IOManager::schedule(Callback) {
    kit::not_implemented("5.4", "IOManager::schedule: start a task, from any thread");
}

void IOManager::stop() { kit::not_implemented("5.4", "IOManager::stop: end when nothing is pending, from any thread"); }

void IOManager::tickle() noexcept { kit::not_implemented("5.4", "IOManager::tickle: wake the idle task"); }

void IOManager::idle() {
    kit::not_implemented("5.4", "IOManager::idle: start scheduled functions and expired timers, wait; until the end");
}

}  // namespace fiberscope::lab05
