// One generation counter per descriptor number of the process. A number may be reused: after it is closed and returned
// again it refers to another descriptor. Every open and close that this program sees raises the generation, in any
// thread, so that stale knowledge about a number can be detected.
#pragma once

#include <cstdint>

namespace fiberscope::lab05 {

class EpollSource;

/// Returns the generation of the number; 0 for numbers below 0 or above a million.
std::uint32_t generation(int fd) noexcept;
/// To be called before the number is closed, or after it has been returned by the kernel.
void raise_generation(int fd) noexcept;
/// Returns the generation to a source that caches something about the number, and notifies it when the number is
/// closed.
std::uint32_t watched_generation(int fd) noexcept;
/// Raises the generation, and notifies every source of this process that watches the number, except `except`: its next
/// wait wakes the tasks that wait for it. Thread-safe.
void announce_close(int fd, const EpollSource* except = nullptr) noexcept;

/// Returns how often this process was forked from within a task. In such a child only that task continues: its calls
/// block, it has no scheduler, and each poller is new, so that it cannot affect its parent's.
std::uint32_t forks() noexcept;

}  // namespace fiberscope::lab05
