// Step 5.4: sylar's IO manager. The contracts are in ../io_manager.h; what you are given:
//
//     SchedulerLock held(scheduler_.shared())
//                                         takes the scheduler's lock until `held` ends: contexts, pending_, idles_
//     context(fd, event)                  one direction of one descriptor; it stays where it is
//     watch(context, fd, event)           from now on its event calls trigger(context)
//     unwatch(context)                    no longer
//     begin(callback, "its name")         a task, with the lock held; lab04::go takes the lock itself
//     lab04::running_task()               the task that calls; a lab04::Handle of it owns a context without a callback
//     park_owner(context, held)           leaves the processor; the lock is free when it has left,
//                                         and held when it is back
//     wake_owner(context)                 wakes the owner, if it is parked there
//     tickle_fd_                          an eventfd: write 8 bytes to make it readable, read them to make it silent
//     mutex_                              for scheduled_, timers_ and stopping_, which other threads write; after the
//                                         scheduler's
//     timers_.take_expired(kit::now())    the callbacks of the timers that are due, which are set no more
//     until_first_timer()                 ns; takes mutex_ itself
#include "labs/05_epoll_io/io_manager.h"

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/report/report.h"

namespace fiberscope::lab05 {

bool IOManager::add_event(int, Want, Callback) {
    kit::not_implemented("5.4", "IOManager::add_event: once, for a callback or for the task that runs");
}

Wake IOManager::wait_event(int, Want) {
    // Another machine may have triggered the event since it was added; and a task that was woken otherwise has it
    // still.
    kit::not_implemented("5.4", "IOManager::wait_event: park until the event that this task has added is triggered");
}

void IOManager::forget(EventContext&) { kit::not_implemented("5.4", "IOManager::forget: it is pending no longer"); }

void IOManager::drop(EventContext&) {
    kit::not_implemented("5.4", "IOManager::drop: forget it, and what was to be done");
}

void IOManager::trigger(EventContext&) {
    // What is triggered may add the event again at once.
    kit::not_implemented("5.4", "IOManager::trigger: forget it, then begin its callback or wake its owner");
}

bool IOManager::delete_event(int, Want) { kit::not_implemented("5.4", "IOManager::delete_event: forget it"); }

bool IOManager::cancel_event(int, Want) { kit::not_implemented("5.4", "IOManager::cancel_event: trigger it"); }

bool IOManager::cancel_all(int) { kit::not_implemented("5.4", "IOManager::cancel_all: trigger both"); }

void IOManager::schedule(Callback) { kit::not_implemented("5.4", "IOManager::schedule: from any thread"); }

void IOManager::stop() { kit::not_implemented("5.4", "IOManager::stop: from any thread"); }

void IOManager::tickle() noexcept { kit::not_implemented("5.4", "IOManager::tickle: the idle task looks around"); }

void IOManager::idle() {
    kit::not_implemented("5.4", "IOManager::idle: begin what was scheduled and what is due, wait; until the end");
}

}  // namespace fiberscope::lab05
