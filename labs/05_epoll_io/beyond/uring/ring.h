// Step 5.8, given: the two rings that a program shares with the kernel, and a kernel in miniature for the virtual
// clock.
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

/// Submissions (SQEs) go to the kernel in one ring, completions (CQEs) come back in the other. Used by one thread.
class Ring {
  public:
    virtual ~Ring() = default;

    /// The next free SQE, all of it 0; it is handed over by the next enter(). Null: the ring of submissions is full.
    /// io_uring_get_sqe.
    virtual io_uring_sqe* next_sqe() = 0;
    /// The system call io_uring_enter: hands over all SQEs, and waits until `at_least` completions are there or the
    /// clock says `until` (ns; kNever: no limit). A signal may end it earlier. No system call if there is nothing to
    /// hand over, to wait for or to fetch. Throws std::system_error where the kernel refuses.
    virtual void enter(unsigned at_least, std::uint64_t until) = 0;
    /// The oldest completion that is there, valid until seen(); null if there is none. No system call, unless the ring
    /// has overflowed: then the kernel has kept what did not fit. io_uring_peek_cqe.
    virtual const io_uring_cqe* peek() = 0;
    /// Gives the place of peek()'s completion back to the kernel. io_uring_cqe_seen.
    virtual void seen() = 0;
    /// Whether a completion can still come, of `in_flight` operations that the kernel has.
    virtual bool expects_any(std::size_t in_flight) const { return in_flight > 0; }
    /// How many system calls enter() and peek() have made.
    std::uint64_t enters() const noexcept { return enters_; }

  protected:
    std::uint64_t enters_ = 0;
};

/// Why this process can have no ring, as a sentence: "this kernel refuses io_uring (Operation not permitted)". Empty if
/// it can.
std::string why_no_ring();
/// The kernel's, by liburing, with room for so many submissions; the monotonic clock only. Throws std::runtime_error
/// with why_no_ring().
std::unique_ptr<Ring> kernel_ring(unsigned entries);

/// A ring without a kernel: what comes to a descriptor is arranged before, as with lab 04's SimulatedSource, and each
/// operation takes its time by the kit's clock. As the kernel does, it reads from a buffer and writes into it when it
/// pleases, until the completion; and what was cancelled completes behind the cancel.
class SimulatedRing : public Ring {
  public:
    explicit SimulatedRing(unsigned entries = 64) : entries_(entries) {}

    static constexpr std::uint64_t kSending = 1'000;     ///< ns, of a send or connect
    static constexpr std::uint64_t kCancelling = 2'000;  ///< ns, of a cancel
    static constexpr std::uint64_t kLettingGo = 1'000;   ///< ns, of what was cancelled, from then on

    /// `at`: ns of the kit's clock. A recv takes of one message at most.
    void arrives(int fd, std::string message, std::uint64_t at);
    /// The peer ends: recv gets 0 behind what came before.
    void ends(int fd, std::uint64_t at) { arrives(fd, "", at); }
    /// An accept of `listener` gets `fd`.
    void connects(int listener, int fd, std::uint64_t at);
    /// The most that one send of `fd` takes.
    void has_room(int fd, std::size_t bytes) { room_[fd] = bytes; }
    /// Sends and connects of `fd` fail with this errno.
    void fails(int fd, int error) { broken_[fd] = error; }
    const std::string& sent(int fd) { return sent_[fd]; }
    /// How many operations it has.
    std::size_t has() const noexcept { return working_.size(); }

    io_uring_sqe* next_sqe() override;
    void enter(unsigned at_least, std::uint64_t until) override;
    const io_uring_cqe* peek() override;
    void seen() override;
    bool expects_any(std::size_t in_flight) const override;

  private:
    using Working = std::pair<std::uint64_t, io_uring_sqe>;  ///< ns: since when
    struct Coming {
        std::uint64_t at;
        std::string message;
        int fd = -1;  ///< of a connection
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
    std::map<int, std::deque<Coming>> coming_;  // by descriptor, in order of time
    std::map<int, std::size_t> room_;
    std::map<int, int> broken_;
    std::map<int, std::string> sent_;
};

}  // namespace fiberscope::lab05
