// Given: the coroutines of step 2.2 as a backend for schedulers (lab 04).
#include "labs/kit/run/backend.h"

#include "labs/02_ucontext/coroutine.h"

namespace fiberscope::lab02 {

struct BackendOperations {
    static void unwind(kit::Core& coroutine) {
        if (kit::must_unwind(coroutine)) static_cast<Coroutine&>(coroutine).unwind();
    }
    static void resume(kit::Core& coroutine) {
        require_resumable(coroutine, kit::this_thread().callers);
        static_cast<Coroutine&>(coroutine).resume_until_yield();
    }
    static void after_end(kit::Core& coroutine) { static_cast<Coroutine&>(coroutine).after_end(); }

    static void yield(kit::State left, std::int64_t until, const char* reason) { lab02::yield(left, until, reason); }

    static void hand_over(kit::Core& to, kit::State left, std::int64_t until, const char* reason) {
        kit::CallerStack& callers = kit::this_thread().callers;
        auto& self = static_cast<Coroutine&>(kit::handing_over(callers, to));
        callers.replace_top(to);
        switch_to(self, to, {trace::Why::swap, left, until, reason});
        self.job_.stop_if_unwinding();
    }
};

}  // namespace fiberscope::lab02

namespace fiberscope::kit {

#if defined(__x86_64__)
constexpr std::size_t kStackPointer = offsetof(ucontext_t, uc_mcontext.gregs[REG_RSP]);
#else
constexpr std::size_t kStackPointer = offsetof(ucontext_t, uc_mcontext.sp);
#endif
const CoroutineBackend ucontext_backend =
    backend_of<lab02::BackendOperations, lab02::Coroutine>("ucontext", kStackPointer);

}  // namespace fiberscope::kit
