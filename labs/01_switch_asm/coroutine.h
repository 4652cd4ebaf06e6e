// Steps 1.3, 1.4 and 1.5: asymmetric coroutines on top of _switch. A coroutine that resumes another waits for it, so
// resumed coroutines form a stack of callers, as in libco; yield goes back to the resumer.
#pragma once

#include <concepts>
#include <exception>
#include <utility>

#include "labs/01_switch_asm/jump.h"
#include "labs/kit/run/coroutine.h"
#include "labs/kit/run/errors.h"

namespace fiberscope::lab01 {

using kit::Attributes;

/// A coroutine: a context, a stack, a state and a function. May be resumed from any thread, but only from one at a
/// time.
class Coroutine : public ContextOwner {
  public:
    using Body = kit::Body;

    /// Allocates a stack; does not run the function yet. Throws std::system_error if no stack can be allocated.
    template <std::invocable F>
    explicit Coroutine(F&& body, Attributes attributes = {})
        : ContextOwner(kit::Stack(attributes.stack_size), std::move(attributes.name),
                       attributes.keeps_float_environment, attributes.kind),
          body_(std::forward<F>(body)) {
        make_context(registers, stack().bottom, stack().size, &Coroutine::entry, this);
    }
    /// Unwinds the stack of a suspended coroutine, which runs the destructors of its locals. Aborts with a message if
    /// the coroutine is running or waits for another.
    ~Coroutine();

    /// Runs the coroutine until it yields or ends; then returns, or rethrows the exception that escaped its function.
    /// Throws Misuse and changes nothing if it is dead, if it is already on a stack of callers, or if kit::kMostNested
    /// coroutines are nested on this thread (checked in this order). As in libco's co_resume.
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

    static void entry(void* self);            // given: the entry of every coroutine; calls run, then finish
    [[noreturn]] static void throw_unwind();  // given: throws Unwind

    void resume_until_yield();  // 1.3: resumes; the switch is its last statement
    void finish();              // 1.4: leaves for good
    void after_end();           // 1.4: releases the stack; 1.5: rethrows
    void run();                 // 1.5: calls the function, keeps its exception
    void unwind();              // 1.5: unwinds a suspended coroutine, for the destructor

    Body body_;
    std::exception_ptr failure_;  ///< thrown by the function; taken by after_end
};

/// Step 1.3. Switches from the running coroutine back to its resumer; returns when the coroutine is resumed again,
/// perhaps on another thread. Until then its state is `left`: suspended or, for a scheduler (lab 04), ready, sleeping
/// or waiting. `until` is the end of the wait (ns, or trace::kAbsent), `reason` a text for the trace (may be null; must
/// outlive the wait). Throws Misuse outside a coroutine. As in libco's co_yield_ct.
void yield(kit::State left, std::int64_t until, const char* reason);
/// Given: yield as suspended.
void yield();

/// The coroutine that runs on this thread; null outside.
Coroutine* running() noexcept;

}  // namespace fiberscope::lab01
