// Steps 1.3 to 1.5: coroutines. The contracts are in ../coroutine.h; what the kit gives you:
//
//     kit::this_thread().callers       which resumed which on this thread: push, pop, top (a pointer), depth, full
//     switch_to(from, to, {why, left}) the checked, recorded way to `_switch`;
//                                      `left` is the state in which `from` stays
//     state()                          of a coroutine; `switch_to` alone changes it
//     release_stack()                  gives the stack of a dead coroutine back
//     kit::Misuse(kind, coroutine)     what to throw when something is asked that cannot be
#include "labs/01_switch_asm/coroutine.h"

#include "labs/kit/report/report.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/run/thread_state.h"

namespace fiberscope::lab01 {

// Step 1.3: the way in. What is the caller, and in which state does it wait? Refuse what cannot be before anything
// changes: a dead coroutine, one that stands on a stack of callers already, one too many. Make the switch the last act:
// whatever must happen afterwards is done by resume (../coroutine.h), and the compiler can jump instead of calling.
void Coroutine::resume_until_yield() {
    kit::not_implemented("1.3", "Coroutine::resume_until_yield: run it until it yields");
}

// Step 1.3: back to the one that resumed the running coroutine; the switch is the last act here too.
void yield([[maybe_unused]] kit::State left, [[maybe_unused]] std::int64_t until, [[maybe_unused]] const char* reason) {
    kit::not_implemented("1.3", "yield: go back to the one that resumed this coroutine");
}

// Step 1.4: the function has returned; leave for the resumer, and never come back.
void Coroutine::finish() { kit::not_implemented("1.4", "Coroutine::finish: the end, back to the resumer"); }

// Step 1.4: resume calls this on the caller's stack when the coroutine has ended: its own stack is of no use any more.
// Step 1.5: and if it ended by an exception, throw that again.
void Coroutine::after_end() { kit::not_implemented("1.4", "Coroutine::after_end: give the stack back"); }

// Calls the function. Step 1.5: nothing that it throws may leave this stack; keep it for after_end.
void Coroutine::run() {
    try {
        body_();
    } catch (...) {
        kit::not_implemented("1.5", "Coroutine::run: keep what the function threw, for after_end");
    }
}

// Step 1.5: a suspended coroutine is being destroyed: let its locals go first. call_on_arrival(registers,
// &throw_unwind) makes it throw when it is entered next; run is where that must stop.
void Coroutine::unwind() {
    kit::not_implemented("1.5", "Coroutine::unwind: run the destructors of a suspended coroutine");
}

}  // namespace fiberscope::lab01
