// Given, step 5.8: the two rings that a program shares with the kernel, and a simulated kernel for the virtual clock.
#pragma once

#include <linux/io_uring.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "labs/kit/time/never.h"

namespace fiberscope::lab05 {

/// Submissions (SQEs) go to the kernel in one ring, completions (CQEs) come back in the other. Single-threaded.
class Ring {
  public:
    virtual ~Ring() = default;

    /// Returns the next free SQE, zeroed; the next enter() submits it. Returns null if the submission ring is full.
    /// io_uring_get_sqe.
    virtual io_uring_sqe* next_sqe() = 0;
    /// The system call io_uring_enter: submits all SQEs, and waits until at least `at_least` completions are available
    /// or the clock reaches `until` (ns; kNever: no limit). A signal may end the wait earlier. Makes no system call if
    /// there is nothing to submit, to wait for or to fetch. Throws std::system_error if the kernel fails.
    virtual void enter(unsigned at_least, std::uint64_t until) = 0;
    /// Returns the oldest available completion, valid until seen(); null if there is none. Makes no system call, unless
    /// the ring has overflowed: then the kernel has kept the completions that did not fit. io_uring_peek_cqe.
    virtual const io_uring_cqe* peek() = 0;
    /// Releases the slot of peek()'s completion to the kernel. io_uring_cqe_seen.
    virtual void seen() = 0;
    /// Whether a completion can still arrive, given `in_flight` operations in the kernel.
    virtual bool expects_any(std::size_t in_flight) const { return in_flight > 0; }
    /// Number of system calls made by enter() and peek().
    std::uint64_t enters() const noexcept { return enters_; }

  protected:
    std::uint64_t enters_ = 0;
};

/// Returns why this process cannot create a ring: "this kernel refuses io_uring (Operation not permitted)". Empty if it
/// can.
std::string why_no_ring();
/// Creates a ring of the kernel by liburing, with capacity for this many submissions; for the monotonic clock only.
/// Throws std::runtime_error with why_no_ring().
std::unique_ptr<Ring> kernel_ring(unsigned entries);

/// A ring without a kernel: incoming data is planned beforehand, as with lab 04's SimulatedSource, and each operation
/// takes some time of the kit's clock. Like the kernel, it accesses a buffer at any time until the completion; and a
/// cancelled operation completes after the cancel.
class SimulatedRing : public Ring {
  public:
    explicit SimulatedRing(unsigned entries = 64) : entries_(entries) {}

    static constexpr std::uint64_t kSending = 1'000;     ///< ns, for a send or connect
    static constexpr std::uint64_t kCancelling = 2'000;  ///< ns, for a cancel
    static constexpr std::uint64_t kLettingGo =
        1'000;  ///< ns, from a cancel to the completion of the cancelled operation

    /// `at`: ns of the kit's clock. A recv returns at most one message.
    void arrives(int fd, std::string message, std::uint64_t at);
    /// The peer closes: recv returns 0 after the earlier data.
    void ends(int fd, std::uint64_t at) { arrives(fd, "", at); }
    /// An accept on `listener` returns `fd`.
    void connects(int listener, int fd, std::uint64_t at);
    /// Limits the size of one send on `fd`.
    void has_room(int fd, std::size_t bytes) { room_[fd] = bytes; }
    /// Sends and connects on `fd` fail with this errno.
    void fails(int fd, int error) { broken_[fd] = error; }
    const std::string& sent(int fd) { return sent_[fd]; }
    /// Number of operations in flight.
    std::size_t has() const noexcept { return working_.size(); }

    io_uring_sqe* next_sqe() override;
    void enter(unsigned at_least, std::uint64_t until) override;
    const io_uring_cqe* peek() override;
    void seen() override;
    bool expects_any(std::size_t in_flight) const override;

  private:
    using Working = std::pair<std::uint64_t, io_uring_sqe>;  ///< start time in ns, and operation
    struct Coming {
        std::uint64_t at;
        std::string message;
        int fd = -1;  ///< for an accept: the connection
    };

    std::uint64_t due(const Working& one) const;
    void work_off(std::uint64_t now);
    void finish(const io_uring_sqe& sqe);
    int result_of(const io_uring_sqe& sqe);
    int receive(const io_uring_sqe& sqe);
    int send(const io_uring_sqe& sqe);
    int cancel(std::uint64_t operation);
    void complete(std::uint64_t operation, int result);

    unsigned entries_;
    std::vector<io_uring_sqe> prepared_;
    std::vector<Working> working_;  // in order of submission
    std::deque<io_uring_cqe> completed_;
    std::map<int, std::deque<Coming>> coming_;  // by descriptor, ordered by time
    std::map<int, std::size_t> room_;
    std::map<int, int> broken_;
    std::map<int, std::string> sent_;
};

}  // namespace fiberscope::lab05
