// Steps 1.3 to 1.5: coroutines. The contracts are in ../coroutine.h. The kit provides:
//     kit::this_thread().callers       the stack of callers of this thread: push, pop, top (a pointer), depth, full
//     switch_to(from, to, {why, left}) calls `_switch`, checked and recorded;
//                                      `left` is the state in which `from` stays
//     state()                          the state of a coroutine; only `switch_to` changes it
//     release_stack()                  releases the stack of a dead coroutine
//     kit::Misuse(kind, coroutine)     the exception to throw for an invalid request
#include "labs/01_switch_asm/coroutine.h"

#include "labs/kit/report/report.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/run/thread_state.h"

namespace fiberscope::lab01 {

// Step 1.3: resume. Which coroutine is the caller, and in which state does it wait? Before changing anything, refuse a
// dead coroutine, one that is already on a stack of callers, and one too many. Make the switch the last statement, so
// that the compiler can jump instead of calling; resume (../coroutine.h) does the work after the switch.
void Coroutine::resume_until_yield() {
    kit::not_implemented("1.3", "Coroutine::resume_until_yield: run it until it yields");
}

// Step 1.3: goes back to the resumer of the running coroutine. Here too the switch is the last statement.
void yield([[maybe_unused]] kit::State left, [[maybe_unused]] std::int64_t until, [[maybe_unused]] const char* reason) {
    kit::not_implemented("1.3", "yield: go back to this coroutine's resumer");
}

// Step 1.4: the function has returned; leaves for the resumer and never comes back.
void Coroutine::finish() { kit::not_implemented("1.4", "Coroutine::finish: end, and go back to the resumer"); }

// Step 1.4: resume calls this on the resumer's stack once the coroutine has ended and no longer needs its own stack.
// Step 1.5: if it ended by an exception, rethrows that.
void Coroutine::after_end() { kit::not_implemented("1.4", "Coroutine::after_end: release the stack"); }

// Step 1.5: calls the function. Exceptions must not leave this stack; they are kept for after_end.
void Coroutine::run() {
    try {
        body_();
    } catch (...) {
        kit::not_implemented("1.5", "Coroutine::run: keep the function's exception for after_end");
    }
}

// Step 1.5: destroys the locals of a suspended coroutine that is being destroyed. call_on_arrival(registers,
// &throw_unwind) makes it throw when it is next switched to; run must catch that exception.
void Coroutine::unwind() {
    kit::not_implemented("1.5", "Coroutine::unwind: run the destructors of a suspended coroutine");
}

}  // namespace fiberscope::lab01
