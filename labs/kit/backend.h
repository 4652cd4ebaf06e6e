// The one small interface of a coroutine backend, by which one scheduler runs on the coroutines of labs 01, 02 and 03.
// The kit only declares it: each of these labs defines its own backend, and a program that names one links that lab.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include "labs/kit/coroutine.h"

namespace fiberscope::kit {

/// How coroutines of one kind are made, entered, left and destroyed. A table of functions and no class: a switch goes
/// through one indirect jump, and `enter` and `leave` end with the switch, so that no return behind them is predicted
/// wrong (lab 01 tells why).
struct CoroutineBackend {
    const char* name;  ///< as traces call it: "asm", "ucontext", "shared"
    std::size_t size;  ///< bytes of one coroutine
    /// Where the stack pointer of one that has left lies: bytes into its registers (registers_of).
    std::size_t stack_pointer;
    /// Where one's locals were lie another one's while it is left: nobody else may keep their address.
    bool shares_stack;

    /// Makes a coroutine in `place`: `size` bytes, aligned to 16, owned by the caller. Its Core lies there. Throws
    /// std::system_error if no stack can be had.
    Core& (*create)(void* place, Body&& body, Attributes&& attributes);
    /// The stack of one that was left is unwound, and given back; it is dead then. A new one is dead; a dead one stays so.
    void (*unwind)(Core& coroutine);
    /// Unwinds it, and ends the object; the memory stays the caller's.
    void (*destroy)(Core& coroutine);

    /// The way in: runs it until it leaves or ends. Throws Misuse as Coroutine::resume does. On a thread that is attached
    /// (this_thread()).
    void (*enter)(Core& coroutine);
    /// Once, when `enter` has come back from one that is dead: gives its stack back, and throws again what its function
    /// let escape.
    void (*after_end)(Core& coroutine);

    /// The way out: leaves the coroutine that runs here for the one that entered it, in state `left` (suspended, ready,
    /// sleeping or waiting), `until` (ns, or trace::kAbsent), for a `reason` in words (or null; it must live until
    /// control comes back). Returns when it is entered again. Throws Misuse outside a coroutine, and Unwind in one that
    /// is being destroyed.
    void (*leave)(State left, std::int64_t until, const char* reason);
    /// The same for leave(State::ready, trace::kAbsent, nullptr), which is what a scheduler's yield is: shorter.
    void (*give_way)();
};

/// Asks the processor for what one that has left will touch first on its stack when it is entered. Its registers should be
/// near already.
[[gnu::always_inline]] inline void prefetch_stack(const CoroutineBackend& backend, Core& coroutine) noexcept {
    const std::byte* stack_pointer;
    std::memcpy(&stack_pointer, &registers_of<std::byte>(coroutine) + backend.stack_pointer, sizeof stack_pointer);
    __builtin_prefetch(stack_pointer - 16, 1);
    __builtin_prefetch(stack_pointer + 16, 1);
}

/// Runs it until it leaves or ends; rethrows what it let escape.
inline void resume(const CoroutineBackend& backend, Core& coroutine) {
    this_thread();
    backend.enter(coroutine);
    if (coroutine.state() == State::dead) backend.after_end(coroutine);
}

/// The table of a lab: `Operations` has a static function for each act that is its own, `Coroutine` is what it makes.
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
            &Operations::enter,
            &Operations::after_end,
            &Operations::leave,
            &Operations::give_way};
}

extern const CoroutineBackend asm_backend;       ///< defined by lab 01: `_switch`
extern const CoroutineBackend ucontext_backend;  ///< defined by lab 02: swapcontext
extern const CoroutineBackend shared_backend;  ///< defined by lab 03: `_switch`, all of a thread on a few shared stacks

}  // namespace fiberscope::kit
