// Given: the coroutines of this lab as a scheduler uses them (lab 04).
#include "labs/kit/run/backend.h"

#include "labs/01_switch_asm/coroutine.h"

namespace fiberscope::lab01 {

struct BackendOperations {
    static void unwind(kit::Core& coroutine) {
        if (kit::must_unwind(coroutine)) static_cast<Coroutine&>(coroutine).unwind();
    }
    static void resume(kit::Core& coroutine) { static_cast<Coroutine&>(coroutine).resume_until_yield(); }
    // The same as that, without the refusals that cannot be met: the compiler compares no state again.
    static void resume_ready(kit::Core& coroutine) {
        if (!coroutine.is_plainly(kit::State::ready)) __builtin_unreachable();
        kit::ThreadState& thread = kit::thread_state();
        kit::Core& caller = *thread.callers.top();
        thread.callers.push(coroutine);
        kit::transfer(thread, caller, coroutine, {trace::Why::resume, kit::State::normal},
                      [](kit::Core& f, kit::Core& t) { return SwitchJump(f, t); });
    }
    static constexpr auto kResumeReady = &BackendOperations::resume_ready;
    static void after_end(kit::Core& coroutine) { static_cast<Coroutine&>(coroutine).after_end(); }

    static void yield(kit::State left, std::int64_t until, const char* reason) { lab01::yield(left, until, reason); }
    // Flat, so that giving way knows its state when it is compiled, where a program is optimised across files.
    [[gnu::flatten]] static void yield_ready() { lab01::yield(kit::State::ready, trace::kAbsent, nullptr); }

    static void hand_over(kit::Core& to, kit::State left, std::int64_t until, const char* reason) {
        hand_over_by(to, {trace::Why::swap, left, until, reason});
    }
    static void hand_over_ready(kit::Core& to) { hand_over_by(to, {trace::Why::swap, kit::State::ready}); }

  private:
    // No call in the usual case, so that it needs no room on the stack that is left.
    [[gnu::always_inline]] static void hand_over_by(kit::Core& to, const kit::Step& step) {
        kit::ThreadState& thread = kit::thread_state();
        if (!kit::hands_over_plainly(thread.callers, to)) [[unlikely]]
            return hand_over_with_care(to, step.left, step.until, step.reason);
        kit::Core& self = *thread.callers.top();
        thread.callers.replace_top(to);
        kit::transfer(thread, self, to, step, [](kit::Core& f, kit::Core& t) { return SwitchJump(f, t); });
    }
    [[gnu::noinline, gnu::cold]] static void hand_over_with_care(kit::Core& to, kit::State left, std::int64_t until,
                                                                 const char* reason) {
        kit::CallerStack& callers = kit::thread_state().callers;
        kit::Core& self = kit::handing_over(callers, to);
        callers.replace_top(to);
        switch_to(self, to, {trace::Why::swap, left, until, reason});
    }
};

}  // namespace fiberscope::lab01

namespace fiberscope::kit {

#if defined(__x86_64__)
constexpr std::size_t kStackPointer = offsetof(lab01::Context, rsp);
#else
constexpr std::size_t kStackPointer = offsetof(lab01::Context, sp);
#endif
const CoroutineBackend asm_backend = backend_of<lab01::BackendOperations, lab01::Coroutine>("asm", kStackPointer);

}  // namespace fiberscope::kit
