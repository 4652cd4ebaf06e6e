// Given: the coroutines of this lab as a scheduler uses them (lab 04).
#include "labs/kit/run/backend.h"

#include "labs/01_switch_asm/coroutine.h"

namespace fiberscope::lab01 {

struct BackendOperations {
    static void unwind(kit::Core& coroutine) {
        if (kit::must_unwind(coroutine)) static_cast<Coroutine&>(coroutine).unwind();
    }
    static void resume(kit::Core& coroutine) { static_cast<Coroutine&>(coroutine).resume_until_yield(); }
    static void after_end(kit::Core& coroutine) { static_cast<Coroutine&>(coroutine).after_end(); }

    // Plain yielding is the student's own; the other states differ from it by a word.
    static void yield(kit::State left, std::int64_t until, const char* reason) {
        if (left == kit::State::suspended && until == trace::kAbsent && reason == nullptr) return lab01::yield();
        yield_by({trace::Why::yield, left, until, reason});
    }
    static void yield_ready() { yield_by({trace::Why::yield, kit::State::ready}); }

    static void hand_over(kit::Core& to, kit::State left, std::int64_t until, const char* reason) {
        hand_over_by(to, {trace::Why::swap, left, until, reason});
    }
    static void hand_over_ready(kit::Core& to) { hand_over_by(to, {trace::Why::swap, kit::State::ready}); }

  private:
    // Inline, so that giving way knows its step when it is compiled.
    [[gnu::always_inline]] static void yield_by(const kit::Step& step) {
        kit::ThreadState& thread = kit::thread_state();
        kit::CallerStack& callers = thread.callers;
        if (callers.depth() == 0) kit::refuse_yield();
        kit::Core& self = *callers.top();
        kit::Core& resumer = kit::guess_own(thread, callers.below_top());
        callers.pop_to(resumer);
        kit::transfer(thread, self, resumer, step, [](kit::Core& f, kit::Core& t) { return SwitchJumpBack(f, t); });
    }
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
