// Step 3.4: libco's variant: K stacks, each with an owner, and copying only when another coroutine moves in. The
// contracts are in ../move.h, ../coroutine.h and ../shared_stack.h. Given: the same functions as in step 3.3.
#include "labs/03_shared_stack/coroutine.h"

#include "labs/kit/report/report.h"
#include "labs/kit/run/errors.h"
#include "labs/kit/run/thread_state.h"

namespace fiberscope::lab03 {

SharedStack& SharedStacks::next() noexcept {
    kit::not_implemented("3.4", "SharedStacks::next: choose the stack of the next coroutine");
}

void SharedStack::forget([[maybe_unused]] const SharedStackCoroutine& dead) noexcept {
    kit::not_implemented("3.4", "SharedStack::forget: clear a dead owner");
}

// Four questions: does `next` run on a shared stack? Does it already own it? Who does? Is that owner dead?
Move plan_lazily([[maybe_unused]] kit::Core& previous, [[maybe_unused]] kit::Core& next) noexcept {
    kit::not_implemented("3.4", "plan_lazily: choose the coroutine that must go out before `next` can run, if any");
}

// As in lab 01, with plan_lazily as the plan of switch_to. resume has already called require_can_resume.
void Coroutine::resume_until_yield() {
    kit::not_implemented("3.4", "Coroutine::resume_until_yield: run it until it yields");
}

void yield_to_resumer([[maybe_unused]] kit::State left, [[maybe_unused]] std::int64_t until,
                      [[maybe_unused]] const char* reason) {
    kit::not_implemented("3.4", "yield_to_resumer: go back to this coroutine's resumer");
}

void Coroutine::finish() { kit::not_implemented("3.4", "Coroutine::finish: end, and go back to the resumer"); }

}  // namespace fiberscope::lab03
