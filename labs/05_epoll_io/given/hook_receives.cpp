// The C library's names, as in hook_names.cpp: functions that receive. As in the kernel, the number of bytes that a
// receive waits for is one, SO_RCVLOWAT, or all (MSG_WAITALL); it returns fewer at the urgent mark, at an error, at the
// end of the stream, and after a message with descriptors.
#include "labs/05_epoll_io/given/hook_messages.h"
#include "labs/05_epoll_io/hook.h"
#include "labs/kit/memory/sanitizer.h"

namespace fiberscope::lab05 {
void names_that_receive() noexcept {}
}  // namespace fiberscope::lab05

#ifndef FIBERSCOPE_TSAN

#include <netinet/in.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"

namespace fiberscope::lab05 {

namespace {

using Kind = HookedDescriptor::Kind;

/// Returns how many of `size` bytes a receive waits for: one with MSG_PEEK.
std::size_t awaited(int fd, std::size_t size, int flags) noexcept {
    if ((flags & (MSG_OOB | MSG_PEEK)) != 0) return 1;
    if (waits_for_all(fd, flags)) return size;
    return std::min(size, hooked_descriptor(fd).at_least);
}

// ---- a receive of several parts -------------------------------------------------------------------------------------

/// After a first part: leaves an error, and data after the urgent mark, to the next call.
bool ends_here(int fd) noexcept {
    pollfd one{fd, POLLPRI, 0};
    system_calls().poll(&one, 1, 0);
    return (one.revents & POLLERR) != 0 || ((one.revents & POLLPRI) != 0 && sockatmark(fd) == 1);
}

/// Waits for bytes or for urgent data, which does not make a descriptor readable. Returns false if the wait ended
/// otherwise.
bool wait_for_more(int fd, std::uint64_t end) {
    pollfd one{fd, POLLIN | POLLPRI, 0};
    const bool came = io::poll(&one, 1, end == kNever ? -1 : kit::ms_of(kit::time_left(end))) > 0;
    set_last_error(EAGAIN);
    return came;
}

/// Like recvmsg on a stream that waits for `least` bytes.
class Receive {
  public:
    Receive(int fd, msghdr* message, int flags) noexcept
        : fd_(fd), message_(message), flags_(flags), size_(bytes_of(message->msg_iov, message->msg_iovlen)) {}

    ssize_t until(std::size_t least) {
        const HookedDescriptor descriptor = hooked_descriptor(fd_);
        const std::uint64_t limit = descriptor.read_limit;
        const std::uint64_t end = limit == kNever ? kNever : deadline_after(limit);
        room_ = std::exchange(message_->msg_controllen, 0);
        const ssize_t all = in_parts({"recv", fd_, Want::read}, least, [&](std::size_t done) {
            for (;;) {
                if (done > 0 && (over_ || ends_here(fd_))) return 0L;
                const long got = part(done);
                const bool waits = got < 0 && last_error() == EAGAIN && done > 0 && !descriptor.nonblocking;
                if (!waits || !wait_for_more(fd_, end)) return got;
            }
        });
        if (all < 0) message_->msg_controllen = room_;
        return all;
    }

  private:
    /// Takes ancillary data from the first part that has any.
    long part(std::size_t done) {
        const Slice rest(message_->msg_iov, message_->msg_iovlen, done, size_);
        msghdr part = *message_;
        part.msg_iov = rest.parts();
        part.msg_iovlen = rest.count();
        part.msg_controllen = message_->msg_controllen == 0 ? room_ : 0;
        const ssize_t got = system_calls().recvmsg(fd_, &part, flags_ | MSG_DONTWAIT);
        if (got < 0) return got;
        over_ = part.msg_controllen > 0;  // the kernel ends a receive after ancillary data
        if (message_->msg_controllen == 0) message_->msg_controllen = part.msg_controllen;
        message_->msg_namelen = part.msg_namelen;
        message_->msg_flags = part.msg_flags | (done > 0 ? message_->msg_flags : 0);
        return got;
    }

    int fd_;
    msghdr* message_;
    int flags_;
    std::size_t size_, room_ = 0;
    bool over_ = false;
};

}  // namespace

}  // namespace fiberscope::lab05

using namespace fiberscope::lab05;  // NOLINT: the following are C's names
namespace kit = fiberscope::kit;

extern "C" {

ssize_t readv(int fd, const iovec* parts, int count) {
    if (!hooked() || !means_something(parts, count)) return system_calls().readv(fd, parts, count);
    const Kind kind = hooked_descriptor(fd).kind;
    if (kind == Kind::passes) return system_calls().readv(fd, parts, count);
    if (kind != Kind::socket)
        return hook::blocking({"readv", fd, Want::read}, [=] { return read_now(fd, parts, count); });
    msghdr message = message_of(parts, static_cast<std::size_t>(count));
    return recvmsg(fd, &message, 0);
}

ssize_t recvfrom(int fd, void* buffer, std::size_t size, int flags, sockaddr* address, socklen_t* length) {
    const auto call = [=](int more) {
        return system_calls().recvfrom(fd, buffer, size, flags | more, address, length);
    };
    if (!hooked() || never_waits(fd, flags)) return call(0);
    const auto now = [=] { return call(MSG_DONTWAIT); };
    const std::size_t least = awaited(fd, size, flags);
    const bool leaves = (flags & (MSG_PEEK | MSG_OOB)) != 0;
    if (least <= 1) return hook::blocking({"recv", fd, Want::read, kNever, leaves ? 0 : size}, now);
    const iovec part{buffer, size};
    msghdr message = message_of(&part, 1);
    message.msg_name = address;
    if (address != nullptr && length != nullptr) message.msg_namelen = *length;
    const ssize_t got = Receive(fd, &message, flags).until(least);
    if (got >= 0 && address != nullptr && length != nullptr) *length = message.msg_namelen;
    return got;
}
ssize_t recv(int fd, void* buffer, std::size_t size, int flags) {
    return recvfrom(fd, buffer, size, flags, nullptr, nullptr);
}
ssize_t recvmsg(int fd, msghdr* message, int flags) {
    if (!hooked() || never_waits(fd, message, flags)) return system_calls().recvmsg(fd, message, flags);
    const auto now = [=] { return system_calls().recvmsg(fd, message, flags | MSG_DONTWAIT); };
    const std::size_t least = awaited(fd, bytes_of(message->msg_iov, message->msg_iovlen), flags);
    if (least <= 1) return hook::blocking({"recvmsg", fd, Want::read}, now);
    return Receive(fd, message, flags).until(least);
}

}  // extern "C"

#endif
