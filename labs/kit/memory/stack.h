// Stacks with a guard below them: an overflow faults at once, with a report (fault.h), instead of silently overwriting
// other memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fiberscope::kit {

inline constexpr std::size_t kDefaultStackSize = 128 * 1024;  // as in libco

/// The bytes that a stack may use: [bottom, bottom + size). Its top is the first byte after them.
struct StackBounds {
    std::byte* bottom = nullptr;
    std::size_t size = 0;

    std::byte* top() const noexcept { return bottom + size; }
    bool contains(std::uintptr_t address) const noexcept {
        return address - reinterpret_cast<std::uintptr_t>(bottom) < size;
    }
};

/// A guarded stack that is owned, or the bounds of memory owned elsewhere. Owned stacks of the default size are
/// returned to a pool of the releasing thread, so that a short-lived coroutine makes no system call.
class Stack {
  public:
    /// Allocates `size` bytes, rounded up to whole pages. Throws std::system_error, which gives the number of stacks,
    /// if no more memory or mappings are available or if `size` is 0.
    explicit Stack(std::size_t size);
    /// Owns nothing.
    static Stack borrowed(StackBounds bounds) noexcept { return Stack(bounds); }
    Stack(Stack&& other) noexcept
        : bottom_(other.bottom_), size_(other.size_), owned_(other.owned_), reused_(other.reused_) {
        other.owned_ = false;
    }
    Stack& operator=(Stack&&) = delete;
    ~Stack() { release(); }

    StackBounds bounds() const noexcept { return {bottom_, size_}; }
    bool owned() const noexcept { return owned_; }
    /// Returns the same stack for its next owner, with reused() true.
    Stack for_reuse() && noexcept;
    /// Whether the memory came from the pool, or from an owner before this one.
    bool reused() const noexcept { return reused_; }
    /// Releases owned memory. Must not be called on this stack. The bounds stay available for reports.
    void release() noexcept;

  private:
    explicit Stack(StackBounds bounds) noexcept : Stack(bounds, false, false) {}
    Stack(StackBounds bounds, bool owned, bool reused) noexcept
        : bottom_(bounds.bottom), size_(bounds.size & kLargest), owned_(owned), reused_(reused) {}

    // Two words, since each of a million parked coroutines has one.
    static constexpr std::size_t kLargest = ~std::size_t{0} >> 2;
    std::byte* bottom_;
    std::size_t size_ : 62;
    bool owned_ : 1;
    bool reused_ : 1;
};

/// The number of owned stacks in this process, including those in the pools of other living threads.
std::size_t stacks_in_use() noexcept;

/// Whether `address` is in the guard below the stack at `bounds`.
bool in_guard(const StackBounds& bounds, std::uintptr_t address) noexcept;

}  // namespace fiberscope::kit
