// Step 5.2: the calls of POSIX, by the signatures of POSIX, for tasks: one that would block parks its task and not the
// thread. As NtyCo's nty_socket, nty_accept, nty_recv and the others; but a call is tried first, and registered only if
// it would block.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "labs/04_scheduler/tasks.h"
#include "labs/05_epoll_io/epoller.h"

namespace fiberscope::lab05 {

/// One call, and what it waits for if it would block.
struct IoCall {
    const char* op;  ///< as traces name it: "recv"
    int fd;
    Want want;
    std::uint64_t deadline = kNever;  ///< ns of the kit's clock: until then it waits at most
    /// Bytes that a read asks for; 0: not told. One that got fewer has taken all there was: the next one waits before
    /// it tries.
    std::size_t size = 0;
};

/// A system call that may be tried again and again: the result, or -1 and errno. Refers to a function, and does not own
/// it.
class Attempt {
  public:
    template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, Attempt>) Attempt(F&& call)
    noexcept  // NOLINT: meant to be made from a lambda on the spot
        : object_(const_cast<void*>(static_cast<const void*>(&call))),
          call_([](void* object) -> long { return (*static_cast<std::remove_reference_t<F>*>(object))(); }) {}
    long operator()() const { return call_(object_); }

  private:
    void* object_;
    long (*call_)(void*);
};

/// 5.2. Tries; where the attempt would block, waits and tries again. The result of the last attempt; -1 with the errno
/// of one that failed, or of a wait that ended otherwise than by an event (see wait_until_ready). A signal is no reason
/// to stop.
long until_done(const IoCall& call, Attempt attempt);

// ---- what is given --------------------------------------------------------------------------------------------------

/// Leaves the processor until the descriptor is ready. 0: try now. ETIMEDOUT: the deadline has passed. ECANCELED:
/// lab04::cancel was called. EBADF: it was closed meanwhile, and its number may name another descriptor by now.
/// Does not change errno. Throws Misuse outside of tasks.
int wait_until_ready(const IoCall& call);
/// until_done, told to the trace; on success errno is left as it was.
long perform(const IoCall& call, Attempt attempt);
/// Step 5.3: leaves until one of the items is woken. 0, ETIMEDOUT or ECANCELED, as wait_until_ready. They must be
/// watched.
int wait_until_any(std::span<const PollItem> items, std::uint64_t deadline);
/// Says POLLNVAL in `revents` of those of `fds` that were closed while they were watched, and returns how many these
/// are: the number may be that of another one by now. `items`: one for each of `fds` that is not negative, in their
/// order.
int tell_closed(std::span<const PollItem> items, pollfd* fds);
/// The task that runs lies on a shared stack (lab 03): while it is suspended, others lie there, so pass to no one where
/// its locals are. What it passes to a system call is safe: it runs as long as the call does.
bool locals_move();
/// Now plus `ns`, or kNever.
std::uint64_t deadline_after(std::uint64_t ns) noexcept;
/// MSG_WAITALL in `flags` is to be minded: what is read is a stream, and it is taken. Of datagrams a call takes one;
/// and a wait after a MSG_PEEK ends at once, by what the look left.
bool waits_for_all(int fd, int flags) noexcept;
/// What a connect returns that has not begun, since the listener's queue is full.
inline constexpr int kQueueFull = 1;
/// Calls `connect` again, after a pause, as long as it returns kQueueFull; its last result. -1 with ETIMEDOUT at the
/// deadline, and with ECANCELED or EBADF as wait_until_ready.
long while_queue_is_full(int fd, std::uint64_t deadline, Attempt connect);

// ---- the calls ------------------------------------------------------------------------------------------------------

/// 5.2. Each returns what its namesake returns, with its errno. Descriptors that come from here do not block the
/// thread. Any other socket may be used too, but for accept and connect, which need O_NONBLOCK. To be called by tasks.
namespace io {

int socket(int domain, int type, int protocol);
/// What it returns is the connection, which does not block the thread either.
int accept(int fd, sockaddr* address, socklen_t* length);
/// -1 with ETIMEDOUT if it is not connected at the deadline (ns of the kit's clock): it may go on in the background, so
/// that nothing but a close is left to do.
int connect(int fd, const sockaddr* address, socklen_t length, std::uint64_t deadline = kNever);
/// The two attempts of a connect: the first begins it, -1 with EAGAIN if it goes on in the background; when the
/// descriptor can be written, the second asks how it ended, by another connect(2): 0 if it is connected (EISCONN means
/// that another task has asked before), -1 with EAGAIN as long as it goes on (EALREADY), else the error, after which
/// the socket may be connected again. kQueueFull if the queue of a local listener (AF_UNIX) has no room: connect(2)
/// says EAGAIN then too, but nothing has begun, and no event will tell of room.
int begin_connect(int fd, const sockaddr* address, socklen_t length);
int ended_connect(int fd, const sockaddr* address, socklen_t length);
/// As soon as there is something; with MSG_WAITALL all of it (waits_for_all).
ssize_t recv(int fd, void* buffer, std::size_t size, int flags);
ssize_t recvfrom(int fd, void* buffer, std::size_t size, int flags, sockaddr* address, socklen_t* length);
/// All of it, as a socket does that blocks: less than `size` only if a part was sent and then it failed. Never raises
/// SIGPIPE.
ssize_t send(int fd, const void* buffer, std::size_t size, int flags);
ssize_t sendto(int fd, const void* buffer, std::size_t size, int flags, const sockaddr* address, socklen_t length);
/// The tasks that wait for it are woken, and get EBADF.
int close(int fd);

/// 5.3. Waits until one of several descriptors is ready, `timeout` ms at most (negative: no limit; 0: only looks), and
/// says so in `revents`, as poll(2); of one that is closed meanwhile it says POLLNVAL. As libco's co_poll: every
/// descriptor is registered, whatever ends the wait nothing stays registered for it, and one or two descriptors cost no
/// allocation (on a shared stack one: the items must not move). -1 with ECANCELED if it was cancelled.
int poll(pollfd* fds, nfds_t count, int timeout);

}  // namespace io

}  // namespace fiberscope::lab05
