// Announces the stacks of coroutines to valgrind, which would otherwise take each switch for a frame of many megabytes,
// and every local of a coroutine for unallocated memory. With its header (package valgrind) this costs a few
// instructions when a stack is created, and nothing at a switch; without it all functions here are no-ops.
#pragma once

#include <cstddef>

#if __has_include(<valgrind/memcheck.h>)
#define FIBERSCOPE_VALGRIND 1
#include <valgrind/memcheck.h>
#endif

namespace fiberscope::kit {

/// Registers [bottom, bottom + size) as a stack until forget_stack.
void announce_stack(const std::byte* bottom, std::size_t size);
void forget_stack(const std::byte* bottom) noexcept;

/// Called before frames are copied to [bottom, bottom + size) of a stack that is not the caller's. valgrind marked that
/// memory as unused when the stack was left.
inline void announce_frames([[maybe_unused]] const std::byte* bottom, [[maybe_unused]] std::size_t size) noexcept {
#ifdef FIBERSCOPE_VALGRIND
    VALGRIND_MAKE_MEM_DEFINED(bottom, size);
#endif
}

}  // namespace fiberscope::kit
