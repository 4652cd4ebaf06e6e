// Given: the two ways to swap registers on which the shared stack runs, chosen by name: lab 01's `_switch` (as libco's
// coctx_swap) and lab 02's ucontext (as cloudwu's swapcontext).
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "labs/01_switch_asm/context.h"
#include "labs/02_ucontext/context.h"
#include "traces/schema/schema.h"

namespace fiberscope::lab03 {

using Entry = void (*)(void* argument);

/// How the registers of one context are saved and those of another loaded. (kit::CoroutineBackend is one level above:
/// how coroutines are made, resumed and destroyed.)
struct ContextBackend {
    enum class Kind : std::uint8_t { asm_, ucontext };

    Kind kind;
    std::string_view name;
    std::size_t register_bytes;  ///< what a suspended coroutine keeps besides its stack
    trace::Backend recorded_as;  ///< of a coroutine with a stack of its own
};

inline constexpr ContextBackend kContextBackends[] = {
    {ContextBackend::Kind::asm_, "asm", sizeof(lab01::Context), trace::Backend::asm_},
    {ContextBackend::Kind::ucontext, "ucontext", sizeof(lab02::Context), trace::Backend::ucontext},
};
/// "asm" and "ucontext".
inline std::span<const ContextBackend> context_backends() noexcept { return kContextBackends; }
/// Throws std::invalid_argument, with the names that there are, for any other name.
const ContextBackend& context_backend_named(std::string_view name);

/// Memory for the registers of one context: the 72 bytes of `_switch` (176 on aarch64) lie in the object itself, so
/// that a million coroutines fit; a ucontext_t, with 968 bytes and more, is allocated apart. Of which kind they are its
/// owner knows, and tells it each time.
class Registers {
  public:
    using Kind = ContextBackend::Kind;

    explicit Registers(Kind kind);
    Registers(const Registers&) = delete;
    Registers& operator=(const Registers&) = delete;

    void* get(Kind kind) noexcept { return kind == Kind::asm_ ? static_cast<void*>(small_) : large_; }
    /// Gives the memory back; in place of a destructor.
    void release(Kind kind) noexcept;

  private:
    union {
        alignas(lab01::Context) std::byte small_[sizeof(lab01::Context)];
        lab02::Context* large_;
    };
};

/// Prepares `registers` so that the next swap to them calls entry(argument) on [bottom, bottom + size). makecontext
/// writes on that stack (where to go when the entry ends), so no other bytes may lie there now.
void make_registers(const ContextBackend& backend, void* registers, std::byte* bottom, std::size_t size, Entry entry,
                    void* argument);

[[noreturn, gnu::cold]] void abort_failed_swap() noexcept;

/// Saves the caller's registers in `current` and goes on with those of `next`. Always inlined, and swapcontext is
/// called without lab 02's swap_to_me around it, for one reason: below the frame that calls this there must be no other
/// one that has to survive, because what a coroutine's image keeps ends there.
[[gnu::always_inline]] inline void swap_registers(const ContextBackend& backend, void* next, void* current) {
    if (backend.kind == ContextBackend::Kind::asm_)
        lab01::_switch(static_cast<lab01::Context*>(next), static_cast<lab01::Context*>(current));
    else if (swapcontext(&static_cast<lab02::Context*>(current)->raw(), &static_cast<lab02::Context*>(next)->raw()) !=
             0)
        abort_failed_swap();
}

}  // namespace fiberscope::lab03
