#include "labs/02_ucontext/fiber.h"

#include "labs/kit/run/errors.h"

namespace fiberscope::lab02 {

using kit::MisuseKind;
using kit::State;
using trace::Why;

Fiber& Fiber::of_this_thread() {
    ThreadFibers& here = fibers_of_this_thread();
    if (here.own == nullptr) here.own = here.current = here.scheduler = &adopt_thread();
    return *here.own;
}

FiberStatus Fiber::status() const noexcept {
    switch (core().state()) {
    case State::dead: return FiberStatus::term;
    case State::running:
    case State::normal: return FiberStatus::running;
    default: return FiberStatus::ready;
    }
}

Fiber& Fiber::partner() {
    of_this_thread();
    const ThreadFibers& here = fibers_of_this_thread();
    return run_in_scheduler_ ? *here.scheduler : *here.own;
}

void Fiber::resume() {
    Fiber& waits = partner();
    if (status() == FiberStatus::term) kit::refuse(MisuseKind::resume_of_dead, core());
    if (status() == FiberStatus::running) kit::refuse(MisuseKind::resume_of_running, core());
    if (fibers_of_this_thread().current != &waits) kit::refuse(MisuseKind::child_resumes, core());
    fibers_of_this_thread().current = this;
    switch_to(waits.core(), core(), resume_step());
    if (status() == FiberStatus::term) after_end();
}

void Fiber::yield() {
    Fiber& thread = of_this_thread();
    Fiber& self = *fibers_of_this_thread().current;
    if (&self == &thread) kit::refuse_yield();
    Fiber& back = self.partner();
    fibers_of_this_thread().current = &back;
    switch_to(self.core(), back.core(), {Why::yield, State::suspended});
    self.life_->job.stop_if_unwinding();
}

void Fiber::finish() {
    Fiber& back = partner();
    fibers_of_this_thread().current = &back;
    switch_to(core(), back.core(), {Why::exit, State::dead});
}

void Fiber::resume_until_term() {
    while (status() != FiberStatus::term) resume();
}

void Fiber::reset(kit::Body body) {
    if (status() != FiberStatus::term) throw kit::Misuse(core(), State::new_);
    begin_life(std::move(body));
}

void Scheduler::loop() {
    while (!tasks_.empty()) {
        Fiber& task = tasks_.pop();
        task.resume();
        if (task.status() == FiberStatus::ready) tasks_.push(task);
    }
}

}  // namespace fiberscope::lab02
