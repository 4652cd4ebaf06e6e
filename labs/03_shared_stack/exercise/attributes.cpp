// Step 3.5: the stack of a coroutine, and its release. The contracts are in ../coroutine.h. Given:
//     kit::must_unwind(*this)    true for a suspended coroutine; makes a new one dead
//     job.begin_unwinding()      makes its yields throw kit::Unwind from now on
//     resume_to_unwind()         resumes it without a limit on nesting
//     release_shared_stack()     clears the owner of the shared stack, and drops the image
//     release_stack()            releases a private stack
#include "labs/03_shared_stack/coroutine.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab03 {

Place place_for([[maybe_unused]] const Attributes& attributes) {
    kit::not_implemented("3.5", "place_for: choose a shared or a private stack, and its size");
}

// A function may swallow the unwinding exception and yield again: resume it until it is dead.
void Coroutine::release() {
    kit::not_implemented("3.5", "Coroutine::release: unwind it, and release its stack or image");
}

}  // namespace fiberscope::lab03
