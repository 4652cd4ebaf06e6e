// The C library's names, as in hook_names.cpp: those that move data between descriptors, or send several messages at
// once.
#include "labs/05_epoll_io/given/hook_messages.h"
#include "labs/05_epoll_io/hook.h"
#include "labs/kit/memory/sanitizer.h"

namespace fiberscope::lab05 {
void names_that_transfer() noexcept {}
}  // namespace fiberscope::lab05

#ifndef FIBERSCOPE_TSAN

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"

namespace fiberscope::lab05 {

namespace {

using Kind = HookedDescriptor::Kind;

/// A call of one attempt at each descriptor would need O_NONBLOCK at both. So what the kernel would move goes through a
/// buffer: as many bytes are read as are written.
ssize_t copy_through_buffer(int to, int from, off_t* offset, std::size_t size) {
    constexpr std::size_t kBuffer = 64 * 1024;
    const auto buffer = std::make_unique<char[]>(std::min(size, kBuffer));
    const off_t begin = offset != nullptr ? *offset : lseek(from, 0, SEEK_CUR);
    ssize_t done = 0, last = 1;
    while (last > 0 && static_cast<std::size_t>(done) < size) {
        last = pread(from, buffer.get(), std::min(size - static_cast<std::size_t>(done), kBuffer), begin + done);
        const ssize_t got = last;
        if (got > 0) last = write(to, buffer.get(), static_cast<std::size_t>(got));
        done += std::max<ssize_t>(last, 0);
        if (last < got) break;
    }
    if (done > 0 && offset != nullptr) *offset = begin + done;
    if (done > 0 && offset == nullptr) lseek(from, begin + done, SEEK_SET);
    return done > 0 ? done : last;
}

/// sendfile(2) takes a file, and of all else says at once that it does not.
bool may_be_sent(int fd) noexcept {
    struct stat status {};
    return fstat(fd, &status) == 0 && (S_ISREG(status.st_mode) || S_ISBLK(status.st_mode));
}

bool passes(int fd) { return hooked_descriptor(fd).kind == Kind::passes; }

// ---- splice ---------------------------------------------------------------------------------------------------------

bool is_pipe(int fd) noexcept {
    struct stat status {};
    return fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode);
}
bool is_ready(int fd, Want want) noexcept {
    pollfd one{fd, static_cast<short>(want == Want::read ? POLLIN : POLLOUT), 0};
    return system_calls().poll(&one, 1, 0) != 0;
}

/// The two name one pipe, each perhaps by another of its ends.
bool is_same(int one, int other) noexcept {
    struct stat first {
    }, second{};
    return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/// Nothing can be read or written there, and a call returns nevertheless: of a listener, and of what Linux made a
/// descriptor (an eventfd, say), which the kernel neither splices from nor to.
bool never_waits(int fd) noexcept {
    struct stat status {};
    const bool made_by_linux = fstat(fd, &status) == 0 && (status.st_mode & S_IFMT) == 0;
    return made_by_linux || option_of(fd, SO_ACCEPTCONN) != 0 || (S_ISCHR(status.st_mode) && is_impatient_terminal(fd));
}

/// One end of a splice.
struct End {
    int fd;
    off64_t* offset;
    Want want;
    bool pipe;

    End(int number, off64_t* at, Want wants) noexcept : fd(number), offset(at), want(wants), pipe(is_pipe(number)) {}
    /// It is not open for this, or has no offset.
    bool is_refused() const {
        const int flags = system_calls().fcntl(fd, F_GETFL), access = flags & O_ACCMODE;
        if ((flags & O_PATH) != 0 || (access != O_RDWR && access != (want == Want::read ? O_RDONLY : O_WRONLY)))
            return true;
        return offset != nullptr && (!passes(fd) || *offset < 0);
    }
    bool would_wait() const { return !passes(fd) && !is_ready(fd, want) && !never_waits(fd); }
    bool is_nonblocking() const { return hooked_descriptor(fd).nonblocking; }
    /// False, with errno, if the wait has ended otherwise.
    bool wait() const {
        return hook::blocking({"splice", fd, want}, [this]() -> long { return would_wait() ? try_again() : 0; }) == 0;
    }
    static long try_again() noexcept {
        set_last_error(EAGAIN);
        return -1;
    }
};

/// Whether the kernel would refuse to move anything to `to`: asked with an empty pipe, from which nothing can come.
bool refuses_all(const End& to, unsigned flags) noexcept {
    int empty[2];
    if (to.pipe || system_calls().pipe2(empty, O_CLOEXEC) != 0) return false;
    const ssize_t moved = system_calls().splice(empty[0], nullptr, to.fd, to.offset, 1, flags | SPLICE_F_NONBLOCK);
    const bool refused = moved < 0 && last_error() != EAGAIN;
    for (const int end : empty) system_calls().close(end);
    return refused;
}

/// A splice, step by step: as the kernel does it waits for the pipes first, and for the other end then.
class Splice {
  public:
    Splice(const End& from, const End& to, std::size_t size, unsigned flags) noexcept
        : from_(from), to_(to), size_(size), flags_(flags) {}

    /// The kernel says at once what is wrong, or that there is nothing to do.
    bool is_told_at_once() const {
        constexpr unsigned kKnown = SPLICE_F_MOVE | SPLICE_F_NONBLOCK | SPLICE_F_MORE | SPLICE_F_GIFT;
        const bool pipes = from_.pipe && to_.pipe;
        return size_ == 0 || (flags_ & SPLICE_F_NONBLOCK) != 0 || (flags_ & ~kKnown) != 0 ||
               !(from_.pipe || to_.pipe) || from_.is_refused() || to_.is_refused() ||
               (pipes && (is_same(from_.fd, to_.fd) || from_.is_nonblocking() || to_.is_nonblocking())) ||
               refuses_all(to_, flags_);
    }
    ssize_t move() {
        for (;;) {
            if ((from_.pipe && !from_.wait()) || (to_.pipe && !to_.wait())) return -1;
            others_were_faster_ = false;
            const long moved = !from_.pipe ? from_other() : !to_.pipe ? to_other() : attempt(0);
            if (!others_were_faster_) return static_cast<ssize_t>(moved);
            pause_and_try_again();
        }
    }

  private:
    /// SPLICE_F_NONBLOCK is for the pipes alone, so the other end must not block either (see if_ready). One that can be
    /// written has room for PIPE_BUF bytes.
    long attempt(std::size_t done) {
        const std::size_t most = to_.pipe || passes(to_.fd) ? SIZE_MAX : PIPE_BUF;
        const auto call = [&] {
            return system_calls().splice(from_.fd, from_.offset, to_.fd, to_.offset, std::min(size_ - done, most),
                                         flags_ | SPLICE_F_NONBLOCK);
        };
        const int other = !from_.pipe ? from_.fd : to_.fd;
        const bool may_wait = !(from_.pipe && to_.pipe) && !passes(other);
        const long moved = without_sigpipe([&]() -> long { return may_wait ? without_waiting(other, call) : call(); });
        if (moved >= 0 || last_error() != EAGAIN) return moved;
        others_were_faster_ = done == 0;
        return 0;
    }
    long from_other() {
        return hook::blocking({"splice", from_.fd, Want::read},
                              [this] { return from_.would_wait() ? End::try_again() : attempt(0); });
    }
    /// All that is in the pipe.
    long to_other() {
        return in_parts({"splice", to_.fd, Want::write}, size_, [this](std::size_t done) {
            if (done > 0 && !is_ready(from_.fd, Want::read)) return 0L;
            return to_.would_wait() ? End::try_again() : attempt(done);
        });
    }

    const End &from_, &to_;
    std::size_t size_;
    unsigned flags_;
    bool others_were_faster_ = false;  ///< a pipe that was ready is not any more
};

/// To a pipe it is a splice, from anything but a pipe; it waits for room even if there is nothing to send.
ssize_t sendfile_to_pipe(int to, int from, off_t* offset, std::size_t size) {
    const End source(from, offset, Want::read), target(to, nullptr, Want::write);
    const bool refused = source.is_refused() || target.is_refused() || target.is_nonblocking();
    if (!refused && !source.pipe && size > 0) return Splice(source, target, size, 0).move();
    const auto call = [=] { return system_calls().sendfile(to, from, offset, size); };
    return refused ? call()
                   : hook::blocking({"sendfile", to, Want::write}, [=] { return if_ready(to, Want::write, call); });
}

}  // namespace

}  // namespace fiberscope::lab05

