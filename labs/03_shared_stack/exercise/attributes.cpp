// Step 3.5: where a coroutine lives, and how it is given back. The contracts are in ../coroutine.h; what you are given:
//
//     kit::must_unwind(*this)    true for a suspended one; one that is new is dead afterwards
//     job.begin_unwinding()      from now on its yields throw kit::Unwind
//     resume_to_unwind()          resumes it, whatever the nesting
//     release_shared_stack()       forgets it as an owner, and drops its image
//     release_stack()            gives a stack of its own back
#include "labs/03_shared_stack/coroutine.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab03 {

Place place_for([[maybe_unused]] const Attributes& attributes) {
    kit::not_implemented("3.5", "place_for: a shared stack, or one of its own, and how large");
}

// Until it is dead: a function may swallow what unwinds it, and yield again.
void Coroutine::release() { kit::not_implemented("3.5", "Coroutine::release: unwind it, and give back what it holds"); }

}  // namespace fiberscope::lab03
