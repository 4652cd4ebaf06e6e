#include "traces/record/file.h"

#include <array>
#include <cerrno>

#include "traces/record/sys.h"

namespace fiberscope::trace::detail {
namespace {

constexpr long kPause = 50'000;                    // ns between two attempts to take the lock
constexpr int kPatience = 2'000'000'000 / kPause;  // number of pauses before a signal handler gives up

/// Compiler barrier: a signal handler of this thread sees the stores before it in program order.
void order_for_signals() noexcept { std::atomic_signal_fence(std::memory_order_seq_cst); }

/// Keeps an older recording until the new one is certain to be writable: the new head is first appended to the old
/// content. Returns 0 or the errno; EWOULDBLOCK if another recorder is writing this file. A device or pipe is only
/// written to.
int empty_and_write(int fd, std::string_view head) noexcept {
    if (sys::is_regular(fd)) {
        if (!sys::lock(fd)) return errno;
        const std::int64_t old = sys::size(fd);
        const bool possible = sys::write_all(fd, head.data(), head.size());
        const int error = errno;
        if (!possible) sys::truncate(fd, static_cast<std::uint64_t>(old < 0 ? 0 : old));
        if (!possible) return error;
        if (!sys::truncate(fd, 0)) return errno;
    }
    return sys::write_all(fd, head.data(), head.size()) ? 0 : errno;
}

}  // namespace

int TraceFile::begin(const char* path, std::string_view head) noexcept {
    const int fd = sys::open_for_appending(path);
    if (fd < 0) return errno;
    if (const int error = empty_and_write(fd, head); error != 0) {
        sys::close(fd);
        return error;
    }
    fd_ = fd;
    inode_ = sys::inode(fd);
    error_ = 0;
    size_ = head.size();
    events_ = 0;
    dropped_.store(0, std::memory_order_relaxed);
    limit(~std::uint64_t{0});
    announced_.store(false, std::memory_order_relaxed);
    ended_.store(false, std::memory_order_release);
    return 0;
}

bool TraceFile::lock() noexcept {
    const std::uint32_t self = sys::thread_id();
    for (;;) {
        std::uint32_t free = 0;
        if (owner_.compare_exchange_strong(free, self, std::memory_order_acquire)) break;
        if (free == self) return false;
        sys::sleep_ns(kPause);
    }
    if (!ended()) return true;
    unlock();
    return false;
}

void TraceFile::unlock() noexcept { owner_.store(0, std::memory_order_release); }

bool TraceFile::lock_in_signal() noexcept {
    const std::uint32_t self = sys::thread_id();
    for (int pause = 0;; ++pause) {
        std::uint32_t free = 0;
        if (owner_.compare_exchange_strong(free, self, std::memory_order_acquire) || free == self) break;
        if (pause == kPatience) return false;
        sys::sleep_ns(kPause);
    }
    settle();
    if (!ended()) return true;
    unlock();
    return false;
}

void TraceFile::abandon() noexcept {
    if (owner_.load(std::memory_order_relaxed) != sys::thread_id()) return;
    settle();
    unlock();
}

bool TraceFile::write(std::string_view text, Outcome outcome) noexcept {
    check_descriptor();
    outcome.size = size_ + text.size();
    outcome_ = outcome;
    order_for_signals();
    announced_.store(true, std::memory_order_relaxed);
    order_for_signals();
    const bool written = sys::write_all(fd_, text.data(), text.size());
    if (written) {
        commit();
    } else {
        if (error_ == 0) error_ = errno;
        sys::truncate(fd_, size_);
    }
    order_for_signals();
    announced_.store(false, std::memory_order_relaxed);
    return written;
}

void TraceFile::check_descriptor() noexcept {
    if (sys::inode(fd_) != inode_) fd_ = -1;
}

// May run twice for one chunk: it only sets values that are known beforehand.
void TraceFile::commit() noexcept {
    size_ = outcome_.size;
    events_ = outcome_.events;
    if (outcome_.buffer != nullptr) outcome_.buffer->written.store(outcome_.upto, std::memory_order_relaxed);
    if (outcome_.is_end) ended_.store(true, std::memory_order_release);
}

// Completes or rolls back the chunk that this thread was writing when a signal interrupted it.
void TraceFile::settle() noexcept {
    if (!announced_.load(std::memory_order_relaxed)) return;
    if (sys::size(fd_) >= static_cast<std::int64_t>(outcome_.size))
        commit();
    else
        sys::truncate(fd_, size_);
    announced_.store(false, std::memory_order_relaxed);
}

void TraceFile::append(const Chunk& chunk) noexcept {
    std::string_view text = chunk.text;
    text.remove_prefix(events_ == 0 ? 1 : 0);
    const bool has_room = size_ + text.size() <= limit_.load(std::memory_order_relaxed);
    if (!has_room) limit(0);  // a smaller chunk written later would leave a gap
    if (error_ == 0 && has_room && write(text, {chunk.buffer, chunk.upto, events_ + chunk.events, 0, false})) return;
    drop(chunk.events);
    if (chunk.buffer != nullptr) chunk.buffer->written.store(chunk.upto, std::memory_order_relaxed);
}

void TraceFile::mark(std::uint64_t t) noexcept {
    std::array<char, 64> memory;
    Text text(memory.data(), memory.size());
    text.put(kSeparator);
    text.put("{\"t\":");
    text.number(t);
    text.put(",\"m\":0,\"ev\":\"reached\"}");
    const bool has_room = size_ + text.size() <= limit_.load(std::memory_order_relaxed);
    const bool gap = error_ != 0 || dropped_.load(std::memory_order_relaxed) != 0;
    if (events_ != 0 && has_room && !gap) write(text.view(), {nullptr, 0, events_ + 1, 0, false});
}

void TraceFile::end() noexcept {
    std::array<char, 128> memory;
    Text text(memory.data(), memory.size());
    text.put("\n],\n\"end\":{\"events\":");
    text.number(events_);
    text.put(",\"dropped\":");
    text.number(dropped_.load(std::memory_order_relaxed));
    text.put("}}\n");
    write(text.view(), {nullptr, 0, events_, 0, true});
    ended_.store(true, std::memory_order_release);
    sys::close(fd_);
    fd_ = -1;
}

void TraceFile::forget() noexcept {
    ended_.store(true, std::memory_order_relaxed);
    check_descriptor();
    if (fd_ >= 0) sys::close(fd_);
    fd_ = -1;
    owner_.store(0, std::memory_order_release);
}

}  // namespace fiberscope::trace::detail
