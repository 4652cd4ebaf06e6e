// The file of the open trace. Chunks of whole lines are appended under a lock, which is taken when a buffer is full,
// never per event. A signal handler may interrupt at any instruction, even the thread that holds the lock, so a chunk
// is announced before it is written and committed afterwards; the handler uses the file's size to tell which of the two
// it interrupted.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "traces/record/buffer.h"

namespace fiberscope::trace::detail {

/// Consecutive lines, without a comma before the first or after the last.
struct Chunk {
    std::string_view text;           ///< begins with kSeparator
    ThreadBuffer* buffer = nullptr;  ///< the source of the events, up to slot `upto`
    std::uint32_t upto = 0;
    std::uint64_t events = 0;
};
inline constexpr std::string_view kSeparator = ",\n";

class TraceFile {
  public:
    /// Creates or truncates the file and writes `head`. Returns 0 or the errno; EWOULDBLOCK if another recorder has the
    /// file open. The old content is kept if the new recording cannot be written.
    int begin(const char* path, std::string_view head) noexcept;

    /// Sets the size beyond which events are dropped instead of written. Reset by begin().
    void limit(std::uint64_t bytes) noexcept { limit_.store(bytes, std::memory_order_relaxed); }

    /// Takes the lock. Returns false if the trace has ended, or if this thread already holds the lock.
    bool lock() noexcept;
    void unlock() noexcept;
    /// The same for a signal handler: takes over a lock that this thread holds, and waits at most about two seconds for
    /// others.
    bool lock_in_signal() noexcept;
    /// Releases the lock if the calling thread, now in a signal handler, holds it.
    void abandon() noexcept;

    /// Requires the lock. If the chunk cannot be written completely, the file is unchanged and its events count as
    /// dropped. No chunk is written after that, so the file holds a gapless beginning of each machine's events.
    void append(const Chunk& chunk) noexcept;
    /// Requires the lock. Writes the mark that the file holds everything that all machines did up to `t`, ns. No-op
    /// after events were dropped.
    void mark(std::uint64_t t) noexcept;
    /// Requires the lock. Writes the end and closes the descriptor.
    void end() noexcept;
    /// Requires the lock, in a child of fork. Forgets the parent's file without touching it.
    void forget() noexcept;
    void drop(std::uint64_t events) noexcept { dropped_.fetch_add(events, std::memory_order_relaxed); }

    bool ended() const noexcept { return ended_.load(std::memory_order_acquire); }
    /// errno of the first failed write, or 0.
    int error() const noexcept { return error_; }

  private:
    /// The state once an announced chunk is in the file.
    struct Outcome {
        ThreadBuffer* buffer = nullptr;
        std::uint32_t upto = 0;
        std::uint64_t events = 0;
        std::uint64_t size = 0;
        bool is_end = false;
    };
    bool write(std::string_view text, Outcome outcome) noexcept;
    void commit() noexcept;
    void settle() noexcept;
    /// Drops the descriptor if the program has closed it: its number may now be another file's.
    void check_descriptor() noexcept;

    std::atomic<std::uint32_t> owner_{0};  ///< thread id of the lock's holder
    std::atomic<bool> ended_{true};
    std::atomic<std::uint64_t> dropped_{0};
    std::atomic<std::uint64_t> limit_{~std::uint64_t{0}};
    std::atomic<bool> announced_{false};
    Outcome outcome_;  ///< guarded by the lock, like the members below
    int fd_ = -1;
    std::uint64_t inode_ = 0;
    int error_ = 0;
    std::uint64_t size_ = 0;
    std::uint64_t events_ = 0;
};

}  // namespace fiberscope::trace::detail
