// Steps 2.1 and 2.3: a context over the four functions of <ucontext.h>.
//
// A ucontext_t is the saved registers, the floating-point state, the signal mask, the stack, and where to go when the
// function ends. It points into itself, so a Context is never copied or moved.
#pragma once

#include <ucontext.h>

#include <cstddef>

namespace fiberscope::lab02 {

/// The first function on a new stack.
using Entry = void (*)(void* argument);

class Context {
  public:
    Context() = default;
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    /// Step 2.1. When this context is first entered it calls entry(argument) on the stack [bottom, bottom + size).
    /// Step 2.3. When that returns, control goes on in `after`, as it was last saved; without one the thread ends, and the
    /// process with it if no other is left. `after` is fixed here: changing uc_link later has no effect in glibc.
    /// The signal mask is that of the caller. As netco's makeContext(func, processor, link).
    void make(std::byte* bottom, std::size_t size, Entry entry, void* argument, Context* after = nullptr);

    /// Given, and inline for a reason: the context of the caller as it is now; whoever enters it comes out of this very
    /// call once more, for as long as the calling function has not returned. As netco's makeCurContext, which is a function
    /// of its own, so that what it saves is a frame that is gone a moment later.
    [[gnu::always_inline]] void make_here() { getcontext(&context_); }

    /// Step 2.1. Leaves the caller for this context. Saves the caller in `old` and returns when somebody enters `old`; with
    /// no `old` nothing is saved and the call does not return. Throws std::system_error if the context cannot be entered.
    /// As netco's swapToMe.
    void swap_to_me(Context* old);

    /// As netco's getUCtx.
    ucontext_t& raw() noexcept { return context_; }
    const ucontext_t& raw() const noexcept { return context_; }

  private:
    ucontext_t context_{};
};

}  // namespace fiberscope::lab02
