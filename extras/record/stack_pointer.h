// The stack pointer of a saved context.
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace fiberscope::preload {

inline std::uintptr_t stack_pointer(const ucontext_t& context) noexcept {
#if defined(__x86_64__)
    return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
    return context.uc_mcontext.sp;
#else
#error "unknown processor"
#endif
}

}  // namespace fiberscope::preload
