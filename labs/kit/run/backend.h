// The one small interface of a coroutine backend, by which one scheduler runs on the coroutines of labs 01, 02 and 03.
// The kit only declares it: each of these labs defines its own backend, and a program that names one links that lab.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include "labs/kit/run/coroutine.h"

namespace fiberscope::kit {

/// How coroutines of one kind are made, resumed and destroyed, and how they yield. A table of functions and no class: a
/// switch goes through one indirect jump, and `resume` and `yield` end with the switch, so that no return behind them
/// is predicted wrong (lab 01 tells why). (lab03::ContextBackend is one level below: how registers are switched.)
struct CoroutineBackend {
    const char* name;  ///< as traces call it: "asm", "ucontext", "shared"
    std::size_t size;  ///< bytes of one coroutine
    /// Where the stack pointer of a coroutine lies that has yielded: bytes into its registers (registers_of).
    std::size_t stack_pointer;
    /// While a coroutine does not run, another one's locals may lie where its own were: keep no address of them
    /// elsewhere.
    bool shares_stack;

    /// Makes a coroutine in `place`: `size` bytes, aligned to 16, owned by the caller. Its Core lies there. Throws
    /// std::system_error if no stack can be had.
    Core& (*create)(void* place, Body&& body, Attributes&& attributes);
    /// Unwinds the stack of a coroutine that has yielded, and gives it back; it is dead then. A new one is dead then
    /// too; a dead one stays so.
    void (*unwind)(Core& coroutine);
    /// Unwinds it, and ends the object; the memory stays the caller's.
    void (*destroy)(Core& coroutine);

    /// Runs it until it yields or ends. Throws Misuse as Coroutine::resume does. On a thread that is attached
    /// (this_thread()).
    void (*resume)(Core& coroutine);
    /// Once, when `resume` has returned and the coroutine is dead: gives its stack back, and throws again what its
    /// function let escape.
    void (*after_end)(Core& coroutine);

    /// The coroutine that runs here yields to the one that resumed it. It is then in state `left` (suspended, ready,
    /// sleeping or waiting), `until` (ns, or trace::kAbsent), for a `reason` in words (or null; it must live until
    /// control comes back). Returns when it is resumed again. Throws Misuse outside a coroutine, and Unwind in one that
    /// is being destroyed.
    void (*yield)(State left, std::int64_t until, const char* reason);

    /// The same as yield, but control goes to `to`, which takes the place of the one that leaves: when `to` yields or
    /// ends, it goes back to what resumed the one that leaves (symmetric transfer). `to` must be a coroutine of this
    /// kind that is new, suspended or ready and stands on no stack of callers. Throws Misuse, with nothing changed, if
    /// its state allows no entry.
    void (*hand_over)(Core& to, State left, std::int64_t until, const char* reason);
};

/// Asks the processor for what a coroutine that has yielded will touch first on its stack when it is resumed. Its
/// registers should be near already.
[[gnu::always_inline]] inline void prefetch_stack(const CoroutineBackend& backend, Core& coroutine) noexcept {
    const std::byte* stack_pointer;
    std::memcpy(&stack_pointer, &registers_of<std::byte>(coroutine) + backend.stack_pointer, sizeof stack_pointer);
    __builtin_prefetch(stack_pointer - 16, 1);
    __builtin_prefetch(stack_pointer + 16, 1);
}

/// Runs it until it yields or ends; rethrows what it let escape.
inline void resume(const CoroutineBackend& backend, Core& coroutine) {
    this_thread();
    backend.resume(coroutine);
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
            &Operations::resume,
            &Operations::after_end,
            &Operations::yield,
            &Operations::hand_over};
}

extern const CoroutineBackend asm_backend;       ///< defined by lab 01: `_switch`
extern const CoroutineBackend ucontext_backend;  ///< defined by lab 02: swapcontext
extern const CoroutineBackend shared_backend;  ///< defined by lab 03: `_switch`, all of a thread on a few shared stacks

}  // namespace fiberscope::kit
