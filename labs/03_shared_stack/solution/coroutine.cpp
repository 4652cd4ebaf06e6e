#include "labs/03_shared_stack/coroutine.h"

#include "labs/kit/errors.h"
#include "labs/kit/thread_state.h"

namespace fiberscope::lab03 {

using kit::State;
using trace::Why;

SharedStack& SharedStacks::next() noexcept { return *stacks_[next_++ % stacks_.size()]; }

void SharedStack::forget(const Occupant& dead) noexcept {
    if (owner_ == &dead) owner_ = nullptr;
}

Move plan_lazily(kit::Core&, kit::Core& next) noexcept {
    SharedStack* stack = shared_stack_of(next);
    if (stack == nullptr || stack->owner() == &next) return {};
    Occupant* owner = stack->owner();
    if (owner != nullptr && owner->state() == State::dead) owner = nullptr;
    return {stack, owner, static_cast<Occupant*>(&next)};
}

void Coroutine::switch_in() {
    kit::CallerStack& callers = kit::this_thread().callers;
    require_enterable(*this, callers);
    kit::Core& caller = *callers.top();
    callers.push(*this);
    leap(caller, *this, {state() == State::new_ ? Why::start : Why::resume, State::normal}, &plan_lazily);
}

void switch_out() {
    kit::CallerStack& callers = kit::thread_state().callers;
    if (callers.depth() == 0) kit::refuse_yield();
    kit::Core& self = *callers.top();
    require_leavable(self);
    callers.pop();
    leap(self, *callers.top(), {Why::yield, State::suspended}, &plan_lazily);
}

void Coroutine::finish() {
    kit::CallerStack& callers = kit::thread_state().callers;
    callers.pop();
    leap(*this, *callers.top(), {Why::exit, State::dead}, &plan_lazily);
}

}  // namespace fiberscope::lab03
