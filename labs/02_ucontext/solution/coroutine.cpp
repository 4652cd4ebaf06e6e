#include "labs/02_ucontext/coroutine.h"

#include "labs/kit/run/errors.h"
#include "labs/kit/run/thread_state.h"

namespace fiberscope::lab02 {

using kit::State;
using trace::Why;

void Coroutine::resume_until_yield() {
    kit::CallerStack& callers = kit::this_thread().callers;
    kit::Core& caller = *callers.top();
    callers.push(*this);
    switch_to(caller, *this, {state() == State::new_ ? Why::start : Why::resume, State::normal});
}

void yield() {
    kit::CallerStack& callers = kit::this_thread().callers;
    if (callers.depth() == 0) kit::refuse_yield();
    auto& self = static_cast<Coroutine&>(*callers.top());
    callers.pop();
    switch_to(self, *callers.top(), {Why::yield, State::suspended});
    self.job_.stop_if_unwinding();
}

void Coroutine::finish() {
    kit::CallerStack& callers = kit::this_thread().callers;
    callers.pop();
    switch_to(*this, *callers.top(), {Why::exit, State::dead});
}

void Coroutine::resume_until_dead() {
    while (!done()) resume_until_yield();
}

}  // namespace fiberscope::lab02
