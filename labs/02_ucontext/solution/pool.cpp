#include "labs/02_ucontext/pool.h"

namespace fiberscope::lab02 {

void* MemoryPool::take() {
    if (free_ == nullptr) grow();
    Block* first = free_;
    free_ = first->next;
    ++in_use_;
    return first;
}

void MemoryPool::release(void* block) {
    require_in_use(block);
    auto* first = static_cast<Block*>(block);
    first->next = free_;
    free_ = first;
    --in_use_;
}

void MemoryPool::grow() {
    const std::size_t count = kFirstGrowth + growths();
    std::byte* memory = new_chunk(count).memory;
    for (std::size_t i = count; i > 0; --i) {
        auto* block = reinterpret_cast<Block*>(memory + (i - 1) * block_size_);
        block->next = free_;
        free_ = block;
    }
}

bool MemoryPool::is_free(const void* block) const {
    for (const Block* free = free_; free != nullptr; free = free->next)
        if (free == block) return true;
    return false;
}

}  // namespace fiberscope::lab02
