// Steps 2.1 and 2.3: a context over the four functions of <ucontext.h>.
//
// A ucontext_t holds the saved registers, the floating-point state, the signal mask, the bounds of the stack, and the
// context that continues when the function returns. It points into itself, so a Context cannot be copied or moved.
#pragma once

#include <ucontext.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace fiberscope::lab02 {

/// The first function on a new stack.
using Entry = void (*)(void* argument);

/// Registers in the order of a trace, as in lab 01.
#if defined(__x86_64__)
using RegisterValues = std::array<std::uint64_t, 10>;
#elif defined(__aarch64__)
using RegisterValues = std::array<std::uint64_t, 21>;
#else
#error "Lab 02 knows x86_64 and aarch64."
#endif

class Context {
  public:
    Context() = default;
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    /// Step 2.1. Prepares this context to call entry(argument) on the stack [bottom, bottom + size) when it is first
    /// entered, with the signal mask of the caller. Throws std::system_error if the caller's state cannot be saved.
    /// Step 2.3. When `entry` returns, control continues in `after`, as last saved. If `after` is null, glibc ends the
    /// process by exit(0), on whichever thread (POSIX: the thread ends). `after` cannot be changed later, because glibc
    /// reads uc_link in makecontext. As netco's makeContext(func, processor, link).
    void make(std::byte* bottom, std::size_t size, Entry entry, void* argument, Context* after = nullptr);

    /// Step 2.1. Saves the current state of the thread in this context: registers, floating-point state, signal mask.
    /// Throws std::system_error on failure. The saved frame is that of make_here itself, which is gone when it returns,
    /// so the context must not be entered until it has been saved again as the `old` of a swap_to_me. (To return from
    /// one call twice, call getcontext(&raw()) in the function itself.) As netco's makeCurContext.
    void make_here();

    /// Step 2.1. Saves the caller in `old`, switches to this context, and returns when control enters `old`. If `old`
    /// is null, saves nothing and does not return. Throws std::system_error if the context cannot be entered. As
    /// netco's swapToMe.
    void swap_to_me(Context* old);

    /// As netco's getUCtx.
    ucontext_t& raw() noexcept { return context_; }
    const ucontext_t& raw() const noexcept { return context_; }

  private:
    friend struct ContextJump;

    ucontext_t context_{};
    const RegisterValues* seen_ = nullptr;  // recorded when this context was last left (jump.h)
};

}  // namespace fiberscope::lab02
