// Step 2.2: the coroutines of lab 01, on a ucontext. One that resumes another waits for it; yield goes back to the
// resumer. The same tests run on both.
#pragma once

#include <concepts>
#include <utility>

#include "labs/02_ucontext/job.h"
#include "labs/02_ucontext/jump.h"

namespace fiberscope::lab02 {

using kit::Attributes;

/// One coroutine: a context, a stack, a state, a function. It may be resumed from any thread, from one at a time.
class Coroutine : public kit::Owner<Context> {
  public:
    using Body = kit::Body;

    /// Takes a stack; nothing runs yet. Throws std::system_error if no stack can be had. A ucontext always keeps the
    /// floating-point control registers, whatever the attributes say.
    template <std::invocable F>
    explicit Coroutine(F&& body, Attributes attributes = {})
        : Owner(attributes.kind, trace::Backend::ucontext, kit::Stack(attributes.stack_size),
                std::move(attributes.name), attributes.reuses),
          job_(std::forward<F>(body)) {
        registers.make(stack().bottom, stack().size, &Coroutine::entry, this);
    }
    /// Unwinds the stack of a suspended coroutine, so that the destructors of its locals run. A running coroutine, or
    /// one that waits for another, must not be destroyed: the program ends with a sentence that says so.
    ~Coroutine();

    /// Runs it until it yields or ends; then returns to the caller, or rethrows what its function let escape.
    /// Throws Misuse, before anything has changed, if it is dead, if it is on a stack of callers already, or if
    /// kit::kMostNested coroutines are nested on this thread. As in libco's co_resume.
    void resume() {
        require_resumable(*this, kit::this_thread().callers);
        resume_until_yield();
        if (done()) after_end();
    }

    bool done() const noexcept { return state() == kit::State::dead; }

  private:
    friend void yield(kit::State left, std::int64_t until, const char* reason);
    friend struct BackendOperations;  // given/backend.cpp

    static void entry(void* self);  // given: the entry of every coroutine: run, then finish
    void after_end();               // given: gives the stack back, and rethrows
    void unwind();                  // given: what the destructor does with one that was left

    void resume_until_yield();  // 2.2: the way in
    void finish();              // 2.2: the way out for the last time
    void resume_until_dead();   // 2.2: what unwind does once every yield throws

    Job job_;
};

/// Step 2.2. Leaves the coroutine that runs on this thread for the one that resumed it; returns when it is resumed
/// again, perhaps on another thread. Until then it is in state `left`, as in lab 01, `until` (ns, or trace::kAbsent)
/// and for a `reason` in words (or null). Throws Misuse outside a coroutine, and kit::Unwind in one that is being
/// destroyed. As in libco's co_yield_ct.
void yield(kit::State left, std::int64_t until, const char* reason);
/// Given: the same, suspended.
void yield();

/// The coroutine that runs on this thread; null outside.
Coroutine* running() noexcept;

}  // namespace fiberscope::lab02
