// The address of a thread-local variable, for code that may continue on another thread after a switch.
#pragma once

#include <cstdint>

namespace fiberscope::kit::detail {
/// Never read, and not mapped. Represents memory that any call may change, in particular a switch. Not a variable,
/// whose address would have to be loaded each time.
inline constexpr std::uintptr_t kChangedByCalls = 0x10000;
}  // namespace fiberscope::kit::detail

/// Defines `inline Type& name() noexcept`, which returns the `__thread` variable `variable` (extern "C") of the current
/// thread. A compiler treats the address of a thread-local as constant within a function, and would keep it across a
/// switch that returns on another thread. So it is computed in assembly, and again after every call of a function that
/// is not inlined, because the assembly is declared to read memory that such a call may change.
#if defined(__x86_64__)
#define KIT_THREAD_VARIABLE(Type, name, variable)                                              \
    inline Type& name() noexcept {                                                             \
        Type* address;                                                                         \
        asm("movq %%fs:0, %0\n\t"                                                              \
            "leaq " #variable "@tpoff(%0), %0"                                                 \
            : "=r"(address)                                                                    \
            : "m"(*reinterpret_cast<const float*>(fiberscope::kit::detail::kChangedByCalls))); \
        return *address;                                                                       \
    }
#elif defined(__aarch64__)
#define KIT_THREAD_VARIABLE(Type, name, variable)    \
    inline Type& name() noexcept {                   \
        Type* address;                               \
        std::uintptr_t offset;                       \
        asm volatile(                                \
            "mrs %0, tpidr_el0\n\t"                  \
            "adrp %1, :gottprel:" #variable          \
            "\n\t"                                   \
            "ldr %1, [%1, :gottprel_lo12:" #variable \
            "]\n\t"                                  \
            "add %0, %0, %1"                         \
            : "=&r"(address), "=&r"(offset));        \
        return *address;                             \
    }
#endif
