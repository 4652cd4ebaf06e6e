// Step 4.18 (challenge): C++20's coroutines as tasks. The contracts are in ../stackless.h. Used here:
//
//     frame.handle            resume() continues this frame's function; destroy() destroys its locals and the frame
//     frame.caller            the frame that awaits it; null for a task's first frame
//     frame.failure           its failure
//     co.innermost            the frame to continue, while the coroutine is suspended
//     std::noop_coroutine()   returning this returns control to the machine
#include "labs/04_scheduler/beyond/stackless/stackless.h"

#include <utility>

#include "labs/kit/report/report.h"

namespace fiberscope::lab04::stackless {

bool Begin::await_ready() const noexcept {
    kit::not_implemented("4.18", "Begin::await_ready: does a function begin before it is awaited?");
}

bool End::await_ready() const noexcept {
    kit::not_implemented("4.18", "End::await_ready: is the frame destroyed before its caller has the result?");
}

std::coroutine_handle<> End::await_suspend(std::coroutine_handle<>) const noexcept {
    kit::not_implemented(
        "4.18", "End::await_suspend: return the coroutine to continue with: the caller's, or that of the machine");
}

void Frame::unhandled_exception() noexcept {
    kit::not_implemented("4.18", "Frame::unhandled_exception: store it for the caller");
}

std::coroutine_handle<> Call::enter(Frame&) const noexcept {
    kit::not_implemented("4.18", "Call::enter: store the awaiting frame, and return the callee's coroutine");
}

void Call::finish() const { kit::not_implemented("4.18", "Call::finish: rethrow the failure of the callee"); }

void Leave::suspend(Coroutine&, Frame&) noexcept {
    kit::not_implemented("4.18", "Leave::suspend: store the frame where another machine finds it");
}

void Coroutine::go_on() { kit::not_implemented("4.18", "Coroutine::go_on: resume the innermost frame"); }

void Coroutine::free_frames() noexcept {
    kit::not_implemented("4.18", "Coroutine::free_frames: destroy each frame, the innermost first");
}

}  // namespace fiberscope::lab04::stackless
