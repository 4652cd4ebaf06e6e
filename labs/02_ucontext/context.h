// Steps 2.1 and 2.3: a context over the four functions of <ucontext.h>.
//
// A ucontext_t is the saved registers, the floating-point state, the signal mask, the stack, and where to go when the
// function ends. It points into itself, so a Context is never copied or moved.
#pragma once

#include <ucontext.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace fiberscope::lab02 {

/// The first function on a new stack.
using Entry = void (*)(void* argument);

/// Registers as a trace shows them, in the order of lab 01's.
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

    /// Step 2.1. When this context is first entered it calls entry(argument) on the stack [bottom, bottom + size). The
    /// signal mask is that of the caller. Throws std::system_error if the state of the caller cannot be had.
    /// Step 2.3. When entry returns, control goes on in `after`, as it was last saved; without one glibc ends the whole
    /// process by exit(0), whichever thread that is on (POSIX: the thread). `after` is fixed here: glibc reads uc_link
    /// in makecontext, and changing it later has no effect. As netco's makeContext(func, processor, link).
    void make(std::byte* bottom, std::size_t size, Entry entry, void* argument, Context* after = nullptr);

    /// Step 2.1. Fills this context with the state of the thread as it is now: registers, floating-point state, signal
    /// mask. Throws std::system_error if it cannot. The frame that it saves is its own, which is gone when it returns:
    /// so a context made here must not be entered before it has been saved again, as the `old` of a swap_to_me. (To
    /// come out of one call twice, call getcontext(&raw()) in the function itself.) As netco's makeCurContext.
    void make_here();

    /// Step 2.1. Leaves the caller for this context. Saves the caller in `old` and returns when control enters `old`;
    /// with no `old` nothing is saved and the call does not return. Throws std::system_error if the context cannot be
    /// entered. As netco's swapToMe.
    void swap_to_me(Context* old);

    /// As netco's getUCtx.
    ucontext_t& raw() noexcept { return context_; }
    const ucontext_t& raw() const noexcept { return context_; }

  private:
    friend struct ContextJump;

    ucontext_t context_{};
    const RegisterValues* seen_ = nullptr;  // by the recorder, when this context was last left (jump.h)
};

}  // namespace fiberscope::lab02
