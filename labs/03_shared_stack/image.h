// Steps 3.1 and 3.2: what is live on a stack, and its copy.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "labs/kit/memory/stack.h"
#include "labs/kit/run/core.h"

namespace fiberscope::lab03 {

/// Step 3.1. How many bytes of `stack` are live: from the address of a local of this very function up to the top.
/// stack.top() is the first byte after the stack; stack.contains(address) says whether an address lies in it.
/// Called by a function that runs on `stack`; all that this caller and its callers keep is inside. Never inlined: only
/// a frame of its own lies below all others. Throws Misuse stack_too_deep, about `core`, if the local does not lie in
/// `stack`. As the `dummy` of cloudwu's _save_stack, and the `char c` of libco's co_swap.
[[gnu::noinline]] std::size_t live_bytes(const kit::Core& core, const kit::StackBounds& stack);

/// Given: throws that Misuse, with both sizes. `lowest`: the address of the local. Apart, so that live_bytes stays
/// small.
[[noreturn, gnu::cold, gnu::noinline]] void refuse_too_deep(const kit::Core& core, const kit::StackBounds& stack,
                                                            std::uintptr_t lowest);

/// The copy of a stack's live bytes, kept while another one lives there. As cloudwu's (stack, size, cap) and libco's
/// (save_buffer, save_size).
class Image {
  public:
    /// Step 3.1. Copies the highest `bytes` bytes of `stack`, which is not the stack that the caller stands on. The
    /// memory of the last image is used again; when it is too small it is replaced by one of capacity_for(bytes), and
    /// what it held is of no use any more. It never becomes smaller. Throws std::bad_alloc, with nothing changed.
    void save(const kit::StackBounds& stack, std::size_t bytes);
    /// Step 3.2. Copies the image back to where it came from: its last byte is the last byte below the top of `stack`.
    /// `stack` is not the stack that the caller stands on.
    void restore(const kit::StackBounds& stack) const noexcept;

    /// Gives the memory back.
    void clear() noexcept {
        bytes_.reset();
        size_ = capacity_ = 0;
    }
    const std::byte* data() const noexcept { return bytes_.get(); }
    std::size_t size() const noexcept { return size_; }          ///< bytes that are live
    std::size_t capacity() const noexcept { return capacity_; }  ///< bytes that there is memory for

    /// The capacity of an image that must hold `bytes`: 64, 96, 128, 192, 256, 384, … so that a few bytes more seldom
    /// need new memory, and at most a third of it is unused.
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
