// The file of the open trace: chunks of whole lines are appended under a lock that is taken when a buffer is full,
// never for an event. A signal handler may come at any instruction, also to the thread that holds the lock, so a chunk
// is announced before it is written and committed after; the handler finds out from the file's size which of both it
// met.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "traces/record/buffer.h"

namespace fiberscope::trace::detail {

/// A run of lines, without a comma before the first or after the last.
struct Chunk {
    std::string_view text;           ///< begins with kSeparator
    ThreadBuffer* buffer = nullptr;  ///< where the events come from, up to slot `upto`
    std::uint32_t upto = 0;
    std::uint64_t events = 0;
};
inline constexpr std::string_view kSeparator = ",\n";

class TraceFile {
  public:
    /// Makes or empties the file and writes `head`. 0, or the errno; EWOULDBLOCK if another recorder has the file. What
    /// was in the file stays if the new recording cannot be written.
    int begin(const char* path, std::string_view head) noexcept;

    /// Behind this size no more events are written: they count as dropped. Until the next begin().
    void limit(std::uint64_t bytes) noexcept { limit_.store(bytes, std::memory_order_relaxed); }

    /// Takes the lock. False if there is nothing to write any more (the trace ended), or if this thread holds it.
    bool lock() noexcept;
    void unlock() noexcept;
    /// The same for a signal handler: takes over what this thread holds, waits about two seconds at most for others.
    bool lock_in_signal() noexcept;
    /// Lets go of the lock if the calling thread, now in a signal handler, holds it.
    void abandon() noexcept;

    /// Under the lock. If it cannot be written whole, the file is as before, and its events count as dropped. After
    /// that no chunk is written any more: of what each machine has done the file holds a beginning, without a gap.
    void append(const Chunk& chunk) noexcept;
    /// Under the lock: what every machine did up to `t`, ns, is in the file. Nothing if that is not so, since events
    /// were dropped.
    void mark(std::uint64_t t) noexcept;
    /// Under the lock: the end, and the descriptor is closed.
    void end() noexcept;
    /// Under the lock, in a child of fork: forgets the parent's file without touching it.
    void forget() noexcept;
    void drop(std::uint64_t events) noexcept { dropped_.fetch_add(events, std::memory_order_relaxed); }

    bool ended() const noexcept { return ended_.load(std::memory_order_acquire); }
    /// errno of the first write that failed; 0 if none did.
    int error() const noexcept { return error_; }

  private:
    /// What holds once an announced chunk is in the file.
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

    std::atomic<std::uint32_t> owner_{0};  ///< thread id of the lock's holder
    std::atomic<bool> ended_{true};
    std::atomic<std::uint64_t> dropped_{0};
    std::atomic<std::uint64_t> limit_{~std::uint64_t{0}};
    std::atomic<bool> announced_{false};
    Outcome outcome_;  ///< from here on guarded by the lock
    int fd_ = -1;
    int error_ = 0;
    std::uint64_t size_ = 0;
    std::uint64_t events_ = 0;
};

}  // namespace fiberscope::trace::detail
