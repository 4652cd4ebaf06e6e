// Steps 3.4 and 3.5: coroutines as in libco, on shared or private stacks. Any coroutine may resume another, and a stack
// is copied only when another coroutine needs it.
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
    std::size_t stack_size = kit::kDefaultStackSize;  ///< bytes, for a private stack; 0: the default
    SharedStacks* shared = nullptr;                   ///< null: a private stack
    std::string_view backend = "asm";                 ///< for a private stack; a group has its own
};

/// The stack of a coroutine: `shared`, or a private one of `stack_size` bytes if that is null.
struct Place {
    const ContextBackend* backend;
    SharedStack* shared;
    std::size_t stack_size;
};
inline constexpr std::size_t kLargestStack = std::size_t{8} * 1024 * 1024;  // as in libco

/// Step 3.5. Returns the next stack of the group, if any; the stack size is then ignored. Otherwise returns a private
/// stack: the default size for 0, rounded up to whole pages of 4 KiB, at most kLargestStack. Throws
/// std::invalid_argument if the backend of a private stack is unknown. As libco's co_create_env.
Place place_for(const Attributes& attributes);

/// A coroutine on a shared stack is bound to the thread of that stack; one on a private stack may be resumed from any
/// thread, but only from one at a time.
class Coroutine : public SharedStackCoroutine {
  public:
    using Body = kit::Body;

    /// Runs on the next stack of `group`, which must outlive the coroutine.
    template <std::invocable F>
    Coroutine(F&& body, SharedStacks& group, std::string name = {})
        : Coroutine(Place{&group.backend(), &group.next(), 0}, std::forward<F>(body), std::move(name)) {}
    /// Runs on the stack chosen by place_for (step 3.5). As libco's co_create. Throws the exceptions of place_for, and
    /// std::system_error if no stack can be allocated.
    template <std::invocable F>
    explicit Coroutine(F&& body, const Attributes& attributes = {})
        : Coroutine(place_for(attributes), std::forward<F>(body), attributes.name) {}
    /// Unwinds the stack of a suspended coroutine, as release() does. Aborts with a message if the coroutine is
    /// running, waits for another, or is suspended and bound to another thread. As libco's co_free.
    ~Coroutine();

    /// Runs the coroutine until it yields or ends; then returns, or rethrows the exception that escaped its function.
    /// Throws the exceptions of require_can_resume before changing anything. As libco's co_resume.
    void resume() {
        require_can_resume(*this, kit::this_thread().callers);
        resume_until_yield();
        if (done()) [[unlikely]]
            after_end();
    }
    /// Step 3.5. Releases the private stack, or the image and the ownership of the shared stack; unwinds a suspended
    /// coroutine first. The coroutine is dead afterwards, but the object may live on. Idempotent. Aborts in the same
    /// cases as the destructor. As libco's co_release.
    void release();

    bool started() const noexcept { return state() != kit::State::new_; }  ///< as libco's cStart
    bool done() const noexcept { return state() == kit::State::dead; }     ///< as libco's cEnd

  private:
    friend struct BackendOperations;  // given/backend.cpp

    Coroutine(const Place& place, Body body, std::string name);
    static void entry(void* self);  // given: the entry of every coroutine; calls run, then finish

    void resume_until_yield();  // 3.4: resumes; the switch is its last statement
    // 3.4: leaves for good. Not inlined: it would enlarge the image of every parked coroutine.
    [[gnu::noinline]] void finish();
    void after_end();                          // given: forgets, releases, rethrows
    void resume_to_unwind();                   // given: resumes to unwind, without a limit on nesting
    void require_own_thread() const noexcept;  // given: aborts on another thread than its own
};

/// Step 3.4. Switches back to the resumer; the switch is its last statement. The parameters are those of lab01::yield.
/// Throws Misuse outside a coroutine, or if the coroutine cannot leave its stack (require_can_yield). Not inlined, like
/// finish.
[[gnu::noinline]] void yield_to_resumer(kit::State left, std::int64_t until, const char* reason);

/// Switches from the running coroutine back to its resumer; returns when the coroutine is resumed again. Throws the
/// exceptions of yield_to_resumer, and kit::Unwind in a coroutine that is being released. As libco's co_yield_ct.
inline void yield(kit::State left = kit::State::suspended, std::int64_t until = trace::kAbsent,
                  const char* reason = nullptr) {
    yield_to_resumer(left, until, reason);
    // The work after the switch is here, so that yield_to_resumer can end with the switch.
    static_cast<SharedStackCoroutine*>(kit::thread_state().current)->job.stop_if_unwinding();
}

/// The coroutine that runs on this thread; null outside. As libco's co_self.
Coroutine* running() noexcept;

}  // namespace fiberscope::lab03
