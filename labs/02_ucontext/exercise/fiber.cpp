// Step 2.4: sylar's fibers. The contracts are in ../fiber.h. Given:
//     fibers_of_this_thread()          current, own and scheduler of this thread: call again after every switch
//     adopt_thread()                   creates the fiber for the thread's own context
//     switch_to(from, to, {why, left}) switches between the core()s of two fibers, checked and recorded
//     resume_step()                    the step of a resume: why, and the state in which the resumer waits
//     life_->job.stop_if_unwinding()   throws in a fiber that is being destroyed
//     begin_life(body)                 starts a new life on the stack of the dead one
//     after_end()                      rethrows the exception that escaped the function
//     kit::refuse(kind, core())        throws kit::Misuse
//     kit::refuse_yield()              throws kit::Misuse about the thread's own context
#include "labs/02_ucontext/fiber.h"

#include "labs/kit/report/report.h"
#include "labs/kit/run/errors.h"

namespace fiberscope::lab02 {

// The first call on a thread creates the fiber; from then on the thread has a current fiber.
Fiber& Fiber::of_this_thread() {
    kit::not_implemented("2.4", "Fiber::of_this_thread: the fiber of the thread's own context, made on first use");
}

// sylar has three states: which states of core() does each of them cover?
FiberStatus Fiber::status() const noexcept { kit::not_implemented("2.4", "Fiber::status: the state in sylar's terms"); }

// Which fiber does this one swap with?
Fiber& Fiber::partner() {
    kit::not_implemented("2.4", "Fiber::partner: the scheduler's context or the thread's, by run_in_scheduler");
}

// Refuse before anything changes. Which fiber is current from now on? And when control comes back here, may the fiber
// have ended?
void Fiber::resume() { kit::not_implemented("2.4", "Fiber::resume: run it until it yields or ends"); }

// Which fiber is running, and which one does it swap with? When control comes back, it may be only to unwind the fiber.
void Fiber::yield() { kit::not_implemented("2.4", "Fiber::yield: go back to the partner"); }

// As yield, but for the last time.
void Fiber::finish() { kit::not_implemented("2.4", "Fiber::finish: end, and go back to the partner"); }

// The fiber is ready and being destroyed: whenever it is resumed, its yield throws. How often may that be needed?
void Fiber::resume_until_term() {
    kit::not_implemented("2.4", "Fiber::resume_until_term: resume it until its stack is unwound");
}

// Which fibers must be refused?
void Fiber::reset([[maybe_unused]] kit::Body body) {
    kit::not_implemented("2.4", "Fiber::reset: another function on the stack of a finished fiber");
}

// At most ten lines: dequeue the first task and run it. What if it has only yielded?
void Scheduler::loop() { kit::not_implemented("2.4", "Scheduler::loop: run all tasks, first come, first served"); }

}  // namespace fiberscope::lab02
