#include "labs/03_shared_stack/coroutine.h"

#include "labs/kit/run/errors.h"
#include "labs/kit/run/thread_state.h"

namespace fiberscope::lab03 {

using kit::State;
using trace::Why;

SharedStack& SharedStacks::next() noexcept { return *stacks_[next_++ % stacks_.size()]; }

void SharedStack::forget(const SharedStackCoroutine& dead) noexcept {
    if (owner_ == &dead) owner_ = nullptr;
}

Move plan_lazily(kit::Core&, kit::Core& next) noexcept {
    SharedStack* stack = shared_stack_of(next);
    if (stack == nullptr || stack->owner() == &next) return {};
    SharedStackCoroutine* owner = stack->owner();
    if (owner != nullptr && owner->state() == State::dead) owner = nullptr;
    return {stack, owner, static_cast<SharedStackCoroutine*>(&next)};
}

void Coroutine::resume_until_yield() {
    kit::CallerStack& callers = kit::this_thread().callers;
    kit::Core& caller = *callers.top();
    callers.push(*this);
    switch_to(caller, *this, {state() == State::new_ ? Why::start : Why::resume, State::normal}, &plan_lazily);
}

void yield_to_resumer(State left, std::int64_t until, const char* reason) {
    kit::CallerStack& callers = kit::thread_state().callers;
    if (callers.depth() == 0) kit::refuse_yield();
    kit::Core& self = *callers.top();
    require_can_yield(self);
    callers.pop();
    switch_to(self, *callers.top(), {Why::yield, left, until, reason}, &plan_lazily);
}

void Coroutine::finish() {
    kit::CallerStack& callers = kit::thread_state().callers;
    callers.pop();
    switch_to(*this, *callers.top(), {Why::exit, State::dead}, &plan_lazily);
}

}  // namespace fiberscope::lab03
