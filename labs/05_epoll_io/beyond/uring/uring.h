// Step 5.8, a challenge: io_uring as a source of events. epoll says that a call can be tried; io_uring is given the
// call itself, and says that it is done. The task parks in between, and its buffer belongs to the kernel.
#pragma once

#include <sys/socket.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "labs/04_scheduler/tasks.h"
#include "labs/05_epoll_io/beyond/uring/ring.h"
#include "labs/05_epoll_io/io.h"
#include "labs/kit/sets/recorded_set.h"

namespace fiberscope::lab05 {

/// What a task asks the kernel for; the fields are those of an SQE.
struct Request {
    const char* op;             ///< as traces name it: "recv"
    std::uint8_t opcode;        ///< IORING_OP_RECV
    int fd;                     ///< -1: none
    std::uint64_t address = 0;  ///< of a buffer, of a socket's address, or the user_data of what is to be cancelled
    std::uint32_t size = 0;     ///< bytes of the buffer
    std::uint64_t off = 0;      ///< of a connect: the size of the address
    std::uint32_t flags = 0;    ///< msg_flags
    std::uint64_t deadline = kNever;  ///< ns of the kit's clock: then it is cancelled
};

class UringSource;

/// Given. An operation on its way. It lies on the stack of the task that waits for it, and its address is the user_data
/// by which its completion is known; so it must stay until then: a task that leaves it earlier ends the program, with a
/// message. If the task is unwound meanwhile, the destructor cancels it, and blocks the thread until the kernel has let
/// go.
class InFlight {
  public:
    /// Of the task that runs. Throws std::logic_error if that lies on a shared stack (lab 03): the kernel would write
    /// where other tasks lie meanwhile.
    InFlight(UringSource& source, const Request& request);
    ~InFlight();
    InFlight(const InFlight&) = delete;
    InFlight& operator=(const InFlight&) = delete;

    bool done() const noexcept { return done_; }
    /// When it is done: what the call returns, or an errno with the sign turned: -ECONNRESET.
    int result() const noexcept { return result_; }
    /// Parks its task until it is done, `deadline` (ns) has passed (timeout) or lab04::cancel was called (cancelled).
    /// May also return `event` for nothing, when another task has called lab04::wake.
    Wake park(std::uint64_t deadline = kNever);
    /// Its completion is there: notes the result, and wakes its task.
    void land(int result);

  private:
    friend class UringSource;
    void put_words() noexcept;
    void settle(int result);
    void record(trace::IoPhase phase) const;

    UringSource& source_;
    Task& task_;
    const char* op_;
    int fd_;
    Want want_;
    std::uint64_t deadline_;
    int result_ = 0;
    bool done_ = false;
    bool handed_over_ = false;
    char words_[64];  ///< a message: the completion of recv on fd 7
};

/// Completions as a source of lab 04's scheduler, for one machine. Its ring must outlive it. Tasks wait by the calls
/// below, not by lab04::wait_for, which asks for readiness: that throws std::logic_error.
class UringSource : public lab04::EventSource {
  public:
    explicit UringSource(Ring& ring);

    // ---- what the student writes (step 5.8) -------------------------------------------------------------------------

    /// A free SQE. Where the ring is full, what is in it is handed over first, without waiting.
    io_uring_sqe& next_sqe();
    /// Fills an SQE with the request, and `operation`'s address as its user_data. It goes to the kernel with those of
    /// the other tasks, when the loop turns: no system call.
    void submit(const Request& request, InFlight& operation);
    /// Submits, parks until it is done, and returns what the call returns: -1 with errno if it failed. A task that is
    /// cancelled, or whose deadline has passed, gets ECANCELED or ETIMEDOUT; but not before the kernel has let go of
    /// the buffer, and not if the operation was done all the same.
    int perform(const Request& request);
    /// Asks the kernel to give `operation` up (IORING_OP_ASYNC_CANCEL), and parks until both are done: the operation,
    /// however it ended, and the request to cancel it. Nothing else ends this wait.
    void let_go(InFlight& operation);
    /// Lands each operation whose completion is there, and gives the places back. Without a system call.
    void reap();
    /// EventSource::wait with one enter(): it hands over what all tasks have submitted, and waits for a completion or
    /// `until`. The tasks are woken by reap(); no Event is returned.
    std::span<Event> wait(std::uint64_t until) override;

    // ---- what is given ----------------------------------------------------------------------------------------------

    /// Ring::enter, told to the trace: what was submitted is the kernel's from now on.
    void enter(unsigned at_least, std::uint64_t until);
    Ring& ring() noexcept { return ring_; }
    /// The operations that have not landed.
    std::size_t in_flight() const noexcept { return other_listeners_; }

    void watch(int fd, Want want) override;
    void unwatch(int, Want) override {}
    bool expects_any() const override;
    void shared_by(lab04::WorkerPool* loop) override;

    /// The source of this thread's scheduler. Throws std::logic_error if it is another one.
    static UringSource& here();

  private:
    friend class InFlight;
    static constexpr char kKind = 0;  // its address
    void release(InFlight& operation);

    Ring& ring_;
    std::vector<InFlight*> submitted_;  ///< since the last enter
    kit::RecordedSet kernels_;
};

/// The calls, for tasks of a UringSource. Each returns what its namesake returns, with its errno; ETIMEDOUT at the
/// deadline. Sockets must block (no O_NONBLOCK), or the kernel answers EAGAIN in place of waiting. The buffer must stay
/// until the call returns, and not lie on a shared stack. A descriptor that is closed by another task meanwhile goes on
/// here: cancel its task.
namespace uring {

int accept(int fd, std::uint64_t deadline = kNever);
int connect(int fd, const sockaddr* peer, socklen_t size, std::uint64_t deadline = kNever);
ssize_t recv(int fd, void* buffer, std::size_t size, int flags = 0, std::uint64_t deadline = kNever);
/// 5.8, the student writes it. All of it; less only if a part was sent and then it failed. One of no bytes is made too.
/// Never raises SIGPIPE.
ssize_t send(int fd, const void* buffer, std::size_t size, int flags = 0, std::uint64_t deadline = kNever);
/// Readiness as a completion: 0 when `fd` can be read (IORING_OP_POLL_ADD).
int poll_readable(int fd, std::uint64_t deadline = kNever);

/// One send of `size` bytes at most, by which send() is made; perhaps it takes less.
Request send_request(int fd, const void* buffer, std::size_t size, int flags, std::uint64_t deadline);
Request cancel_request(const InFlight& operation);

}  // namespace uring

}  // namespace fiberscope::lab05