using namespace fiberscope::lab05;  // NOLINT: what follows are C's names
namespace kit = fiberscope::kit;

extern "C" {

ssize_t sendfile(int to, int from, off_t* offset, std::size_t size) noexcept {
    const auto straight = [=](std::size_t bytes) { return system_calls().sendfile(to, from, offset, bytes); };
    if (!hooked() || passes(to)) return straight(size);
    if (is_pipe(to)) return sendfile_to_pipe(to, from, offset, size);
    if (hooked_descriptor(to).nonblocking || !may_be_sent(from) || refuses_all({to, nullptr, Want::write}, 0))
        return straight(size);
    // A sendfile of no bytes never waits here, and refuses what any other refuses.
    if (size == 0 || straight(0) != 0) return straight(size);
    return copy_through_buffer(to, from, offset, size);
}
/// The name under which programs with 64-bit file offsets call it.
ssize_t sendfile64(int to, int from, off64_t* offset, std::size_t size) noexcept __attribute__((alias("sendfile")));

ssize_t splice(int from, off64_t* from_offset, int to, off64_t* to_offset, std::size_t size, unsigned flags) {
    const auto straight = [=] { return system_calls().splice(from, from_offset, to, to_offset, size, flags); };
    if (!hooked()) return straight();
    const End source(from, from_offset, Want::read), target(to, to_offset, Want::write);
    Splice splice(source, target, size, flags);
    return splice.is_told_at_once() ? straight() : splice.move();
}

int sendmmsg(int fd, mmsghdr* messages, unsigned count, int flags) {
    if (!hooked() || (flags & MSG_DONTWAIT) != 0) return system_calls().sendmmsg(fd, messages, count, flags);
    return several_messages("sendmmsg", fd, Want::write, count, true, [=](unsigned done, bool&) {
        return system_calls().sendmmsg(fd, messages + done, count - done, flags | MSG_DONTWAIT | MSG_NOSIGNAL);
    });
}

}  // extern "C"

#endif
