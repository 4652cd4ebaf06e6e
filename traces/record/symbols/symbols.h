// Code addresses in words: "ping+0x1f". Demangling takes memory, locks and much stack, so it is done ahead, on a thread
// of its own, and kept; a signal handler that meets a new address does without.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "traces/record/text.h"

namespace fiberscope::trace::detail::symbols {

/// Notes where the code and data of the program and of the libraries loaded now lie. Once a process, before the rest.
void locate_modules();

enum class Place : std::uint8_t { elsewhere, code, data };
/// What lies at an address in the program or a library; async-signal-safe.
Place place(std::uintptr_t address) noexcept;

/// Whether resolve() has found out the words of a code address; async-signal-safe.
bool is_resolved(std::uintptr_t code) noexcept;

/// Finds out the words of code addresses. Needs little stack of the caller. Not for signal handlers.
void resolve(std::span<const std::uint64_t> codes) noexcept;

/// Writes the words of a code address: a demangled name without parameters, plus an offset. An address that was not
/// resolved takes longer, and hard names stay mangled. Async-signal-safe.
void put(Text& out, std::uintptr_t code) noexcept;

/// Around a fork: no other thread is adding.
void hold() noexcept;
void release() noexcept;

}  // namespace fiberscope::trace::detail::symbols
