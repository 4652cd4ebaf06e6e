// Step 2.2: coroutines on contexts. The contracts are in ../coroutine.h; what you are given:
//
//     kit::this_thread().callers       which resumed which on this thread: push, pop, top, depth;
//                                      full() if no other fits in
//     switch_to(from, to, {why, left}) the checked, recorded way to swap_to_me;
//                                      `left` is the state in which `from` stays
//     state()                          of a coroutine; `switch_to` alone changes it
//     kit::refuse_yield()              throws kit::Misuse: no coroutine runs here
//     job_.stop_if_unwinding()         throws in a coroutine that is being destroyed
#include "labs/02_ucontext/coroutine.h"

#include "labs/kit/report/report.h"
#include "labs/kit/run/errors.h"

namespace fiberscope::lab02 {

// Which three cannot be resumed now, and which sentence does each get? kit::refuse(kit::MisuseKind::…, coroutine)
// throws.
void require_resumable([[maybe_unused]] const kit::Core& coroutine, [[maybe_unused]] const kit::CallerStack& callers) {
    kit::not_implemented("2.2", "require_resumable: refuse what cannot be resumed");
}

// Call body_. What may it let escape, and what asks for that when the coroutine is being unwound?
void Job::run() noexcept { kit::not_implemented("2.2", "Job::run: call the function, and keep what escapes"); }

// Once: a second end has nothing to throw.
void Job::rethrow() { kit::not_implemented("2.2", "Job::rethrow: throw what the function let escape"); }

// What is the caller, and in which state does it wait? resume has called require_resumable.
void Coroutine::resume_until_yield() {
    kit::not_implemented("2.2", "Coroutine::resume_until_yield: run it until it yields");
}

// Back to the one that resumed the running coroutine. When control comes back here, the coroutine may have been resumed
// only to be unwound.
void yield([[maybe_unused]] kit::State left, [[maybe_unused]] std::int64_t until, [[maybe_unused]] const char* reason) {
    kit::not_implemented("2.2", "yield: go back to the one that resumed this coroutine");
}

// The function has returned; leave for the resumer, and never come back.
void Coroutine::finish() { kit::not_implemented("2.2", "Coroutine::finish: the end, back to the resumer"); }

// It is suspended and being destroyed: each time that it is resumed, its yield throws. How often may that be needed?
// Nesting is not limited here: a destructor cannot refuse.
void Coroutine::resume_until_dead() {
    kit::not_implemented("2.2", "Coroutine::resume_until_dead: resume it until its stack is unwound");
}

}  // namespace fiberscope::lab02
