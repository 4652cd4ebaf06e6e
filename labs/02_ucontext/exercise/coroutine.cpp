// Step 2.2: coroutines on contexts. The contracts are in ../coroutine.h and ../job.h. Given:
//     kit::this_thread().callers       the stack of callers of this thread: push, pop, top, depth, full
//     switch_to(from, to, {why, left}) calls swap_to_me, checked and recorded;
//                                      `left` is the state in which `from` stays
//     state()                          the state of a coroutine; only `switch_to` changes it
//     kit::refuse_yield()              throws kit::Misuse: no coroutine runs here
//     job_.stop_if_unwinding()         throws in a coroutine that is being destroyed
#include "labs/02_ucontext/coroutine.h"

#include "labs/kit/report/report.h"
#include "labs/kit/run/errors.h"

namespace fiberscope::lab02 {

// Which three coroutines cannot be resumed, and with which kind of misuse is each refused?
// kit::refuse(kit::MisuseKind::…, coroutine) throws.
void require_resumable([[maybe_unused]] const kit::Core& coroutine, [[maybe_unused]] const kit::CallerStack& callers) {
    kit::not_implemented("2.2", "require_resumable: refuse coroutines that cannot be resumed");
}

// Calls body_. Which exceptions may escape it, and is there a resumer to rethrow them when the coroutine is being
// unwound?
void Job::run() noexcept { kit::not_implemented("2.2", "Job::run: call the function, and keep its exception"); }

// Rethrows only once.
void Job::rethrow() { kit::not_implemented("2.2", "Job::rethrow: rethrow the function's exception"); }

// Which coroutine is the caller, and in which state does it wait? resume has already called require_resumable.
void Coroutine::resume_until_yield() {
    kit::not_implemented("2.2", "Coroutine::resume_until_yield: run it until it yields");
}

// Goes back to the resumer of the running coroutine. When control comes back here, the coroutine may have been resumed
// only to be unwound.
void yield([[maybe_unused]] kit::State left, [[maybe_unused]] std::int64_t until, [[maybe_unused]] const char* reason) {
    kit::not_implemented("2.2", "yield: go back to this coroutine's resumer");
}

// The function has returned; leaves for the resumer and never comes back.
void Coroutine::finish() { kit::not_implemented("2.2", "Coroutine::finish: end, and go back to the resumer"); }

// The coroutine is suspended and being destroyed: whenever it is resumed, its yield throws. How often may that be
// needed? No limit on nesting: a destructor cannot refuse.
void Coroutine::resume_until_dead() {
    kit::not_implemented("2.2", "Coroutine::resume_until_dead: resume it until its stack is unwound");
}

}  // namespace fiberscope::lab02
