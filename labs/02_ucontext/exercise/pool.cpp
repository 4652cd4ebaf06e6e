// Step 2.5: netco's memory pool. The contracts are in ../pool.h; what you are given: new_chunk(blocks), is_mine,
// require_in_use, and the object pool on top.
#include "labs/02_ucontext/pool.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab02 {

// The first block of the free list; where does the list begin then?
void* MemoryPool::take() { kit::not_implemented("2.5", "MemoryPool::take: a block from the free list"); }

// Check, then put it back at the front.
void MemoryPool::release([[maybe_unused]] void* block) {
    kit::not_implemented("2.5", "MemoryPool::release: a block back to the free list");
}

// How many blocks, by netco's rule? All of them go on the free list, the lowest address first. If new_chunk throws,
// nothing may have changed.
void MemoryPool::grow() { kit::not_implemented("2.5", "MemoryPool::grow: one chunk more, cut into blocks"); }

bool MemoryPool::is_free([[maybe_unused]] const void* block) const {
    kit::not_implemented("2.5", "MemoryPool::is_free: whether the block is on the free list");
}

}  // namespace fiberscope::lab02
