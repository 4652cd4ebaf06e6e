// Shared by the hooked calls that send and receive: lists of buffers.
#pragma once

#include <limits.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <vector>

#include "labs/05_epoll_io/given/hook_numbers.h"

namespace fiberscope::lab05 {

inline std::size_t bytes_of(const iovec* parts, std::size_t count) noexcept {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < count; ++i) bytes += parts[i].iov_len;
    return bytes;
}

/// Returns false if the kernel returns immediately: no list, too many parts, or no bytes.
inline bool means_something(const iovec* parts, int count) noexcept {
    return parts != nullptr && count > 0 && count <= IOV_MAX && bytes_of(parts, static_cast<std::size_t>(count)) > 0;
}

inline msghdr message_of(const iovec* parts, std::size_t count) noexcept {
    msghdr message{};
    message.msg_iov = const_cast<iovec*>(parts);
    message.msg_iovlen = count;
    return message;
}

/// Whether a call with these flags never waits. The error queue is read or found empty immediately, except that of a
/// local socket, which has none.
inline bool never_waits(int fd, int flags) noexcept {
    return (flags & MSG_DONTWAIT) != 0 || ((flags & MSG_ERRQUEUE) != 0 && option_of(fd, SO_DOMAIN) != AF_UNIX);
}
/// Also true for a message that the kernel rejects: a null pointer, or one without a list of parts.
inline bool never_waits(int fd, const msghdr* message, int flags) noexcept {
    return message == nullptr || (message->msg_iov == nullptr && message->msg_iovlen > 0) || never_waits(fd, flags);
}

/// Skips the first `done` bytes of `parts`, and limits the rest to `most` bytes. Copies the list only if necessary.
class Slice {
  public:
    Slice(const iovec* parts, std::size_t count, std::size_t done, std::size_t most) : parts_(parts), count_(count) {
        if (done > 0 || bytes_of(parts, count) > most) cut(done, most);
    }
    iovec* parts() const noexcept { return const_cast<iovec*>(parts_); }
    std::size_t count() const noexcept { return count_; }

  private:
    void cut(std::size_t done, std::size_t most) {
        for (const iovec* part = parts_; part != parts_ + count_ && most > 0; ++part) {
            const std::size_t before = std::min(done, part->iov_len);
            const std::size_t size = std::min(part->iov_len - before, most);
            if (size > 0) copy_.push_back({static_cast<char*>(part->iov_base) + before, size});
            done -= before;
            most -= size;
        }
        parts_ = copy_.data();
        count_ = copy_.size();
    }

    const iovec* parts_;
    std::size_t count_;
    std::vector<iovec> copy_;
};

}  // namespace fiberscope::lab05
