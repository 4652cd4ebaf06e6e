// Given, step 5.8: operations in flight, their recording, and the single calls.
#include "labs/05_epoll_io/beyond/uring/uring.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <exception>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "labs/04_scheduler/machines.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/report/abort.h"
#include "labs/kit/run/details.h"
#include "labs/kit/run/known_code.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"
#include "languages/spoken_error.h"
#include "traces/record/recorder.h"

namespace fiberscope::lab05 {

namespace {

constexpr Text kCompletion = fiberscope::mark("the completion of {0}");
constexpr std::size_t kOperation = kCompletion.english.size() + 1;  // where its value begins

std::uint64_t number_of(const void* object) noexcept { return reinterpret_cast<std::uint64_t>(object); }

}  // namespace

// ---- operations -----------------------------------------------------------------------------------------------------

InFlight::InFlight(UringSource& source, const Request& request)
    : source_(source), task_(lab04::running_task()), op_(request.op), fd_(request.fd), deadline_(request.deadline) {
    if (locals_move())
        throw std::logic_error(
            "io_uring needs a task with a stack of its own: on a shared stack the kernel would write into the frames "
            "of another task");
    put_words();
    if (trace::recording() && kit::records_details()) record(trace::IoPhase::call);
    source_.submitted_.push_back(this);
    ++source_.other_listeners_;
}

// Without printf, for every operation: a task's stack may be small, and printf is slow.
void InFlight::put_words() noexcept {
    constexpr std::string_view kOn = " on fd ";
    const std::string_view op = std::string_view(op_).substr(0, 16);
    char* end = std::copy(kCompletion.english.begin(), kCompletion.english.end(), words_);
    *end++ = '\t';
    end = std::copy(op.begin(), op.end(), end);
    if (fd_ >= 0) end = std::to_chars(std::copy(kOn.begin(), kOn.end(), end), words_ + sizeof words_ - 1, fd_).ptr;
    *end = '\0';
}

InFlight::~InFlight() {
    if (!done_ && std::uncaught_exceptions() == 0)
        kit::abort_because(message("task '{0}' does not wait for {1}: the kernel still has it, and its buffer",
                                   task_.core().name(), Value::of(words_)));
    if (!done_) source_.release(*this);
    if (trace::recording()) record(result_ < 0 ? trace::IoPhase::error : trace::IoPhase::done);
}

void InFlight::record(trace::IoPhase phase) const {
    const bool failed = phase == trace::IoPhase::error, is_done = phase == trace::IoPhase::done;
    trace::record(kit::now(),
                  trace::io_event(task_.core().id(), fd_, phase, trace::Want::none,
                                  deadline_ == kNever ? trace::kAbsent : kit::in_trace(deadline_),
                                  is_done ? result_ : trace::kAbsent,
                                  failed ? static_cast<std::uint32_t>(-result_) : trace::kNone),
                  op_);
}

Wake InFlight::park(std::uint64_t deadline) {
    const int error_before = last_error();
    if (trace::recording()) record(trace::IoPhase::block);
    const Wake woken = lab04::park_for(words_, kit::time_left(deadline));
    if (trace::recording() && !done_ && woken != Wake::event)
        record(woken == Wake::timeout ? trace::IoPhase::timeout : trace::IoPhase::cancel);
    set_last_error(error_before);
    return woken;
}

void InFlight::settle(int result) {
    result_ = result;
    done_ = true;
    --source_.other_listeners_;
    std::erase(source_.submitted_, this);
    if (std::exchange(handed_over_, false) && trace::recording())
        source_.kernels_.removed(kit::item_of(task_), std::string(words_ + kOperation));
}

void InFlight::land(int result) KIT_UNCHECKED {
    source_.tells_other();
    settle(result);
    task_.sched->shared().wake_and_tell(task_, Wake::event, lab04::Cause::event);
}

// ---- the source -----------------------------------------------------------------------------------------------------

UringSource::UringSource(Ring& ring)
    : lab04::EventSource(&kKind),
      ring_(ring),
      kernels_("in the kernel's hands", trace::Role::wait, trace::Structure::map, "operation") {}

void UringSource::enter(unsigned at_least, std::uint64_t until) {
    for (InFlight* one : submitted_) {
        if (!trace::recording()) break;
        one->handed_over_ = true;
        kernels_.inserted(kit::item_of(one->task_), std::string(one->words_ + kOperation));
    }
    submitted_.clear();
    ring_.enter(at_least, until);
}

// The task is being unwound: it cannot park, and the other waiting tasks have been or will be unwound too.
void UringSource::release(InFlight& operation) {
    io_uring_sqe& cancel = next_sqe();
    cancel.opcode = IORING_OP_ASYNC_CANCEL;
    cancel.fd = -1;
    cancel.addr = number_of(&operation);
    while (!operation.done_) {
        enter(1, kNever);
        for (const io_uring_cqe* here; (here = ring_.peek()) != nullptr; ring_.seen())
            if (here->user_data != 0) reinterpret_cast<InFlight*>(here->user_data)->settle(here->res);
    }
}

void UringSource::watch(int fd, Want) {
    throw Spoken<std::logic_error>(
        message("io_uring reports completions, not readiness: wait for fd {0} by uring::recv and the like", fd));
}

bool UringSource::expects_any() const { return !submitted_.empty() || ring_.expects_any(in_flight()); }

void UringSource::shared_by(lab04::WorkerPool* loop) {
    if (loop != nullptr) throw std::logic_error("a ring of io_uring is used by one thread: one machine");
}

UringSource& UringSource::here() {
    lab04::Scheduler* scheduler = lab04::Scheduler::here();
    if (scheduler == nullptr || scheduler->source().kind() != &kKind)
        throw std::logic_error("this scheduler's source of events is no io_uring");
    return static_cast<UringSource&>(scheduler->source());
}

// ---- the calls ------------------------------------------------------------------------------------------------------

namespace uring {

int accept(int fd, std::uint64_t deadline) {
    return UringSource::here().perform(
        {.op = "accept", .opcode = IORING_OP_ACCEPT, .fd = fd, .flags = SOCK_CLOEXEC, .deadline = deadline});
}

int connect(int fd, const sockaddr* peer, socklen_t size, std::uint64_t deadline) {
    return UringSource::here().perform({.op = "connect",
                                        .opcode = IORING_OP_CONNECT,
                                        .fd = fd,
                                        .address = number_of(peer),
                                        .off = size,
                                        .deadline = deadline});
}

namespace {

/// The SQE's field has 32 bits.
std::uint32_t size_in_sqe(std::size_t size) noexcept {
    constexpr std::size_t kMost = std::size_t{1} << 30U;
    return static_cast<std::uint32_t>(std::min(size, kMost));
}

}  // namespace

ssize_t recv(int fd, void* buffer, std::size_t size, int flags, std::uint64_t deadline) {
    return UringSource::here().perform({.op = "recv",
                                        .opcode = IORING_OP_RECV,
                                        .fd = fd,
                                        .address = number_of(buffer),
                                        .size = size_in_sqe(size),
                                        .flags = static_cast<std::uint32_t>(flags),
                                        .deadline = deadline});
}

Request send_request(int fd, const void* buffer, std::size_t size, int flags, std::uint64_t deadline) {
    return {.op = "send",
            .opcode = IORING_OP_SEND,
            .fd = fd,
            .address = number_of(buffer),
            .size = size_in_sqe(size),
            .flags = static_cast<std::uint32_t>(flags | MSG_NOSIGNAL),
            .deadline = deadline};
}

Request cancel_request(const InFlight& operation) {
    return {.op = "cancel", .opcode = IORING_OP_ASYNC_CANCEL, .fd = -1, .address = number_of(&operation)};
}

int poll_readable(int fd, std::uint64_t deadline) {
    const int ready = UringSource::here().perform(
        {.op = "poll", .opcode = IORING_OP_POLL_ADD, .fd = fd, .flags = POLLIN, .deadline = deadline});
    return std::min(ready, 0);
}

}  // namespace uring

namespace {

constexpr kit::CodeRow kUringCode[] = {
    {"program", "", "5.8", "beyond/uring/exercise/uring.cpp", "", "", "uring"},
    {"waiting", kCompletion.english, "5.8", "beyond/uring/exercise/uring.cpp", "int UringSource::perform("},
};
const kit::KnownCode uring_code("05_epoll_io", kUringCode);

}  // namespace

}  // namespace fiberscope::lab05
