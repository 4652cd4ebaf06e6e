// Steps 2.1 and 2.3: a context over getcontext, makecontext, setcontext and swapcontext. The contracts are in
// ../context.h, the pictures in ../README.md.
#include "labs/02_ucontext/context.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab02 {

// Step 2.1: save the state of the caller first, then say which stack it is, then which function begins there.
// makecontext passes numbers of type int and nothing else: how do two pointers get through?
// Step 2.3: where control goes when the function returns must be said before makecontext is called.
void Context::make([[maybe_unused]] std::byte* bottom, [[maybe_unused]] std::size_t size, [[maybe_unused]] Entry entry,
                   [[maybe_unused]] void* argument, Context* after) {
    if (after != nullptr) kit::not_implemented("2.3", "Context::make: where control goes when the function returns");
    kit::not_implemented("2.1", "Context::make: prepare a context that calls entry(argument) on a stack of its own");
}

// Step 2.1: one of the four functions, and what it returns when it fails.
void Context::make_here() { kit::not_implemented("2.1", "Context::make_here: save the state of the caller"); }

// Step 2.1: which two of the four functions leave the caller, and which of them saves it?
void Context::swap_to_me([[maybe_unused]] Context* old) {
    kit::not_implemented("2.1", "Context::swap_to_me: leave the caller for this context");
}

}  // namespace fiberscope::lab02
