#include "labs/02_ucontext/coroutine.h"

#include "labs/kit/run/errors.h"
#include "labs/kit/run/thread_state.h"

namespace fiberscope::lab02 {

using kit::MisuseKind;
using kit::State;
using trace::Why;

void require_resumable(const kit::Core& coroutine, const kit::CallerStack& callers) {
    if (coroutine.state() == State::dead) kit::refuse(MisuseKind::resume_of_dead, coroutine);
    if (coroutine.state() == State::running || coroutine.state() == State::normal)
        kit::refuse(MisuseKind::resume_of_running, coroutine);
    if (callers.full()) kit::refuse(MisuseKind::nesting_too_deep, coroutine);
}

namespace {

// Not inlined: it would enlarge a frame on the stack of every coroutine, and the image of every parked one.
[[gnu::noinline, gnu::cold]] void keep_escaping(std::exception_ptr& failure) noexcept {
    failure = std::current_exception();
}

}  // namespace

void Job::run() noexcept {
    try {
        body_();
    } catch (...) {
        if (!unwinding_) keep_escaping(failure_);
    }
}

void Job::rethrow() { std::rethrow_exception(std::exchange(failure_, nullptr)); }

void Coroutine::resume_until_yield() {
    kit::CallerStack& callers = kit::this_thread().callers;
    kit::Core& caller = *callers.top();
    callers.push(*this);
    switch_to(caller, *this, {state() == State::new_ ? Why::start : Why::resume, State::normal});
}

void yield(State left, std::int64_t until, const char* reason) {
    kit::CallerStack& callers = kit::this_thread().callers;
    if (callers.depth() == 0) kit::refuse_yield();
    auto& self = static_cast<Coroutine&>(*callers.top());
    callers.pop();
    switch_to(self, *callers.top(), {Why::yield, left, until, reason});
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
