// The coroutines of a program that is recorded without its cooperation, found by what the interposed functions get: a
// context, or a stack pointer.
#pragma once

#include <ucontext.h>

#include <array>
#include <cstdint>
#include <string>

#include "extras/adapters/fiberscope/record.h"

namespace fiberscope::preload {

/// The addresses of a stack; `high` is one past the last byte.
struct Stack {
    std::uintptr_t low = 0, high = 0;
    bool contains(std::uintptr_t sp) const noexcept { return sp >= low && sp < high; }
};

/// Arguments of makecontext, which passes integers of full width.
using Arguments = std::array<std::uintptr_t, 16>;

/// A coroutine, or a thread's own context.
struct Coroutine {
    std::string name;
    Stack stack;
    fiberscope_co number = FIBERSCOPE_NONE;
    std::uint32_t recording = 0;   ///< the recording of this process in which `number` is valid
    std::uint32_t references = 0;  ///< number of contexts and stacks by which it can be found
    bool is_thread = false;
    bool is_running = false;
    bool is_entered = false;
    bool resumes = false;       ///< a thread that waits for the coroutines that it entered
    bool is_dead = false;       ///< has ended, or was left by setcontext
    void (*entry)() = nullptr;  ///< of makecontext
    Arguments arguments{};
    const ucontext_t* after = nullptr;  ///< uc_link of makecontext
};

/// All coroutines of the process. Thread-safe; returned references are valid until the process ends. The memory of a
/// coroutine is reused after other coroutines have taken both its context and its stack.
namespace coroutines {

/// Returns a new coroutine that begins in `context`; null: it is known by its stack only.
Coroutine& add(Stack stack, const ucontext_t* context = nullptr);
/// Returns a new thread's own context. A coroutine whose memory the thread's stack now uses is forgotten.
Coroutine& add_thread(Stack stack);
/// Records that `context` now holds the state of a coroutine.
void save(const ucontext_t& context, Coroutine& coroutine);
/// Returns the coroutine whose state `context` holds, null if it is unknown. Contexts that share a stack are told apart
/// by their addresses; a copied context is found by its stack.
Coroutine* find(const ucontext_t& context);
/// Returns the coroutine on whose stack `sp` is, null if there is none. Of several, the last one added.
Coroutine* find(std::uintptr_t sp);
/// Returns `name` with a number that no other coroutine of that name has.
std::string numbered(const std::string& name);

/// To be called around a fork, so that the child has consistent tables.
void hold() noexcept;
void release() noexcept;

}  // namespace coroutines

}  // namespace fiberscope::preload
