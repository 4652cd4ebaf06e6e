// Step 5.2: POSIX calls for tasks, with the signatures of POSIX: a call that would block parks its task instead of the
// thread. As NtyCo's nty_socket, nty_accept, nty_recv and so on, except that a call is tried first and its descriptor
// registered only if it would block.
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

/// A call, and the event that it waits for if it would block.
struct IoCall {
    const char* op;  ///< name in traces, such as "recv"
    int fd;
    Want want;
    std::uint64_t deadline = kNever;  ///< ns of the kit's clock
    /// Bytes requested by a read; 0: unknown. After a read that returned fewer, the next one waits before it tries,
    /// because no data is left.
    std::size_t size = 0;
};

/// A system call that can be retried: returns the result, or -1 with errno. A non-owning function reference.
class Attempt {
  public:
    template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, Attempt>) Attempt(F&& call)
    noexcept  // NOLINT: implicit, for lambdas as arguments
        : object_(const_cast<void*>(static_cast<const void*>(&call))),
          call_([](void* object) -> long { return (*static_cast<std::remove_reference_t<F>*>(object))(); }) {}
    long operator()() const { return call_(object_); }

  private:
    void* object_;
    long (*call_)(void*);
};

/// 5.2. Repeats the attempt until it no longer would block, waiting in between. Returns the result of the last attempt;
/// or -1 with errno if the attempt failed or the wait ended without an event (see wait_until_ready). Retries after a
/// signal.
long until_done(const IoCall& call, Attempt attempt);

// ---- given ----------------------------------------------------------------------------------------------------------

/// Yields until the descriptor is ready. Returns 0: try now; ETIMEDOUT: the deadline has passed; ECANCELED:
/// lab04::cancel was called; EBADF: the descriptor was closed, and its number may refer to another one by now.
/// Preserves errno. Throws Misuse outside of tasks.
int wait_until_ready(const IoCall& call);
/// until_done, recorded in the trace; preserves errno on success.
long perform(const IoCall& call, Attempt attempt);
/// Step 5.3: yields until one of the items, which must be watched, is woken. Returns 0, ETIMEDOUT or ECANCELED, as
/// wait_until_ready.
int wait_until_any(std::span<const PollItem> items, std::uint64_t deadline);
/// Sets POLLNVAL in `revents` of those of `fds` that were closed while they were watched (their numbers may refer to
/// others by now), and returns how many these are. `items`: one for each nonnegative descriptor of `fds`, in the same
/// order.
int tell_closed(std::span<const PollItem> items, pollfd* fds);
/// Whether the running task uses a shared stack (lab 03), where other tasks' frames replace its locals while it is
/// suspended. Then no other task may get the address of a local. System calls may: the task is not suspended during the
/// call.
bool locals_move();
/// Returns now plus `ns`, or kNever.
std::uint64_t deadline_after(std::uint64_t ns) noexcept;
/// Whether MSG_WAITALL in `flags` applies: only to reads that consume data from a stream. A read of datagrams takes
/// one; and after a MSG_PEEK a wait would end immediately, because the data is still there.
bool waits_for_all(int fd, int flags) noexcept;
/// Result of a connect that has not begun because the listener's queue is full.
inline constexpr int kQueueFull = 1;
/// Repeats `connect`, with pauses, as long as it returns kQueueFull. Returns its last result; -1 with ETIMEDOUT at the
/// deadline, or with ECANCELED or EBADF as wait_until_ready.
long while_queue_is_full(int fd, std::uint64_t deadline, Attempt connect);

// ---- the calls ------------------------------------------------------------------------------------------------------

/// 5.2. Results and errno are those of the POSIX functions of the same names. Descriptors made here are nonblocking.
/// Other sockets may be used too, except for accept and connect, which need O_NONBLOCK. To be called by tasks.
namespace io {

int socket(int domain, int type, int protocol);
/// Returns the accepted connection, which is nonblocking too.
int accept(int fd, sockaddr* address, socklen_t* length);
/// Returns -1 with ETIMEDOUT if the socket is not connected by the deadline (ns of the kit's clock). The attempt may
/// continue in the background, so the socket can only be closed.
int connect(int fd, const sockaddr* address, socklen_t length, std::uint64_t deadline = kNever);
/// The two attempts of a connect. The first starts it, and returns -1 with EAGAIN if it continues in the background.
/// When the descriptor is writable, the second asks for the result by another connect(2): 0 if connected (EISCONN means
/// that another task has asked before), -1 with EAGAIN while in progress (EALREADY), else the error, after which the
/// socket may be connected again. kQueueFull if the queue of a local listener (AF_UNIX) is full: connect(2) fails with
/// EAGAIN then too, but nothing has begun, and no event will report free space.
int begin_connect(int fd, const sockaddr* address, socklen_t length);
int ended_connect(int fd, const sockaddr* address, socklen_t length);
/// Returns available data; with MSG_WAITALL, waits for all of it (waits_for_all).
ssize_t recv(int fd, void* buffer, std::size_t size, int flags);
ssize_t recvfrom(int fd, void* buffer, std::size_t size, int flags, sockaddr* address, socklen_t* length);
/// Sends everything, like a blocking socket: returns less than `size` only if an error follows a partial write. Never
/// raises SIGPIPE.
ssize_t send(int fd, const void* buffer, std::size_t size, int flags);
ssize_t sendto(int fd, const void* buffer, std::size_t size, int flags, const sockaddr* address, socklen_t length);
/// Wakes the tasks that wait for the descriptor; they get EBADF.
int close(int fd);

/// 5.3. Waits until at least one of the descriptors is ready, for at most `timeout` ms (negative: no limit; 0: returns
/// immediately), and fills in `revents` like poll(2); POLLNVAL for a descriptor that is closed during the wait. As
/// libco's co_poll: registers every descriptor, unregisters all of them however the wait ends, and allocates nothing
/// for one or two descriptors (once on a shared stack, where the items must not move). Returns -1 with ECANCELED if
/// cancelled.
int poll(pollfd* fds, nfds_t count, int timeout);

}  // namespace io

}  // namespace fiberscope::lab05
