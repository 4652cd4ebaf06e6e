// The C library's names, as in hook_names.cpp: those that move data between descriptors, or several messages at once.
#include "labs/05_epoll_io/given/hook_numbers.h"
#include "labs/05_epoll_io/hook.h"
#include "labs/kit/memory/sanitizer.h"

namespace fiberscope::lab05 {
void names_that_transfer() noexcept {}
}  // namespace fiberscope::lab05

#ifndef FIBERSCOPE_TSAN

#include <fcntl.h>
#include <limits.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "labs/05_epoll_io/system_calls.h"

namespace fiberscope::lab05 {

namespace {

using Kind = HookedDescriptor::Kind;

/// A call of one attempt at each descriptor would need O_NONBLOCK at both. So what the kernel would move goes through a
/// buffer: as many bytes are read as are written.
ssize_t copy_through_buffer(int to, int from, off_t* offset, std::size_t size) {
    constexpr std::size_t kBuffer = 64 * 1024;
    const auto buffer = std::make_unique<char[]>(std::min(size, kBuffer));
    std::size_t done = 0;
    while (done < size) {
        const std::size_t part = std::min(size - done, kBuffer);
        const ssize_t got =
            offset == nullptr ? read(from, buffer.get(), part) : pread(from, buffer.get(), part, *offset);
        if (got <= 0) return done > 0 ? static_cast<ssize_t>(done) : got;
        const ssize_t put = write(to, buffer.get(), static_cast<std::size_t>(got));
        if (put > 0) done += static_cast<std::size_t>(put);
        if (put > 0 && offset != nullptr) *offset += put;
        if (offset == nullptr && put < got && Kind::passes == hooked_descriptor(from).kind)
            lseek(from, std::max<ssize_t>(put, 0) - got, SEEK_CUR);
        if (put < got) return done > 0 ? static_cast<ssize_t>(done) : put;
    }
    return static_cast<ssize_t>(done);
}

bool passes(int fd) { return hooked_descriptor(fd).kind == Kind::passes; }

/// One attempt when both ends are ready, of so few bytes that the second end has room for them.
ssize_t splice_ready(int from, off64_t* from_offset, int to, off64_t* to_offset, std::size_t size, unsigned flags) {
    return static_cast<ssize_t>(hook::blocking({"splice", from, Want::read}, [=]() -> long {
        return if_ready(from, Want::read, [=]() -> long {
            return hook::blocking({"splice", to, Want::write}, [=]() -> long {
                return if_ready(to, Want::write, [=] {
                    return system_calls().splice(from, from_offset, to, to_offset,
                                                 std::min<std::size_t>(size, PIPE_BUF), flags);
                });
            });
        });
    }));
}

/// Messages `done` and later: how many were done, or an error. The kernel is asked for as many as there are at once.
template <class Call>
int several(const char* op, int fd, Want want, unsigned count, bool all, Call call) {
    const int error_before = last_error();
    unsigned done = 0;
    const long result = hook::blocking({op, fd, want}, [&]() -> long {
        for (;;) {
            const int more = call(done);
            if (more < 0) return done > 0 && !all ? static_cast<long>(done) : more;
            done += static_cast<unsigned>(more);
            if (more == 0 || done >= count || !all) return static_cast<long>(done);
        }
    });
    if (result >= 0 || done == 0) return static_cast<int>(result);
    set_last_error(error_before);
    return static_cast<int>(done);
}

}  // namespace

}  // namespace fiberscope::lab05

using namespace fiberscope::lab05;  // NOLINT: what follows are C's names

extern "C" {

ssize_t sendfile(int to, int from, off_t* offset, std::size_t size) noexcept {
    if (!hooked() || passes(to) || hooked_descriptor(to).nonblocking)
        return system_calls().sendfile(to, from, offset, size);
    return copy_through_buffer(to, from, offset, size);
}
/// The name under which programs with 64-bit file offsets call it.
ssize_t sendfile64(int to, int from, off64_t* offset, std::size_t size) noexcept __attribute__((alias("sendfile")));

ssize_t splice(int from, off64_t* from_offset, int to, off64_t* to_offset, std::size_t size, unsigned flags) {
    if (!hooked() || (flags & SPLICE_F_NONBLOCK) != 0)
        return system_calls().splice(from, from_offset, to, to_offset, size, flags);
    return splice_ready(from, from_offset, to, to_offset, size, flags);
}

/// Waits for all messages, or with MSG_WAITFORONE for the first. `limit` is looked at by the kernel only when a message
/// has come, and here not at all: SO_RCVTIMEO is the limit that holds.
int recvmmsg(int fd, mmsghdr* messages, unsigned count, int flags, timespec* limit) {
    if (!hooked() || (flags & (MSG_DONTWAIT | MSG_ERRQUEUE)) != 0)
        return system_calls().recvmmsg(fd, messages, count, flags, limit);
    const bool all = (flags & MSG_WAITFORONE) == 0;
    return several("recvmmsg", fd, Want::read, count, all, [=](unsigned done) {
        return system_calls().recvmmsg(fd, messages + done, count - done, flags | MSG_DONTWAIT, nullptr);
    });
}

int sendmmsg(int fd, mmsghdr* messages, unsigned count, int flags) {
    if (!hooked() || (flags & MSG_DONTWAIT) != 0) return system_calls().sendmmsg(fd, messages, count, flags);
    return several("sendmmsg", fd, Want::write, count, true, [=](unsigned done) {
        return system_calls().sendmmsg(fd, messages + done, count - done, flags | MSG_DONTWAIT | MSG_NOSIGNAL);
    });
}

}  // extern "C"

#endif
