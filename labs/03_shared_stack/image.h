// Steps 3.1 and 3.2: the live bytes of a stack, and their copy.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "labs/kit/memory/stack.h"
#include "labs/kit/run/core.h"

namespace fiberscope::lab03 {

/// Step 3.1. Returns the number of live bytes of `stack`: from the address of a local of this function up to the top.
/// stack.top() is the first byte after the stack; stack.contains(address) tells whether an address is in it. Called by
/// a function that runs on `stack`; the frames of this caller and its callers are included. Never inlined: its own
/// frame must be below all others. Throws Misuse stack_too_deep, about `core`, if the local is not in `stack`. As the
/// `dummy` of cloudwu's _save_stack, and the `char c` of libco's co_swap.
[[gnu::noinline]] std::size_t live_bytes(const kit::Core& core, const kit::StackBounds& stack);

/// Given: throws that Misuse, with both sizes. `lowest` is the address of the local. A separate function, so that
/// live_bytes stays small.
[[noreturn, gnu::cold, gnu::noinline]] void refuse_too_deep(const kit::Core& core, const kit::StackBounds& stack,
                                                            std::uintptr_t lowest);

/// A copy of a stack's live bytes, kept while another coroutine uses the stack. As cloudwu's (stack, size, cap) and
/// libco's (save_buffer, save_size).
class Image {
  public:
    /// Step 3.1. Copies the highest `bytes` bytes of `stack`, on which the caller must not run. Reuses the memory of
    /// the last image; if it is too small, replaces it by capacity_for(bytes) bytes without copying the old content.
    /// Never shrinks. Throws std::bad_alloc and then changes nothing.
    void save(const kit::StackBounds& stack, std::size_t bytes);
    /// Step 3.2. Copies the image back to its place: its last byte is the last byte below the top of `stack`, on which
    /// the caller must not run.
    void restore(const kit::StackBounds& stack) const noexcept;

    /// Releases the memory.
    void clear() noexcept {
        bytes_.reset();
        size_ = capacity_ = 0;
    }
    const std::byte* data() const noexcept { return bytes_.get(); }
    std::size_t size() const noexcept { return size_; }          ///< live bytes
    std::size_t capacity() const noexcept { return capacity_; }  ///< allocated bytes

    /// Returns the capacity of an image of `bytes` bytes: 64, 96, 128, 192, 256, 384, … so that a slightly larger image
    /// rarely needs a reallocation, and at most a third of the memory is unused.
    static constexpr std::size_t capacity_for(std::size_t bytes) noexcept {
        if (bytes <= 64) return 64;
        const std::size_t power = std::bit_ceil(bytes);
        return bytes <= power / 4 * 3 ? power / 4 * 3 : power;
    }

  private:
    std::unique_ptr<std::byte[]> bytes_;
    std::uint32_t size_ = 0;
    std::uint32_t capacity_ = 0;
};

}  // namespace fiberscope::lab03
