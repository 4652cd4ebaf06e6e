// Step 5.8, a challenge: io_uring as an event source. epoll reports that a call can be tried; io_uring executes the
// call, and reports its result. The task is parked in between, and its buffer belongs to the kernel.
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

/// An operation that a task requests from the kernel; the fields are those of an SQE.
struct Request {
    const char* op;                   ///< name in traces, such as "recv"
    std::uint8_t opcode;              ///< IORING_OP_RECV
    int fd;                           ///< -1: none
    std::uint64_t address = 0;        ///< of a buffer or a socket address, or the user_data of the operation to cancel
    std::uint32_t size = 0;           ///< bytes of the buffer
    std::uint64_t off = 0;            ///< for a connect: size of the address
    std::uint32_t flags = 0;          ///< msg_flags
    std::uint64_t deadline = kNever;  ///< ns of the kit's clock, after which it is cancelled
};

class UringSource;

/// Given. An operation in flight. It is on the stack of the waiting task, and its address is the user_data that
/// identifies its completion. So it must outlive the completion: a task that leaves it earlier aborts the program with
/// a message. If the task is unwound, the destructor cancels the operation and blocks the thread until the kernel has
/// finished with it.
class InFlight {
  public:
    /// For the running task. Throws std::logic_error if the task is on a shared stack (lab 03): the kernel would write
    /// into other tasks' frames.
    InFlight(UringSource& source, const Request& request);
    ~InFlight();
    InFlight(const InFlight&) = delete;
    InFlight& operator=(const InFlight&) = delete;

    bool done() const noexcept { return done_; }
    /// The result after completion: that of the call, or a negated errno such as -ECONNRESET.
    int result() const noexcept { return result_; }
    /// Parks the task until completion (event), `deadline` (ns; timeout) or lab04::cancel (cancelled). May also return
    /// `event` spuriously if another task has called lab04::wake.
    Wake park(std::uint64_t deadline = kNever);
    /// Stores the result of the completion, and wakes the task.
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

/// Completions as an event source of lab 04's scheduler, with one machine. Its ring must outlive it. Tasks wait by the
/// calls below; lab04::wait_for, which waits for readiness, throws std::logic_error.
class UringSource : public lab04::EventSource {
  public:
    explicit UringSource(Ring& ring);

    // ---- written by the student (step 5.8) --------------------------------------------------------------------------

    /// Returns a free SQE. If the ring is full, submits its contents first, without waiting.
    io_uring_sqe& next_sqe();
    /// Fills an SQE with the request, and `operation`'s address as its user_data. Makes no system call: the loop
    /// submits it together with those of the other tasks.
    void submit(const Request& request, InFlight& operation);
    /// Submits the request, parks until completion, and returns the result of the call: -1 with errno if it failed. A
    /// cancelled task gets ECANCELED, and one whose deadline has passed ETIMEDOUT; but not before the kernel has
    /// released the buffer, and not if the operation was completed nevertheless.
    int perform(const Request& request);
    /// Requests the cancellation of `operation` (IORING_OP_ASYNC_CANCEL), and parks until both are completed: the
    /// operation, with any result, and the cancel. Nothing else ends this wait.
    void let_go(InFlight& operation);
    /// Lands each operation with an available completion, and releases the slots. Makes no system call.
    void reap();
    /// EventSource::wait with a single enter(): submits the operations of all tasks, and waits for a completion or
    /// `until`. reap() wakes the tasks; no Event is returned.
    std::span<Event> wait(std::uint64_t until) override;

    // ---- given ------------------------------------------------------------------------------------------------------

    /// Ring::enter, recorded: submitted operations now belong to the kernel.
    void enter(unsigned at_least, std::uint64_t until);
    Ring& ring() noexcept { return ring_; }
    /// Operations that have not landed.
    std::size_t in_flight() const noexcept { return other_listeners_; }

    void watch(int fd, Want want) override;
    void unwatch(int, Want) override {}
    bool expects_any() const override;
    void shared_by(lab04::WorkerPool* loop) override;

    /// Returns the event source of this thread's scheduler. Throws std::logic_error if it is not a UringSource.
    static UringSource& here();

  private:
    friend class InFlight;
    static constexpr char kKind = 0;  // its address identifies the class
    void release(InFlight& operation);

    Ring& ring_;
    std::vector<InFlight*> submitted_;  ///< since the last enter
    kit::RecordedSet kernels_;
};

/// Calls for tasks of a UringSource. Results and errno are those of the functions of the same names; ETIMEDOUT at the
/// deadline. Sockets must be blocking (no O_NONBLOCK); otherwise the kernel returns EAGAIN instead of waiting. The
/// buffer must outlive the call, and must not be on a shared stack. The call continues if another task closes the
/// descriptor: cancel the waiting task.
namespace uring {

int accept(int fd, std::uint64_t deadline = kNever);
int connect(int fd, const sockaddr* peer, socklen_t size, std::uint64_t deadline = kNever);
ssize_t recv(int fd, void* buffer, std::size_t size, int flags = 0, std::uint64_t deadline = kNever);
/// 5.8, written by the student. Sends everything; returns less only if an error follows a partial write. Also submits
/// an empty send. Never raises SIGPIPE.
ssize_t send(int fd, const void* buffer, std::size_t size, int flags = 0, std::uint64_t deadline = kNever);
/// Readiness as a completion: completes with 0 when `fd` is readable (IORING_OP_POLL_ADD).
int poll_readable(int fd, std::uint64_t deadline = kNever);

/// A single send of at most `size` bytes, possibly partial; used by send().
Request send_request(int fd, const void* buffer, std::size_t size, int flags, std::uint64_t deadline);
Request cancel_request(const InFlight& operation);

}  // namespace uring

}  // namespace fiberscope::lab05
