// Symbolic code addresses: "ping+0x1f". Demangling allocates, locks and needs much stack, so it is done in advance, on
// a separate thread, and cached. For an address that is not in the cache see put().
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "traces/record/text.h"

namespace fiberscope::trace::detail::symbols {

/// Records the address ranges of the code and data of the program and of the libraries loaded now. To be called first,
/// once per process.
void locate_modules();

enum class Place : std::uint8_t { elsewhere, code, data };
/// Classifies an address in the program or a library; async-signal-safe.
Place place(std::uintptr_t address) noexcept;

/// Whether resolve() has resolved a code address; async-signal-safe.
bool is_resolved(std::uintptr_t code) noexcept;

/// Resolves code addresses. Uses little of the caller's stack. Not async-signal-safe.
void resolve(std::span<const std::uint64_t> codes) noexcept;

/// Writes a code address as a demangled name without parameters, plus an offset. An address that was not resolved takes
/// longer, and complicated names stay mangled. Async-signal-safe.
void put(Text& out, std::uintptr_t code) noexcept;

/// Returns the symbol that begins at a code address, mangled, or the module and the offset in it if none does.
std::string function_at(std::uintptr_t code);

/// To be called around a fork: excludes concurrent additions.
void hold() noexcept;
void release() noexcept;

}  // namespace fiberscope::trace::detail::symbols
