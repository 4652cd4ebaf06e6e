// Steps 1.1, 1.2 and 1.6: a context, and the switch between two.
//
// A Context holds the callee-saved registers and nothing else. Any call may clobber the other registers, and a switch
// is a call.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fiberscope::lab01 {

/// The first function on a new stack. It must never return: it has no caller, and context_start reports an error.
using Entry = void (*)(void* argument);

#if defined(__x86_64__)
/// Laid out as NtyCo's nty_cpu_ctx, without the fields that are never loaded.
struct Context {
    std::uint64_t rsp = 0;  ///< the stack pointer as it is after `_switch` has returned
    std::uint64_t rbp = 0;
    std::uint64_t rip = 0;  ///< where `_switch` returns to
    std::uint64_t rbx = 0;
    std::uint64_t r12 = 0;
    std::uint64_t r13 = 0;
    std::uint64_t r14 = 0;
    std::uint64_t r15 = 0;
    std::uint32_t mxcsr = 0x1f80;  ///< SSE control and status; used by `_switch_float` only
    std::uint16_t x87cw = 0x037f;  ///< x87 control word; used by `_switch_float` only
};
// The assembly names these offsets.
static_assert(offsetof(Context, rsp) == 0 && offsetof(Context, rbp) == 8 && offsetof(Context, rip) == 16);
static_assert(offsetof(Context, rbx) == 24 && offsetof(Context, r12) == 32 && offsetof(Context, r13) == 40);
static_assert(offsetof(Context, r14) == 48 && offsetof(Context, r15) == 56);
static_assert(offsetof(Context, mxcsr) == 64 && offsetof(Context, x87cw) == 68 && sizeof(Context) == 72);
#elif defined(__aarch64__)
struct Context {
    std::uint64_t sp = 0;
    std::uint64_t fp = 0;  ///< x29
    std::uint64_t lr = 0;  ///< x30: where `_switch` returns to
    std::uint64_t x19 = 0, x20 = 0, x21 = 0, x22 = 0, x23 = 0;
    std::uint64_t x24 = 0, x25 = 0, x26 = 0, x27 = 0, x28 = 0;
    std::uint64_t d8 = 0, d9 = 0, d10 = 0, d11 = 0, d12 = 0, d13 = 0, d14 = 0, d15 = 0;  ///< low halves of v8 to v15
    std::uint64_t fpcr = 0;  ///< used by `_switch_float` only
};
// The assembly names these offsets.
static_assert(offsetof(Context, sp) == 0 && offsetof(Context, fp) == 8 && offsetof(Context, lr) == 16);
static_assert(offsetof(Context, x19) == 24 && offsetof(Context, x28) == 96 && offsetof(Context, d8) == 104);
static_assert(offsetof(Context, d15) == 160 && offsetof(Context, fpcr) == 168 && sizeof(Context) == 176);
#else
#error "Lab 01 knows x86_64 and aarch64."
#endif

/// Step 1.1. Prepares `context` so that the first switch to it arrives at context_start on the empty stack [bottom,
/// bottom + size), which then calls entry(argument). The stack pointer is aligned to 16 bytes; the top of the stack
/// need not be. All other fields are as in a new Context{} (a frame pointer of 0 ends a debugger's backtrace). Runs no
/// code of the context and writes nothing outside the stack, however small it is.
void make_context(Context& context, std::byte* bottom, std::size_t size, Entry entry, void* argument);

/// Given. Makes a suspended `context` call `function` when it is next switched to; when `function` returns, the context
/// continues after its own switch. Exceptions that `function` throws propagate through the frames of the context. A
/// kernel delivers signals in the same way.
void call_on_arrival(Context& context, void (*function)());

/// The type of a switch.
using SwitchFunction = void (*)(Context* next, Context* current);

extern "C" {
/// Step 1.2. Saves the caller's registers in `current`, loads those of `next`, and continues there. Returns when a
/// later switch loads `current`. Same as NtyCo's _switch(new_ctx, cur_ctx).
void _switch(Context* next, Context* current);

/// Step 1.6. As _switch, and also saves and loads the floating-point control registers: mxcsr and x87cw, or fpcr.
void _switch_float(Context* next, Context* current);

/// Given (start_*.S). Calls the entry of a new context. Expects the entry in r12 and its argument in r13 (x19 and x20
/// on aarch64), which every switch loads.
void context_start();
}

}  // namespace fiberscope::lab01
