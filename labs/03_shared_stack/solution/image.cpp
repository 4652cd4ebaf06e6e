#include "labs/03_shared_stack/image.h"

#include <cstring>

namespace fiberscope::lab03 {

std::size_t live_bytes(const kit::Core& core, const kit::StackBounds& stack) {
    char here;
    const auto lowest = reinterpret_cast<std::uintptr_t>(&here);
    if (!stack.contains(lowest)) refuse_too_deep(core, stack, lowest);
    return reinterpret_cast<std::uintptr_t>(stack.top()) - lowest;
}

void Image::save(const kit::StackBounds& stack, std::size_t bytes) {
    if (bytes > capacity_) {
        const std::size_t capacity = capacity_for(bytes);
        bytes_ = std::make_unique_for_overwrite<std::byte[]>(capacity);
        capacity_ = static_cast<std::uint32_t>(capacity);
    }
    std::memcpy(bytes_.get(), stack.top() - bytes, bytes);
    size_ = static_cast<std::uint32_t>(bytes);
}

void Image::restore(const kit::StackBounds& stack) const noexcept {
    std::memcpy(stack.top() - size_, bytes_.get(), size_);
}

}  // namespace fiberscope::lab03
