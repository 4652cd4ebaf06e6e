// Given: this lab's coroutines as a backend for schedulers (lab 04).
#include "labs/kit/run/backend.h"

#include "labs/01_switch_asm/coroutine.h"

namespace fiberscope::lab01 {

struct BackendOperations {
    static void unwind(kit::Core& coroutine) {
        if (kit::must_unwind(coroutine)) static_cast<Coroutine&>(coroutine).unwind();
    }
    static void resume(kit::Core& coroutine) { static_cast<Coroutine&>(coroutine).resume_until_yield(); }
    static void after_end(kit::Core& coroutine) { static_cast<Coroutine&>(coroutine).after_end(); }

    static void yield(kit::State left, std::int64_t until, const char* reason) { lab01::yield(left, until, reason); }

    static void hand_over(kit::Core& to, kit::State left, std::int64_t until, const char* reason) {
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
