// Step 4.18 (challenge): C++20's coroutines as tasks. The contracts are in ../stackless.h; what you use:
//
//     frame.handle            resume() goes on with this frame's function; destroy() ends its locals and the frame
//     frame.caller            the frame that awaits it; null in a task's first
//     frame.failure           by what it failed
//     co.innermost            where the coroutine goes on, while it does not run
//     std::noop_coroutine()   to return this is to go back to the machine
#include "labs/04_scheduler/beyond/stackless/stackless.h"

#include <utility>

#include "labs/kit/report/report.h"

namespace fiberscope::lab04::stackless {

bool Begin::await_ready() const noexcept {
    kit::not_implemented("4.18", "Begin::await_ready: does a function begin before it is awaited?");
}

bool End::await_ready() const noexcept {
    kit::not_implemented("4.18", "End::await_ready: does the frame go before its caller has the result?");
}

std::coroutine_handle<> End::await_suspend(std::coroutine_handle<>) const noexcept {
    kit::not_implemented("4.18", "End::await_suspend: where control goes on: in the caller, or in the machine");
}

void Frame::unhandled_exception() noexcept {
    kit::not_implemented("4.18", "Frame::unhandled_exception: keep it for the caller");
}

std::coroutine_handle<> Call::enter(Frame&) const noexcept {
    kit::not_implemented("4.18", "Call::enter: which frame awaits the callee, and where control goes on");
}

void Call::finish() const { kit::not_implemented("4.18", "Call::finish: throw what the callee failed by"); }

void Leave::suspend(Coroutine&, Frame&) noexcept {
    kit::not_implemented("4.18", "Leave::suspend: where another machine will find the frame");
}

void Coroutine::go_on() { kit::not_implemented("4.18", "Coroutine::go_on: go on with the innermost frame"); }

void Coroutine::free_frames() noexcept {
    kit::not_implemented("4.18", "Coroutine::free_frames: destroy each frame, the innermost first");
}

}  // namespace fiberscope::lab04::stackless
