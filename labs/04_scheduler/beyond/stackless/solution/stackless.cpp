#include "labs/04_scheduler/beyond/stackless/stackless.h"

#include <utility>

namespace fiberscope::lab04::stackless {

bool Begin::await_ready() const noexcept { return false; }

bool End::await_ready() const noexcept { return false; }

std::coroutine_handle<> End::await_suspend(std::coroutine_handle<>) const noexcept {
    if (frame.caller == nullptr) return std::noop_coroutine();
    return frame.caller->handle;
}

void Frame::unhandled_exception() noexcept { failure = std::current_exception(); }

std::coroutine_handle<> Call::enter(Frame& caller) const noexcept {
    callee.caller = &caller;
    return callee.handle;
}

void Call::finish() const {
    if (callee.failure) std::rethrow_exception(callee.failure);
}

void Leave::suspend(Coroutine& co, Frame& frame) noexcept { co.innermost = &frame; }

void Coroutine::go_on() {
    Frame* const frame = std::exchange(innermost, nullptr);
    frame->handle.resume();
}

void Coroutine::free_frames() noexcept {
    while (innermost != nullptr) {
        Frame* const gone = innermost;
        innermost = gone->caller;
        gone->handle.destroy();
    }
}

}  // namespace fiberscope::lab04::stackless
