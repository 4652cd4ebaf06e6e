// Step 3.4: libco's variant: K stacks, each with an owner, and copying only when another one moves in. The contracts
// are in ../move.h, ../coroutine.h and, beside them, shared_stack.h. Given is what step 3.3 was given.
#include "labs/03_shared_stack/coroutine.h"

#include "labs/kit/report/report.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/run/thread_state.h"

namespace fiberscope::lab03 {

SharedStack& SharedStacks::next() noexcept {
    kit::not_implemented("3.4", "SharedStacks::next: the stack of the next coroutine that is made");
}

void SharedStack::forget([[maybe_unused]] const SharedStackCoroutine& dead) noexcept {
    kit::not_implemented("3.4", "SharedStack::forget: a dead owner is none");
}

// Four questions: does `next` live on a shared stack? Does it own it already? Which one does? Is that one dead?
Move plan_lazily([[maybe_unused]] kit::Core& previous, [[maybe_unused]] kit::Core& next) noexcept {
    kit::not_implemented("3.4", "plan_lazily: which one must go out before `next` can run, if any");
}

// As in lab 01, with plan_lazily as the plan of switch_to. What cannot be resumed is refused before this is called.
void Coroutine::resume_until_yield() {
    kit::not_implemented("3.4", "Coroutine::resume_until_yield: run it until it yields");
}

void yield_to_resumer([[maybe_unused]] kit::State left, [[maybe_unused]] std::int64_t until,
                      [[maybe_unused]] const char* reason) {
    kit::not_implemented("3.4", "yield_to_resumer: go back to the one that resumed this coroutine");
}

void Coroutine::finish() { kit::not_implemented("3.4", "Coroutine::finish: the end, back to the resumer"); }

}  // namespace fiberscope::lab03
