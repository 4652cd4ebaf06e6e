// How a scheduler's loop resumes a task. It is ready, nearly always, and no coroutine has been resumed yet on its
// thread.
#pragma once

#include "labs/kit/memory/sanitizer.h"
#include "labs/kit/run/backend.h"
#include "labs/kit/run/core.h"
#include "labs/kit/run/thread_state.h"

namespace fiberscope::kit {

namespace detail {
#if defined(__x86_64__) && !defined(__AVX512F__)
/// function(core), by a jump: the return address is pushed by hand. A switch leaves the function, and a switch comes
/// back behind this; no return answers the call. A processor keeps its own stack of the calls that a return should
/// answer, and one more of them each turn costs it some cycles. The function must not throw: a compiler does not know
/// that there is a call here. Only inline in a function that makes a call besides, or it might keep something below
/// the stack pointer.
[[gnu::always_inline]] inline void call_by_jump(void (*function)(Core&), Core& core) {
    Core* argument = &core;
    asm volatile(
        "leaq 1f(%%rip), %%rax\n\t"
        "pushq %%rax\n\t"
        "jmpq *%[function]\n"
        "1:"
        : "+D"(argument), [function] "+d"(function)
        :
        : "rax", "rcx", "rsi", "r8", "r9", "r10", "r11", "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",
          "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}
#else
inline void call_by_jump(void (*function)(Core&), Core& core) { function(core); }
#endif
}  // namespace detail

/// backend.resume(core), shorter where the usual case is met.
[[gnu::always_inline]] inline void resume_from_loop(const CoroutineBackend& backend, Core& core) {
    if (!kUnderSanitizer && core.is_plainly(State::ready) && backend.resume_ready != nullptr &&
        thread_state().callers.depth() == 0) [[likely]]
        return detail::call_by_jump(backend.resume_ready, core);
    backend.resume(core);
}

}  // namespace fiberscope::kit
