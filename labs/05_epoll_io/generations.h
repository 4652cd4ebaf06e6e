// One generation for each descriptor number of the process. A number is not a descriptor: closed and given out again it
// is another one. Every close and every making that this program sees raises the generation, whichever thread does it,
// so that what was learned of the number before can be told from what is true now.
#pragma once

#include <cstdint>

namespace fiberscope::lab05 {

class EpollSource;

/// The generation of the number; 0 for numbers below 0 or above a million.
std::uint32_t generation(int fd) noexcept;
/// The number is about to be closed, or has just been given out.
void raise_generation(int fd) noexcept;
/// The generation, for a source that keeps something about the number: it will be told when the number is closed.
std::uint32_t watched_generation(int fd) noexcept;
/// Raises the generation, and tells every source of this process that watches the number, other than `except`: its next
/// wait wakes the tasks that wait there. From any thread.
void announce_close(int fd, const EpollSource* except = nullptr) noexcept;

/// How often this process is a child that was forked out of a task. Such a child runs on in that task alone: its calls
/// block, it has no scheduler, and every poller is a new one, so that it cannot touch its parent's.
std::uint32_t forks() noexcept;

}  // namespace fiberscope::lab05
