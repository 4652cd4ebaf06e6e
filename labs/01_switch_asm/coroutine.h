// Steps 1.3, 1.4 and 1.5: coroutines on the switch. A coroutine that resumes another waits for it, so that the resumed
// ones stand on a stack of callers, as in libco; yield goes back to the resumer.
#pragma once

#include <concepts>
#include <exception>
#include <utility>

#include "labs/01_switch_asm/jump.h"
#include "labs/kit/run/coroutine.h"
#include "labs/kit/run/errors.h"

namespace fiberscope::lab01 {

using kit::Attributes;

/// One coroutine: a context, a stack, a state, a function. It may be resumed from any thread, from one at a time.
class Coroutine : public ContextOwner {
  public:
    using Body = kit::Body;

    /// Takes a stack; nothing runs yet. Throws std::system_error if no stack can be had.
    template <std::invocable F>
    explicit Coroutine(F&& body, Attributes attributes = {})
        : ContextOwner(kit::Stack(attributes.stack_size), std::move(attributes.name),
                       attributes.keeps_float_environment, attributes.kind),
          body_(std::forward<F>(body)) {
        make_context(registers, stack().bottom, stack().size, &Coroutine::entry, this);
    }
    /// Unwinds the stack of a suspended coroutine, so that the destructors of its locals run. A running coroutine, or
    /// one that waits for another, must not be destroyed: the program ends with a sentence that says so.
    ~Coroutine();

    /// Runs it until it yields or ends; then returns to the caller, or rethrows what its function let escape.
    /// Throws Misuse, before anything has changed, if it is dead, if it is on a stack of callers already, or if
    /// kit::kMostNested coroutines are nested on this thread: for the first of these that holds. As in libco's
    /// co_resume.
    void resume() {
        kit::this_thread();  // attached from here on
        resume_until_yield();
        if (done()) [[unlikely]]
            after_end();
    }

    bool done() const noexcept { return state() == kit::State::dead; }

  private:
    friend struct BackendOperations;  // given/backend.cpp
    using Unwind = kit::Unwind;

    static void entry(void* self);            // given: the entry of every coroutine: run, then finish
    [[noreturn]] static void throw_unwind();  // given: throws Unwind

    void resume_until_yield();  // 1.3: the way in; the switch is its last act
    void finish();              // 1.4: the way out for the last time
    void after_end();           // 1.4: gives the stack back; 1.5: rethrows
    void run();                 // 1.5: calls the function, keeps what it throws
    void unwind();              // 1.5: what the destructor does with a suspended coroutine

    Body body_;
    std::exception_ptr failure_;  ///< what the function threw; after_end takes it
};

/// Step 1.3. Leaves the coroutine that runs on this thread for the one that resumed it; returns when it is resumed
/// again, perhaps on another thread. Until then it is in state `left`: suspended, or where a scheduler says so (lab 04)
/// ready, sleeping or waiting, `until` (ns, or trace::kAbsent) and for a `reason` in words (or null; it must live as
/// long). Throws Misuse outside a coroutine. As in libco's co_yield_ct.
void yield(kit::State left, std::int64_t until, const char* reason);
/// Given: the same, suspended.
void yield();

/// The coroutine that runs on this thread; null outside.
Coroutine* running() noexcept;

}  // namespace fiberscope::lab01
