// Step 2.5: netco's memory pool. The contracts are in ../pool.h. Given: new_chunk(blocks), is_mine, require_in_use, and
// the object pool on top.
#include "labs/02_ucontext/pool.h"

#include "labs/kit/report/report.h"

namespace fiberscope::lab02 {

// Takes the first block of the free list. Where does the list begin afterwards?
void* MemoryPool::take() { kit::not_implemented("2.5", "MemoryPool::take: remove a block from the free list"); }

// Checks the block, then puts it back at the front.
void MemoryPool::release([[maybe_unused]] void* block) {
    kit::not_implemented("2.5", "MemoryPool::release: return a block to the free list");
}

// How many blocks does netco's rule give? All of them go on the free list, lowest address first. If new_chunk throws,
// nothing may have changed.
void MemoryPool::grow() { kit::not_implemented("2.5", "MemoryPool::grow: add a chunk, divided into blocks"); }

bool MemoryPool::is_free([[maybe_unused]] const void* block) const {
    kit::not_implemented("2.5", "MemoryPool::is_free: whether the block is on the free list");
}

}  // namespace fiberscope::lab02
