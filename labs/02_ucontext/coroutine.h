// Step 2.2: the coroutines of lab 01, on ucontext. A coroutine that resumes another waits for it; yield goes back to
// the resumer. The same tests run on both.
#pragma once

#include <concepts>
#include <utility>

#include "labs/02_ucontext/job.h"
#include "labs/02_ucontext/jump.h"

namespace fiberscope::lab02 {

using kit::Attributes;

/// A coroutine: a context, a stack, a state and a function. May be resumed from any thread, but only from one at a
/// time.
class Coroutine : public kit::Owner<Context> {
  public:
    using Body = kit::Body;

    /// Allocates a stack; does not run the function yet. Throws std::system_error if no stack can be allocated. A
    /// ucontext always keeps the floating-point control registers, regardless of the attributes.
    template <std::invocable F>
    explicit Coroutine(F&& body, Attributes attributes = {})
        : Owner(attributes.kind, trace::Backend::ucontext, kit::Stack(attributes.stack_size),
                std::move(attributes.name), attributes.reuses),
          job_(std::forward<F>(body)) {
        registers.make(stack().bottom, stack().size, &Coroutine::entry, this);
    }
    /// Unwinds the stack of a suspended coroutine, which runs the destructors of its locals. Aborts with a message if
    /// the coroutine is running or waits for another.
    ~Coroutine();

    /// Runs the coroutine until it yields or ends; then returns, or rethrows the exception that escaped its function.
    /// Throws Misuse and changes nothing if it is dead, if it is already on a stack of callers, or if kit::kMostNested
    /// coroutines are nested on this thread (checked in this order). As in libco's co_resume.
    void resume() {
        require_resumable(*this, kit::this_thread().callers);
        resume_until_yield();
        if (done()) after_end();
    }

    bool done() const noexcept { return state() == kit::State::dead; }

  private:
    friend void yield(kit::State left, std::int64_t until, const char* reason);
    friend struct BackendOperations;  // given/backend.cpp

    static void entry(void* self);  // given: the entry of every coroutine; calls run, then finish
    void after_end();               // given: releases the stack, and rethrows
    void unwind();                  // given: unwinds a suspended coroutine, for the destructor

    void resume_until_yield();  // 2.2: resumes
    void finish();              // 2.2: leaves for good
    void resume_until_dead();   // 2.2: called by unwind when every yield throws

    Job job_;
};

/// Step 2.2. Switches from the running coroutine back to its resumer; returns when the coroutine is resumed again,
/// perhaps on another thread. Until then its state is `left`, as in lab 01. `until` is the end of the wait (ns, or
/// trace::kAbsent), `reason` a text for the trace (may be null). Throws Misuse outside a coroutine, and kit::Unwind in
/// one that is being destroyed. As in libco's co_yield_ct.
void yield(kit::State left, std::int64_t until, const char* reason);
/// Given: yield as suspended.
void yield();

/// The coroutine that runs on this thread; null outside.
Coroutine* running() noexcept;

}  // namespace fiberscope::lab02
