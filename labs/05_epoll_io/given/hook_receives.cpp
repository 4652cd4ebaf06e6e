// The C library's names, as in hook_names.cpp: the calls that receive. How many bytes a receive waits for is decided
// here as in the kernel: one, SO_RCVLOWAT, or all of them (MSG_WAITALL); fewer at the urgent mark, at an error, at the
// end of the stream, and after a message that carries descriptors.
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

/// How many of `size` bytes a receive waits for. A look (MSG_PEEK) at a local stream waits for one.
std::size_t awaited(int fd, std::size_t size, int flags) noexcept {
    const bool looks = (flags & MSG_PEEK) != 0;
    if ((flags & MSG_OOB) != 0 || (looks && option_of(fd, SO_PROTOCOL) != IPPROTO_TCP)) return 1;
    if (waits_for_all(fd, flags & ~MSG_PEEK)) return size;
    return std::min(size, hooked_descriptor(fd).at_least);
}

short state_of(int fd) noexcept {
    pollfd one{fd, POLLPRI | POLLRDHUP, 0};
    system_calls().poll(&one, 1, 0);
    return one.revents;
}

// ---- a look: leaves what it saw -------------------------------------------------------------------------------------

/// Behind the `seen` bytes is neither an end nor the urgent mark, up to which FIONREAD counts.
bool more_may_come(int fd, ssize_t seen) noexcept {
    const short state = state_of(fd);
    int before_mark = 0;
    if ((state & ~POLLPRI) != 0) return false;
    return (state & POLLPRI) == 0 || system_calls().ioctl(fd, FIONREAD, &before_mark) != 0 || before_mark != seen;
}
/// What a look leaves makes the descriptor readable, so the poller would not wait for more.
template <class F>
ssize_t look_until(std::size_t least, int fd, F look) {
    const SignalWait signals(hooked_descriptor(fd).read_limit == kNever);
    const ssize_t got = hook::blocking({"recv", fd, Want::read}, [=]() -> long {
        const ssize_t seen = look();
        const bool few = seen > 0 && static_cast<std::size_t>(seen) < least;
        return few && more_may_come(fd, seen) ? pause_and_try_again() : seen;
    });
    return got < 0 && last_error() == EAGAIN ? look() : got;  // at its limit: what there is
}

// ---- a receive of several parts -------------------------------------------------------------------------------------

/// After a first part: an error is left to the next call, and so is what follows the urgent mark.
bool ends_here(int fd) noexcept {
    const short state = state_of(fd);
    return (state & POLLERR) != 0 || ((state & POLLPRI) != 0 && sockatmark(fd) == 1);
}

/// Waits for bytes or for urgent data, which makes no descriptor readable. False if the wait ended otherwise.
bool wait_for_more(int fd, std::uint64_t end) {
    pollfd one{fd, POLLIN | POLLPRI, 0};
    const bool came = io::poll(&one, 1, end == kNever ? -1 : kit::ms_of(kit::time_left(end))) > 0;
    set_last_error(EAGAIN);
    return came;
}

/// Local streams: the kernel ends a receive after a part that brought descriptors, even if the caller has no room for
/// them.
bool brought_descriptors(int fd, const msghdr& part) noexcept {
    if ((part.msg_flags & MSG_CTRUNC) != 0) return option_of(fd, SO_PASSCRED) == 0;
    auto& message = const_cast<msghdr&>(part);
    for (cmsghdr* one = CMSG_FIRSTHDR(&message); one != nullptr; one = CMSG_NXTHDR(&message, one))
        if (one->cmsg_level == SOL_SOCKET && one->cmsg_type == SCM_RIGHTS) return true;
    return false;
}

/// As recvmsg of a stream that waits for `least` bytes.
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
    /// What comes along with the bytes is taken from the first part that brings any.
    long part(std::size_t done) {
        const Slice rest(message_->msg_iov, message_->msg_iovlen, done, size_);
        msghdr part = *message_;
        part.msg_iov = rest.parts();
        part.msg_iovlen = rest.count();
        part.msg_controllen = message_->msg_controllen == 0 ? room_ : 0;
        const ssize_t got = system_calls().recvmsg(fd_, &part, flags_ | MSG_DONTWAIT);
        if (got < 0) return got;
        over_ = brought_descriptors(fd_, part);
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

// ---- several messages -----------------------------------------------------------------------------------------------

/// Of a stream, each of which waits for several bytes: one call for each message, as in the kernel.
int receive_each(int fd, mmsghdr* messages, unsigned count, int flags, timespec* limit) {
    const std::uint64_t end = limit == nullptr ? kNever : deadline_after(kit::ns_of(*limit));
    const int error_before = last_error();
    if (const int pending = option_of(fd, SO_ERROR)) return set_last_error(pending), -1;  // told before any message
    unsigned done = 0;
    for (bool over = false; done < count && !over; ++done) {
        const int now = done > 0 && (flags & MSG_WAITFORONE) != 0 ? MSG_DONTWAIT : 0;
        const ssize_t got = ::recvmsg(fd, &messages[done].msg_hdr, (flags & ~MSG_WAITFORONE) | now);
        if (got < 0) break;
        messages[done].msg_len = static_cast<unsigned>(got);
        const std::uint64_t left = kit::time_left(end);
        if (limit != nullptr) *limit = kit::timespec_of(left);
        over = left == 0;
    }
    if (done == 0 && count > 0) return -1;
    set_last_error(error_before);
    return static_cast<int>(done);
}

}  // namespace

}  // namespace fiberscope::lab05

using namespace fiberscope::lab05;  // NOLINT: what follows are C's names
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
    if (leaves) return look_until(least, fd, now);
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
    return (flags & MSG_PEEK) != 0 ? look_until(least, fd, now) : Receive(fd, message, flags).until(least);
}

/// Waits for all messages, or with MSG_WAITFORONE for the first. The kernel looks at `limit` only when a message has
/// come, so each attempt is told how much is left; SO_RCVTIMEO ends a wait.
int recvmmsg(int fd, mmsghdr* messages, unsigned count, int flags, timespec* limit) {
    if (!hooked() || (flags & (MSG_DONTWAIT | MSG_ERRQUEUE)) != 0 || (limit != nullptr && !is_time(limit)))
        return system_calls().recvmmsg(fd, messages, count, flags, limit);
    if (awaited(fd, SIZE_MAX, flags) > 1) return receive_each(fd, messages, count, flags, limit);
    const bool all = (flags & MSG_WAITFORONE) == 0;
    const std::uint64_t end = limit == nullptr ? kNever : deadline_after(kit::ns_of(*limit));
    return several_messages("recvmmsg", fd, Want::read, count, all, [=](unsigned done, bool& over) {
        if (limit != nullptr) *limit = kit::timespec_of(kit::time_left(end));
        const int got = system_calls().recvmmsg(fd, messages + done, count - done, flags | MSG_DONTWAIT, limit);
        over = over || (limit != nullptr && kit::ns_of(*limit) == 0);
        return got;
    });
}

}  // extern "C"

#endif
