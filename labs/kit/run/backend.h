// The interface of a coroutine backend, by which one scheduler runs on the coroutines of labs 01, 02 and 03. Only
// declared here: each of these labs defines its own backend, and a program that names one links that lab.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include "labs/kit/run/coroutine.h"

namespace fiberscope::kit {

/// Creates, resumes, yields and destroys coroutines of one kind. A table of function pointers instead of a class: a
/// switch takes one indirect jump, and `resume` and `yield` end with the switch, so no return after them is
/// mispredicted (see lab 01). (lab03::ContextBackend is one level below: how registers are switched.)
struct CoroutineBackend {
    const char* name;  ///< its name in traces: "asm", "ucontext", "shared"
    std::size_t size;  ///< bytes of one coroutine
    /// Offset, within its registers (registers_of), of the stack pointer of a coroutine that has yielded.
    std::size_t stack_pointer;
    /// Stacks are shared: while a coroutine does not run, another one's locals may be at the addresses of its own, so
    /// do not store such addresses elsewhere.
    bool shares_stack;

    /// Constructs a coroutine in `place`: `size` bytes, aligned to 16, owned by the caller. Its Core is at the start.
    /// Throws std::system_error if no stack can be allocated.
    Core& (*create)(void* place, Body&& body, Attributes&& attributes);
    /// Unwinds and releases the stack of a coroutine that has yielded, after which it is dead. A new one becomes dead;
    /// no-op for a dead one.
    void (*unwind)(Core& coroutine);
    /// Unwinds it and destroys the object; the memory remains the caller's.
    void (*destroy)(Core& coroutine);

    /// Runs it until it yields or ends. Throws Misuse as Coroutine::resume does. Requires an attached thread
    /// (this_thread()).
    void (*resume)(Core& coroutine);
    /// To be called once, when `resume` has returned and the coroutine is dead: releases its stack, and rethrows the
    /// exception that escaped its function.
    void (*after_end)(Core& coroutine);

    /// Yields from the running coroutine to its resumer. The coroutine is then in state `left` (suspended, ready,
    /// sleeping or waiting), `until` (ns, or trace::kAbsent), for a `reason` (text or null; must be valid until it is
    /// resumed). Returns when it is resumed. Throws Misuse outside a coroutine, and Unwind in one that is being
    /// destroyed.
    void (*yield)(State left, std::int64_t until, const char* reason);

    /// Like yield, but control goes to `to`, which replaces the current coroutine: when `to` yields or ends, control
    /// returns to the current one's resumer (symmetric transfer). `to` must be a coroutine of this kind that is new,
    /// suspended or ready and is not on a caller stack. Throws Misuse, with nothing changed, if its state does not
    /// allow it to be entered.
    void (*hand_over)(Core& to, State left, std::int64_t until, const char* reason);
};

/// Prefetches the part of a yielded coroutine's stack that it accesses first when it is resumed. Its registers should
/// already be cached.
[[gnu::always_inline]] inline void prefetch_stack(const CoroutineBackend& backend, Core& coroutine) noexcept {
    const std::byte* stack_pointer;
    std::memcpy(&stack_pointer, &registers_of<std::byte>(coroutine) + backend.stack_pointer, sizeof stack_pointer);
    __builtin_prefetch(stack_pointer - 16, 1);
    __builtin_prefetch(stack_pointer + 16, 1);
}

/// Runs it until it yields or ends; rethrows an exception that escaped it.
inline void resume(const CoroutineBackend& backend, Core& coroutine) {
    this_thread();
    backend.resume(coroutine);
    if (coroutine.state() == State::dead) backend.after_end(coroutine);
}

/// The table of a lab: `Operations` has a static function for each lab-specific operation, `Coroutine` is the type
/// created.
template <class Operations, class Coroutine>
constexpr CoroutineBackend backend_of(const char* name, std::size_t stack_pointer, bool shares_stack = false) noexcept {
    return {name,
            sizeof(Coroutine),
            stack_pointer,
            shares_stack,
            [](void* place, Body&& body, Attributes&& attributes) -> Core& {
                return *new (place) Coroutine(std::move(body), std::move(attributes));
            },
            &Operations::unwind,
            [](Core& coroutine) { static_cast<Coroutine&>(coroutine).~Coroutine(); },
            &Operations::resume,
            &Operations::after_end,
            &Operations::yield,
            &Operations::hand_over};
}

extern const CoroutineBackend asm_backend;       ///< defined by lab 01: `_switch`
extern const CoroutineBackend ucontext_backend;  ///< defined by lab 03: `_switch`, on shared stacks
extern const CoroutineBackend
    shared_backend;  ///< defined by lab 03: `_switch`, all coroutines of a thread on a few shared stacks

}  // namespace fiberscope::kit
