// Given: the memory of tasks. malloc would put its own words and gaps between them.
#pragma once

#include <cstddef>

namespace fiberscope::lab04 {

/// Memory for a task and its coroutine, in whole cache lines. Throws std::bad_alloc.
void* take_task_memory(std::size_t size);
/// From any thread, with the size that it was taken with.
void give_task_memory(void* room, std::size_t size) noexcept;

}  // namespace fiberscope::lab04
