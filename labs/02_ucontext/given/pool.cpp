// Given for step 2.5: the memory of a pool, and the checks.
#include <algorithm>
#include <bit>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>

#include "labs/02_ucontext/pool.h"
#include "languages/spoken_error.h"

namespace fiberscope::lab02 {

namespace {

std::size_t rounded_up(std::size_t size, std::size_t alignment) {
    if (size > ~std::size_t{0} - (alignment - 1)) throw std::bad_alloc();
    return (size + alignment - 1) / alignment * alignment;
}

}  // namespace

MemoryPool::MemoryPool(std::size_t size, std::size_t alignment, bool checked, std::pmr::memory_resource* source)
    : alignment_(std::max(alignment, alignof(Block))),
      block_size_(rounded_up(std::max(size, sizeof(Block)), alignment_)),
      checked_(checked),
      source_(source) {
    if (!std::has_single_bit(alignment))
        throw Spoken<std::invalid_argument>(message("a pool's alignment must be a power of two, not {0}", alignment));
}

MemoryPool::~MemoryPool() {
    for (const Chunk& chunk : chunks_) source_->deallocate(chunk.memory, chunk.bytes, alignment_);
}

MemoryPool::Chunk& MemoryPool::new_chunk(std::size_t blocks) {
    chunks_.reserve(chunks_.size() + 1);
    if (blocks > ~std::size_t{0} / block_size_) throw std::bad_alloc();
    const std::size_t bytes = blocks * block_size_;
    chunks_.push_back({static_cast<std::byte*>(source_->allocate(bytes, alignment_)), bytes});
    blocks_ += blocks;
    return chunks_.back();
}

bool MemoryPool::is_mine(const void* block) const {
    const auto* address = static_cast<const std::byte*>(block);
    return std::any_of(chunks_.begin(), chunks_.end(), [&](const Chunk& chunk) {
        const bool inside = !std::less<>{}(address, chunk.memory) && std::less<>{}(address, chunk.memory + chunk.bytes);
        return inside && static_cast<std::size_t>(address - chunk.memory) % block_size_ == 0;
    });
}

void MemoryPool::require_in_use(const void* block) const {
    if (!checked_) return;
    if (!is_mine(block)) throw std::logic_error("a block is released to a pool that it did not come from");
    if (is_free(block)) throw std::logic_error("a block is released twice: it is in the pool's free list already");
}

}  // namespace fiberscope::lab02
