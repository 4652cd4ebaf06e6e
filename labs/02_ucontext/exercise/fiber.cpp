// Step 2.4: sylar's fibers. The contracts are in ../fiber.h; what you are given:
//
//     fibers_of_this_thread()          current, own and scheduler of this thread: ask again after every switch
//     adopt_thread()                   the fiber around the thread's own context
//     switch_to(from, to, {why, left}) the checked, recorded way, between the core()s of two fibers
//     resume_step()                    the step of a resume: why, and in which state the other one waits
//     life_->job.stop_if_unwinding()   throws in a fiber that is being destroyed
//     begin_life(body)                 a new life on the stack of the dead one
//     after_end()                      rethrows what the function let escape
//     kit::refuse(kind, core())        throws kit::Misuse
//     kit::refuse_yield()              the same, about the thread's own context
#include "labs/02_ucontext/fiber.h"

#include "labs/kit/report/report.h"
#include "labs/kit/run/errors.h"

namespace fiberscope::lab02 {

// The first call on a thread makes it: from then on the thread has a current fiber.
Fiber& Fiber::of_this_thread() {
    kit::not_implemented("2.4", "Fiber::of_this_thread: the fiber of the thread's own context, made on first use");
}

// Three words for the states of core(): which of them are which?
FiberStatus Fiber::status() const noexcept { kit::not_implemented("2.4", "Fiber::status: the state in sylar's words"); }

// Which fiber does this one swap with?
Fiber& Fiber::partner() {
    kit::not_implemented("2.4", "Fiber::partner: the scheduler's context or the thread's, by run_in_scheduler");
}

// Refuse first, while nothing has changed. Which fiber is current from now on? And when control comes back
// here, may it be for the last time?
void Fiber::resume() { kit::not_implemented("2.4", "Fiber::resume: run it until it yields or ends"); }

// Which fiber runs, and which one does it swap with? When control comes back, it may be only to be unwound.
void Fiber::yield() { kit::not_implemented("2.4", "Fiber::yield: back to the context that it swaps with"); }

// As yield, but for the last time.
void Fiber::finish() { kit::not_implemented("2.4", "Fiber::finish: the end, back to the context that it swaps with"); }

// It is ready and being destroyed: each time that it is resumed, its yield throws. How often may that be needed?
void Fiber::resume_until_term() {
    kit::not_implemented("2.4", "Fiber::resume_until_term: resume it until its stack is unwound");
}

// Which fibers must be refused?
void Fiber::reset([[maybe_unused]] kit::Body body) {
    kit::not_implemented("2.4", "Fiber::reset: another function on the stack of a finished fiber");
}

// Ten lines: take the first, run it, and what if it has only yielded?
void Scheduler::loop() { kit::not_implemented("2.4", "Scheduler::loop: run all tasks, first come, first served"); }

}  // namespace fiberscope::lab02
