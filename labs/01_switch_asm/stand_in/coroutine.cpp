// Steps 1.3, 1.4 and 1.5 for the labs above, see switch.cpp. Whatever the function lets escape is kept, and
// unwinding asks for nothing of it.
#include "labs/01_switch_asm/coroutine.h"

namespace fiberscope::lab01 {
namespace {

/// Control goes to the one that is on top of the callers now.
void leave(Coroutine& self, const kit::Step& step) { switch_to(self, *kit::thread_state().callers.top(), step); }

void switch_into(Coroutine& next) {
    kit::Core& before = *kit::thread_state().callers.top();
    kit::thread_state().callers.push(next);
    switch_to(before, next, {trace::Why::resume, kit::State::normal});
}

void refuse_unless_resumable(const Coroutine& next) {
    switch (next.state()) {
    case kit::State::dead: kit::refuse(kit::MisuseKind::resume_of_dead, next);
    case kit::State::running:
    case kit::State::normal: kit::refuse(kit::MisuseKind::resume_of_running, next);
    default: break;
    }
    if (kit::thread_state().callers.full()) kit::refuse(kit::MisuseKind::nesting_too_deep, next);
}

}  // namespace

void Coroutine::resume_until_yield() {
    refuse_unless_resumable(*this);
    switch_into(*this);
}

void yield(kit::State left, std::int64_t until, const char* reason) {
    if (running() == nullptr) kit::refuse_yield();
    Coroutine& self = *running();
    kit::thread_state().callers.pop();
    leave(self, {trace::Why::yield, left, until, reason});
}

void Coroutine::finish() {
    kit::thread_state().callers.pop();
    leave(*this, {trace::Why::exit, kit::State::dead});
}

void Coroutine::run() {
    try {
        std::exchange(body_, nullptr)();
    } catch (...) {
        failure_ = std::current_exception();
    }
}

void Coroutine::after_end() {
    const std::exception_ptr escaped = std::move(failure_);
    release_stack();
    if (escaped != nullptr) std::rethrow_exception(escaped);
}

void Coroutine::unwind() {
    kit::this_thread();
    do {
        call_on_arrival(registers, &throw_unwind);
        switch_into(*this);
    } while (!done());
    failure_ = nullptr;
    release_stack();
}

}  // namespace fiberscope::lab01
