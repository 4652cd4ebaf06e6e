// The kernel's ring of step 5.8, based on liburing. Without that library there is none, and the lab reports it.
#include "labs/05_epoll_io/beyond/uring/ring.h"

#ifdef FIBERSCOPE_LIBURING
#include <liburing.h>
#endif

#include <cerrno>
#include <stdexcept>
#include <system_error>

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"
#include "languages/spoken_error.h"

namespace fiberscope::lab05 {

#ifdef FIBERSCOPE_LIBURING

namespace {

/// Returns 0, or a negated errno. If the kernel supports it (6.1), completions are written only while this thread is in
/// enter(), not by interrupts.
int make(io_uring& ring, unsigned entries) noexcept {
    io_uring_params params{};
#ifdef IORING_SETUP_DEFER_TASKRUN
    params.flags = IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN | IORING_SETUP_TASKRUN_FLAG;
    if (io_uring_queue_init_params(entries, &ring, &params) == 0) return 0;
#endif
    params = {};
    const int error = io_uring_queue_init_params(entries, &ring, &params);
    if (error != 0) return error;
    if ((params.features & IORING_FEAT_EXT_ARG) != 0) return 0;  // a wait with a time limit, since Linux 5.11
    io_uring_queue_exit(&ring);
    return -ENOSYS;
}

class KernelRing : public Ring {
  public:
    explicit KernelRing(unsigned entries) {
        if (const int error = make(ring_, entries); error != 0)
            throw std::system_error(-error, std::generic_category(), "cannot make a ring");
    }
    ~KernelRing() override { io_uring_queue_exit(&ring_); }
    KernelRing(const KernelRing&) = delete;
    KernelRing& operator=(const KernelRing&) = delete;

    io_uring_sqe* next_sqe() override {
        io_uring_sqe* sqe = io_uring_get_sqe(&ring_);
        if (sqe != nullptr) *sqe = {};
        return sqe;
    }
    void enter(unsigned at_least, std::uint64_t until) override {
        const bool is_there = io_uring_sq_ready(&ring_) == 0 && io_uring_cq_ready(&ring_) >= at_least;
        if (is_there && !kernel_holds_any()) return;
        count();
        const int error = ask(at_least, until);
        if (error >= 0 || error == -ETIME || error == -EINTR || error == -EAGAIN || error == -EBUSY) return;
        throw std::system_error(-error, std::generic_category(), "io_uring_enter");
    }
    const io_uring_cqe* peek() override {
        if (io_uring_cq_ready(&ring_) == 0) {
            if (!kernel_holds_any()) return nullptr;
            count();
            io_uring_get_events(&ring_);
            if (io_uring_cq_ready(&ring_) == 0) return nullptr;
        }
        io_uring_cqe* cqe = nullptr;
        return io_uring_peek_cqe(&ring_, &cqe) == 0 ? cqe : nullptr;  // no system call if one is available
    }
    void seen() override { io_uring_cq_advance(&ring_, 1); }

  private:
    /// Completions that need a system call: they did not fit into the ring, or are written by this thread only.
    bool kernel_holds_any() const noexcept {
        return (__atomic_load_n(ring_.sq.kflags, __ATOMIC_RELAXED) & (IORING_SQ_CQ_OVERFLOW | IORING_SQ_TASKRUN)) != 0;
    }
    void count() noexcept {
        ++enters_;
        ++call_counts().io_uring_enter;
    }
    int ask(unsigned at_least, std::uint64_t until) {
        if (at_least == 0) return io_uring_submit_and_get_events(&ring_);
        if (until == kit::kNever) return io_uring_submit_and_wait(&ring_, at_least);
        const timespec time = kit::timespec_of(kit::time_left(until));
        __kernel_timespec limit{time.tv_sec, time.tv_nsec};
        io_uring_cqe* first = nullptr;
        return io_uring_submit_and_wait_timeout(&ring_, &first, at_least, &limit, nullptr);
    }

    io_uring ring_{};
};

}  // namespace

std::string why_no_ring() {
    io_uring ring;
    const int error = make(ring, 2);
    if (error != 0)
        return message("this kernel refuses io_uring ({0})", Value::of(std::generic_category().message(-error)));
    io_uring_queue_exit(&ring);
    return "";
}

#else

std::string why_no_ring() { return message("this program was built without liburing 2.3"); }

#endif

std::unique_ptr<Ring> kernel_ring([[maybe_unused]] unsigned entries) {
    if (const std::string why = why_no_ring(); !why.empty()) throw SpokenError(why);
#ifdef FIBERSCOPE_LIBURING
    if (kit::clock_kind() == kit::ClockKind::virtual_)
        throw std::logic_error("the kernel's ring needs the monotonic clock");
    return std::make_unique<KernelRing>(entries);
#else
    return nullptr;
#endif
}

}  // namespace fiberscope::lab05
