// Steps 2.1 and 2.3: a context over getcontext, makecontext, setcontext and swapcontext. The contracts are in
// ../context.h, the pictures in ../README.md.
#include "labs/02_ucontext/context.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab02 {

// Step 2.1: save the state of the caller first, then set the stack, then the function. makecontext passes only
// arguments of type int: how do you pass two pointers?
// Step 2.3: the context that continues when the function returns must be set before the call of makecontext.
void Context::make([[maybe_unused]] std::byte* bottom, [[maybe_unused]] std::size_t size, [[maybe_unused]] Entry entry,
                   [[maybe_unused]] void* argument, Context* after) {
    if (after != nullptr) kit::not_implemented("2.3", "Context::make: set the context that continues after a return");
    kit::not_implemented("2.1", "Context::make: prepare a context that calls entry(argument) on its own stack");
}

// Step 2.1: which of the four functions is this, and what does it return when it fails?
void Context::make_here() { kit::not_implemented("2.1", "Context::make_here: save the state of the caller"); }

// Step 2.1: which two of the four functions leave the caller, and which of them saves it?
void Context::swap_to_me([[maybe_unused]] Context* old) {
    kit::not_implemented("2.1", "Context::swap_to_me: leave the caller for this context");
}

}  // namespace fiberscope::lab02
