// Given: memory of tasks, without malloc's headers and gaps.
#pragma once

#include <cstddef>

namespace fiberscope::lab04 {

/// Allocates memory for a task and its coroutine, in whole cache lines. Throws std::bad_alloc.
void* take_task_memory(std::size_t size);
/// Frees it, from any thread; the size must be that of the allocation.
void give_task_memory(void* room, std::size_t size) noexcept;

}  // namespace fiberscope::lab04
