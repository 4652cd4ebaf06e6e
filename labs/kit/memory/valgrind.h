// valgrind is told where the stacks of coroutines lie: else it takes each switch for a frame of many megabytes, and
// every local of a coroutine for memory that was never allocated. With its header (package valgrind) that is a few
// instructions when a stack is made, and nothing at a switch; without it everything here is empty.
#pragma once

#include <cstddef>

#if __has_include(<valgrind/memcheck.h>)
#define FIBERSCOPE_VALGRIND 1
#include <valgrind/memcheck.h>
#endif

namespace fiberscope::kit {

/// From now on [bottom, bottom + size) is a stack, until forget_stack.
void announce_stack(const std::byte* bottom, std::size_t size);
void forget_stack(const std::byte* bottom) noexcept;

/// Frames are about to be copied to [bottom, bottom + size) of a stack that is not the caller's. valgrind has given up
/// what lay there when the stack was left.
inline void announce_frames([[maybe_unused]] const std::byte* bottom, [[maybe_unused]] std::size_t size) noexcept {
#ifdef FIBERSCOPE_VALGRIND
    VALGRIND_MAKE_MEM_DEFINED(bottom, size);
#endif
}

}  // namespace fiberscope::kit
