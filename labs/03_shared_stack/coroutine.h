// Steps 3.4 and 3.5: coroutines as libco has them: on a shared stack or on one of their own, resumed from anywhere, and
// copied only when another one needs their stack.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

#include "labs/03_shared_stack/switch_to.h"

namespace fiberscope::lab03 {

/// As libco's stCoRoutineAttr_t, with a name and the backend.
struct Attributes {
    std::string name = {};                            ///< empty: "coroutine ID"
    std::size_t stack_size = kit::kDefaultStackSize;  ///< bytes, for a stack of its own; 0: the default
    SharedStacks* shared = nullptr;                   ///< null: a stack of its own
    std::string_view backend = "asm";                 ///< for a stack of its own; a shared one's group knows its own
};

/// Where a coroutine lives: on `shared`, or, where that is null, on a stack of its own of `stack_size` bytes.
struct Place {
    const ContextBackend* backend;
    SharedStack* shared;
    std::size_t stack_size;
};
inline constexpr std::size_t kLargestStack = std::size_t{8} * 1024 * 1024;  // as in libco

/// Step 3.5. With a group the next of its stacks, whatever the stack size says. Else a stack of one's own: the default
/// size for 0, whole pages of 4 KiB, at most kLargestStack; throws std::invalid_argument if its backend is unknown. As
/// libco's co_create_env.
Place place_for(const Attributes& attributes);

/// On a shared stack it is bound to the thread of that stack; on its own it may be resumed from any thread, one at a
/// time.
class Coroutine : public SharedStackCoroutine {
  public:
    using Body = kit::Body;

    /// On the next stack of `group`, which must outlive it.
    template <std::invocable F>
    Coroutine(F&& body, SharedStacks& group, std::string name = {})
        : Coroutine(Place{&group.backend(), &group.next(), 0}, std::forward<F>(body), std::move(name)) {}
    /// Where step 3.5 puts it. As libco's co_create. Throws what place_for throws, and std::system_error.
    template <std::invocable F>
    explicit Coroutine(F&& body, const Attributes& attributes = {})
        : Coroutine(place_for(attributes), std::forward<F>(body), attributes.name) {}
    /// Unwinds the stack of a suspended coroutine, as release() does. A running coroutine, one that waits for another,
    /// or a suspended one of another thread must not be destroyed: the program ends with a sentence that says so. As
    /// libco's co_free.
    ~Coroutine();

    /// Runs it until it yields or ends; then returns to the caller, or rethrows what its function let escape. Throws
    /// what require_can_resume throws, before anything has changed. As libco's co_resume.
    void resume() {
        require_can_resume(*this, kit::this_thread().callers);
        resume_until_yield();
        if (done()) [[unlikely]]
            after_end();
    }
    /// Step 3.5. Gives back what it holds (its stack, or its image and its place on a shared stack), unwinding it first
    /// if it is suspended; it is dead then, and the object may live on. A second call does nothing. What the destructor
    /// says of running ones holds here too. As libco's co_release.
    void release();

    bool started() const noexcept { return state() != kit::State::new_; }  ///< as libco's cStart
    bool done() const noexcept { return state() == kit::State::dead; }     ///< as libco's cEnd

  private:
    friend struct BackendOperations;  // given/backend.cpp

    Coroutine(const Place& place, Body body, std::string name);
    static void entry(void* self);  // given: the entry of every coroutine: run, then finish

    void resume_until_yield();  // 3.4: the way in; the switch is its last act
    // 3.4: the way out for the last time. Apart: its frame would lie in the image of each coroutine that is parked.
    [[gnu::noinline]] void finish();
    void after_end();                          // given: forgets, releases, rethrows
    void resume_to_unwind();                   // given: resumes one that unwinds, whatever the nesting
    void require_own_thread() const noexcept;  // given: aborts on a thread that is not its own
};

/// Step 3.4. The way back to the resumer; the switch is its last act. Until the coroutine is resumed it is in state
/// `left`, `until` and for a `reason`, as lab01::yield says. Throws Misuse outside a coroutine, or when the coroutine
/// cannot leave its stack (require_can_yield). Apart, like finish.
[[gnu::noinline]] void yield_to_resumer(kit::State left, std::int64_t until, const char* reason);

/// Leaves the coroutine that runs on this thread for the one that resumed it; returns when it is resumed again. Throws
/// what yield_to_resumer throws. As libco's co_yield_ct.
inline void yield(kit::State left = kit::State::suspended, std::int64_t until = trace::kAbsent,
                  const char* reason = nullptr) {
    yield_to_resumer(left, until, reason);
    // What must happen behind the switch is here, so that the switch itself can be the last act of a function.
    static_cast<SharedStackCoroutine*>(kit::thread_state().current)->job.stop_if_unwinding();
}

/// The coroutine that runs on this thread; null outside. As libco's co_self.
Coroutine* running() noexcept;

}  // namespace fiberscope::lab03
