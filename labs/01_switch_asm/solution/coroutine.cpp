#include "labs/01_switch_asm/coroutine.h"

#include <exception>
#include <utility>

#include "labs/kit/run/errors.h"
#include "labs/kit/run/thread_state.h"

namespace fiberscope::lab01 {

using kit::MisuseKind;
using kit::State;
using trace::Why;

namespace {

void require_resumable(const Coroutine& coroutine, const kit::CallerStack& callers) {
    if (coroutine.state() == State::dead) kit::refuse(MisuseKind::resume_of_dead, coroutine);
    if (coroutine.state() == State::running || coroutine.state() == State::normal)
        kit::refuse(MisuseKind::resume_of_running, coroutine);
    if (callers.full()) kit::refuse(MisuseKind::nesting_too_deep, coroutine);
}

void resume_from_top(kit::CallerStack& callers, Coroutine& next) {
    kit::Core& caller = *callers.top();
    callers.push(next);
    switch_to(caller, next, {Why::resume, State::normal});
}

}  // namespace

void Coroutine::resume_until_yield() {
    kit::CallerStack& callers = kit::thread_state().callers;
    require_resumable(*this, callers);
    resume_from_top(callers, *this);
}

void yield(State left, std::int64_t until, const char* reason) {
    kit::CallerStack& callers = kit::thread_state().callers;
    if (callers.depth() == 0) kit::refuse_yield();
    kit::Core& self = *callers.top();
    callers.pop();
    switch_to(self, *callers.top(), {Why::yield, left, until, reason});
}

void Coroutine::finish() {
    kit::CallerStack& callers = kit::thread_state().callers;
    callers.pop();
    switch_to(*this, *callers.top(), {Why::exit, State::dead});
}

void Coroutine::after_end() {
    release_stack();
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Coroutine::run() {
    try {
        body_();
    } catch (const Unwind&) {
        // The locals are destroyed; there is nothing to report.
    } catch (...) {
        failure_ = std::current_exception();
    }
}

void Coroutine::unwind() {
    // No limit on nesting: a destructor cannot refuse. A function that swallows Unwind and yields gets another one.
    while (!done()) {
        call_on_arrival(registers, &throw_unwind);
        resume_from_top(kit::this_thread().callers, *this);
    }
    release_stack();
}

}  // namespace fiberscope::lab01
