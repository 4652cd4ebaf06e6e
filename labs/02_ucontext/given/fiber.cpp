// Given for step 2.4: the start and the end of a fiber, the thread's fiber, the queue, and the scheduler around its
// loop.
#include <memory>
#include <utility>

#include "labs/02_ucontext/fiber.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/time/clock.h"

namespace fiberscope::lab02 {

[[gnu::noinline]] ThreadFibers& fibers_of_this_thread() noexcept {
    // Never inlined: the compiler would keep the address of the thread-local across a switch.
    static thread_local ThreadFibers fibers;
    asm volatile("");
    return fibers;
}

Fiber::Life::Life(const FiberAttributes& attributes, kit::Stack&& stack, std::uint32_t reuses, kit::Body&& body,
                  Fiber& self)
    : Owner(attributes.kind, trace::Backend::ucontext, std::move(stack), std::string(attributes.name), reuses),
      job(std::move(body)),
      fiber(self) {
    registers.make(this->stack().bottom, this->stack().size, &Fiber::entry, this);
}

Fiber::Fiber(kit::Body body, FiberAttributes attributes)
    : attributes_(std::move(attributes)),
      run_in_scheduler_(attributes_.run_in_scheduler),
      life_(std::make_unique<Life>(attributes_, kit::Stack(attributes_.stack_size), trace::kNone, std::move(body),
                                   *this)) {}

Fiber::Fiber(kit::Core& thread_core) : thread_core_(&thread_core) {}

Fiber::~Fiber() {
    if (life_ != nullptr && kit::must_unwind(*life_)) unwind();
}

// The last swap is with the fiber that destroys this one, whichever that is.
void Fiber::unwind() {
    of_this_thread();
    ThreadFibers& here = fibers_of_this_thread();
    const ThreadFibers before = here;
    here.own = here.scheduler = here.current;
    life_->job.begin_unwinding();
    try {
        resume_until_term();
    } catch (...) {
        if (status() != FiberStatus::term) throw;
        // Exceptions thrown while it is being unwound are dropped: there is no resumer to rethrow them.
    }
    here = before;
}

void Fiber::begin_life(kit::Body body) {
    life_ = std::make_unique<Life>(attributes_, life_->take_stack(), life_->id(), std::move(body), *this);
}

void Fiber::entry(void* life) {
    auto& self = *static_cast<Life*>(life);
    kit::arrive(self);
    self.entered = true;
    self.job.run();
    self.fiber.finish();
}

kit::Step Fiber::resume_step() const noexcept {
    return {life_->entered ? trace::Why::resume : trace::Why::start, kit::State::normal};
}

void Fiber::after_end() { life_->job.rethrow_failure(); }

Fiber& Fiber::adopt_thread() {
    static thread_local std::unique_ptr<Fiber> fiber;
    if (fiber == nullptr) fiber.reset(new Fiber(*kit::this_thread().own));
    return *fiber;
}

void FiberQueue::push(Fiber& fiber) {
    if (fiber.core().state() == kit::State::running) throw kit::Misuse(fiber.core(), kit::State::ready);
    kit::set_state(fiber.core(), kit::State::ready,
                   fiber.core().state() == kit::State::new_ ? trace::Cause::spawned : trace::Cause::none);
    fibers_.push_back(&fiber);
    if (!trace::recording()) return;
    if (set_ == trace::kNone) set_ = trace::declare_set(kit::now(), name_, trace::Role::ready, trace::Structure::queue);
    trace::record(kit::now(), trace::set_event(trace::Kind::insert, set_, fiber.core().id(),
                                               static_cast<std::int64_t>(fibers_.size()) - 1));
}

Fiber& FiberQueue::pop() {
    Fiber& first = *fibers_.front();
    fibers_.pop_front();
    if (trace::recording())
        trace::record(kit::now(), trace::set_event(trace::Kind::remove, set_, first.core().id(), 0));
    return first;
}

Scheduler::Scheduler(std::string name)
    : tasks_(kit::set_name("tasks of {0}", name)),
      fiber_([this] { loop(); },
             {.name = std::move(name), .run_in_scheduler = false, .kind = trace::CoKind::scheduler}) {}

void Scheduler::schedule(Fiber& task) {
    if (!task.run_in_scheduler())
        kit::refuse(kit::MisuseKind::child_resumes, task.core(), "it swaps with the thread, not with a scheduler");
    tasks_.push(task);
}

void Scheduler::run() {
    Fiber::of_this_thread();
    if (fiber_.status() == FiberStatus::term) fiber_.reset([this] { loop(); });
    ThreadFibers& here =
        fibers_of_this_thread();  // only called on the thread's own context, which does not change its thread
    Fiber* const before = std::exchange(here.scheduler, &fiber_);
    try {
        fiber_.resume();
    } catch (...) {
        here.scheduler = before;
        throw;
    }
    here.scheduler = before;
}

}  // namespace fiberscope::lab02
