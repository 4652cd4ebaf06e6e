// Given: the two ways to swap registers, selected by name: lab 01's `_switch` (as libco's coctx_swap) and lab 02's
// ucontext (as cloudwu's swapcontext).
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

/// A way to save the registers of one context and load those of another. (kit::CoroutineBackend is one level above: it
/// creates, resumes and destroys coroutines.)
struct ContextBackend {
    enum class Kind : std::uint8_t { asm_, ucontext };

    Kind kind;
    std::string_view name;
    std::size_t register_bytes;  ///< size of the registers of a suspended coroutine
    trace::Backend recorded_as;  ///< for a coroutine with a private stack
};

inline constexpr ContextBackend kContextBackends[] = {
    {ContextBackend::Kind::asm_, "asm", sizeof(lab01::Context), trace::Backend::asm_},
    {ContextBackend::Kind::ucontext, "ucontext", sizeof(lab02::Context), trace::Backend::ucontext},
};
/// "asm" and "ucontext".
inline std::span<const ContextBackend> context_backends() noexcept { return kContextBackends; }
/// Throws std::invalid_argument, which lists the valid names, for an unknown name.
const ContextBackend& context_backend_named(std::string_view name);

/// Memory for the registers of one context. The 72 bytes of `_switch` (176 on aarch64) are stored inline, so that a
/// million coroutines fit into memory; a ucontext_t, of 968 bytes and more, is allocated separately. The owner knows
/// the kind and passes it to each call.
class Registers {
  public:
    using Kind = ContextBackend::Kind;

    explicit Registers(Kind kind);
    Registers(const Registers&) = delete;
    Registers& operator=(const Registers&) = delete;

    void* get(Kind kind) noexcept { return kind == Kind::asm_ ? static_cast<void*>(small_) : large_; }
    /// Releases the memory; replaces a destructor.
    void release(Kind kind) noexcept;

  private:
    union {
        alignas(lab01::Context) std::byte small_[sizeof(lab01::Context)];
        lab02::Context* large_;
    };
};

/// Prepares `registers` so that the next swap to them calls entry(argument) on [bottom, bottom + size). makecontext
/// writes to that stack (the return address of the entry), so it must not be in use.
void make_registers(const ContextBackend& backend, void* registers, std::byte* bottom, std::size_t size, Entry entry,
                    void* argument);

[[noreturn, gnu::cold]] void abort_failed_swap() noexcept;

/// Saves the caller's registers in `current` and continues with those of `next`. Always inlined, and calls swapcontext
/// directly instead of lab 02's swap_to_me, because a coroutine's image ends with the calling frame: no frame below it
/// would be preserved.
[[gnu::always_inline]] inline void swap_registers(const ContextBackend& backend, void* next, void* current) {
    if (backend.kind == ContextBackend::Kind::asm_)
        lab01::_switch(static_cast<lab01::Context*>(next), static_cast<lab01::Context*>(current));
    else if (swapcontext(&static_cast<lab02::Context*>(current)->raw(), &static_cast<lab02::Context*>(next)->raw()) !=
             0)
        abort_failed_swap();
}

}  // namespace fiberscope::lab03
