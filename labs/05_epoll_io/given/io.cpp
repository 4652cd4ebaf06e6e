// Given: the C library's functions, counters, errno, and the transitions to the scheduler and back.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <concepts>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

#include "labs/05_epoll_io/epoller.h"
#include "labs/05_epoll_io/hook.h"
#include "labs/05_epoll_io/io.h"
#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/memory/sanitizer.h"
#include "labs/kit/run/details.h"
#include "labs/kit/run/known_code.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"
#include "languages/say.h"
#include "traces/record/recorder.h"

namespace fiberscope::lab05 {

namespace {

// ThreadSanitizer tracks every descriptor, so it must see all calls; its builds have no hook.
template <class Function>
void find(Function*& function, const char* name) noexcept {
    function = reinterpret_cast<Function*>(dlsym(kit::kUnderTsan ? RTLD_DEFAULT : RTLD_NEXT, name));
}

SystemCalls find_all() noexcept {
    SystemCalls calls{};
    find(calls.socket, "socket");
    find(calls.connect, "connect");
    find(calls.accept4, "accept4");
    find(calls.read, "read");
    find(calls.readv, "readv");
    find(calls.preadv2, "preadv2");
    find(calls.pwritev2, "pwritev2");
    find(calls.recvfrom, "recvfrom");
    find(calls.recvmsg, "recvmsg");
    find(calls.write, "write");
    find(calls.writev, "writev");
    find(calls.sendto, "sendto");
    find(calls.sendmsg, "sendmsg");
    find(calls.poll, "poll");
    find(calls.close, "close");
    find(calls.fclose, "fclose");
    find(calls.fopen, "fopen");
    find(calls.freopen, "freopen");
    find(calls.popen, "popen");
    find(calls.pclose, "pclose");
    find(calls.opendir, "opendir");
    find(calls.closedir, "closedir");
    find(calls.close_range, "close_range");
    find(calls.eventfd, "eventfd");
    find(calls.epoll_create1, "epoll_create1");
    find(calls.timerfd_create, "timerfd_create");
    find(calls.pipe2, "pipe2");
    find(calls.socketpair, "socketpair");
    find(calls.openat, "openat");
    find(calls.fcntl, "fcntl");
    find(calls.ioctl, "ioctl");
    find(calls.getsockopt, "getsockopt");
    find(calls.setsockopt, "setsockopt");
    find(calls.dup, "dup");
    find(calls.dup2, "dup2");
    find(calls.dup3, "dup3");
    find(calls.sleep, "sleep");
    find(calls.usleep, "usleep");
    find(calls.nanosleep, "nanosleep");
    find(calls.getenv, "getenv");
    find(calls.setenv, "setenv");
    return calls;
}

}  // namespace

const SystemCalls& system_calls() noexcept {
    static const SystemCalls calls = find_all();
    return calls;
}

namespace {

void add(CallCounts& sum, const CallCounts& more) noexcept {
    sum.io += more.io;
    sum.would_block += more.would_block;
    sum.epoll_ctl += more.epoll_ctl;
    sum.epoll_wait += more.epoll_wait;
    sum.io_uring_enter += more.io_uring_enter;
}

std::mutex ended_mutex;
CallCounts of_ended_threads;

struct CountsOfThread {
    CallCounts counts;
    ~CountsOfThread() {
        const std::lock_guard lock(ended_mutex);
        add(of_ended_threads, counts);
    }
};

}  // namespace

[[gnu::noinline]] CallCounts& call_counts() noexcept {
    static thread_local CountsOfThread of_this_thread;
    return of_this_thread.counts;
}

CallCounts all_call_counts() {
    const std::lock_guard lock(ended_mutex);
    CallCounts all = of_ended_threads;
    add(all, call_counts());
    return all;
}

namespace {
[[gnu::noinline]] int error_of_the_library() noexcept { return errno; }
[[gnu::noinline]] void set_error_of_the_library(int error) noexcept { errno = error; }
}  // namespace

// Uses the address of errno kept in kit::thread_state(), if the thread is attached: under load, the C library's
// thread-local page is not in a near cache.
int last_error() noexcept {
    const int* const error = kit::thread_state().error;
    return error != nullptr ? *error : error_of_the_library();
}

void set_last_error(int error) noexcept {
    int* const own = kit::thread_state().error;
    own != nullptr ? static_cast<void>(*own = error) : set_error_of_the_library(error);
}

bool locals_move() { return lab04::running_task().backend->shares_stack; }

std::uint64_t deadline_after(std::uint64_t ns) noexcept { return kit::plus(kit::now(), ns); }

bool waits_for_all(int fd, int flags) noexcept {
    if ((flags & (MSG_WAITALL | MSG_PEEK)) != MSG_WAITALL) return false;
    int type = 0;
    socklen_t size = sizeof type;
    const int error_before = last_error();
    const bool known = system_calls().getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0;
    set_last_error(error_before);
    return known && type == SOCK_STREAM;
}

// ---- recording ------------------------------------------------------------------------------------------------------

namespace {

std::int64_t in_trace(std::uint64_t deadline) noexcept {
    return deadline == kNever ? trace::kAbsent : kit::in_trace(deadline);
}

void record(const IoCall& call, trace::IoPhase phase, std::int64_t result = trace::kAbsent, int error = 0) noexcept {
    const std::uint32_t co = kit::this_thread().current->id();
    trace::record(kit::now(),
                  trace::io_event(co, call.fd, phase, call.want, in_trace(call.deadline), result,
                                  error == 0 ? trace::kNone : static_cast<std::uint32_t>(error)),
                  call.op);
}

trace::IoPhase phase_of(int ended) noexcept {
    return ended == 0 ? trace::IoPhase::ready : ended == ETIMEDOUT ? trace::IoPhase::timeout : trace::IoPhase::cancel;
}

int error_of(Wake woken) noexcept {
    return woken == Wake::timeout ? ETIMEDOUT : woken == Wake::cancelled ? ECANCELED : 0;
}

constexpr Text kAnyEvent = fiberscope::mark("an event on fd {0}"), kTimeOut = fiberscope::mark("its time-out");

/// Formats a message (languages/message.h); of many descriptors, only the first ones. Without printf, because a task's
/// stack may be small.
class ItemsInWords {
  public:
    explicit ItemsInWords(std::span<const PollItem> items) noexcept {
        put((items.empty() ? kTimeOut : kAnyEvent).english);
        for (const PollItem& item : items) {
            constexpr std::ptrdiff_t kLargest = 16;
            if (text_ + sizeof text_ - end_ < kLargest) break;
            put(&item == &items.front() ? "\t" : ", ");
            end_ = std::to_chars(end_, text_ + sizeof text_ - 1, item.fd).ptr;
        }
    }
    const char* text() const noexcept { return text_; }

  private:
    void put(std::string_view words) noexcept { end_ = std::copy(words.begin(), words.end(), end_); }

    char text_[80]{};
    char* end_ = text_;
};

}  // namespace

int wait_until_ready(const IoCall& call) {
    const int error_before = last_error();
    ++call_counts().would_block;
    const std::uint64_t limit = kit::time_left(call.deadline);
    if (limit == 0) return ETIMEDOUT;
    EpollSource* source = EpollSource::here();
    const std::uint32_t closings = source == nullptr ? 0 : source->closings(call.fd);
    if (trace::recording()) record(call, trace::IoPhase::block);
    const lab04::Wake woken = lab04::wait_for(call.fd, call.want, limit);
    int ended = error_of(woken);
    if (source != nullptr && source->closings(call.fd) != closings) ended = EBADF;
    if (trace::recording()) record(call, phase_of(ended));
    set_last_error(error_before);
    return ended;
}

int wait_until_any(std::span<const PollItem> items, std::uint64_t deadline) {
    const int error_before = last_error();
    const std::uint64_t limit = kit::time_left(deadline);
    if (limit == 0) return ETIMEDOUT;
    const auto tell = [&](trace::IoPhase phase) {
        if (!trace::recording()) return;
        const HeldHere held;  // an event may arrive on another machine
        for (const PollItem& item : items)
            if (phase != trace::IoPhase::ready || item.came)
                record({"poll", item.fd, (item.events & EPOLLIN) != 0 ? Want::read : Want::write, deadline}, phase);
    };
    tell(trace::IoPhase::block);
    const ItemsInWords words(items);
    const lab04::Wake woken = lab04::park_for(words.text(), limit);
    const int ended = error_of(woken);
    tell(phase_of(ended));
    set_last_error(error_before);
    return ended;
}

int tell_closed(std::span<const PollItem> items, pollfd* fds) {
    int closed = 0;
    for (const PollItem& item : items) {
        while (fds->fd < 0) ++fds;
        fds->revents = item.closed ? POLLNVAL : 0;
        closed += item.closed ? 1 : 0;
        ++fds;
    }
    return closed;
}

long while_queue_is_full(int fd, std::uint64_t deadline, Attempt connect) {
    constexpr std::uint64_t kPause = kit::kMillisecond;
    EpollSource* source = EpollSource::here();
    const std::uint32_t closings = source == nullptr ? 0 : source->closings(fd);
    for (;;) {
        const long result = connect();
        if (result != kQueueFull) return result;
        const std::uint64_t left = kit::time_left(deadline);
        int ended = left == 0 ? ETIMEDOUT : 0;
        if (ended == 0 && lab04::sleep_for(std::min(kPause, left)) == Wake::cancelled) ended = ECANCELED;
        if (source != nullptr && source->closings(fd) != closings) ended = EBADF;
        if (ended == 0) continue;
        set_last_error(ended);
        return -1;
    }
}

namespace {

/// Whether a short read means that no data is left. Not for a terminal, which may be configured to return without data
/// (VMIN 0), so that a wait would never end; nor for an eventfd or similar, where too small a size fails immediately.
bool may_be_drained(int fd) {
    if (fd < 0) return false;
    const HookedDescriptor descriptor = hooked_descriptor(fd);
    return descriptor.kind == HookedDescriptor::Kind::socket || (descriptor.takes_nowait && descriptor.least == 0);
}

// Read again: on several machines the task may now be on another one with another source.
void note_read(const IoCall& call, long result) {
    const int error = last_error();
    if (EpollSource* source = EpollSource::here())
        source->set_drained(call.fd, result > 0 && static_cast<std::size_t>(result) < call.size);
    set_last_error(error);
}

}  // namespace

long perform(const IoCall& call, Attempt attempt) {
    const int error_before = last_error();
    const bool recorded = trace::recording() && call.fd >= 0;
    if (recorded && kit::records_details()) record(call, trace::IoPhase::call);
    EpollSource* const reads = call.size != 0 && may_be_drained(call.fd) ? EpollSource::here() : nullptr;
    bool too_early = reads != nullptr && reads->drained(call.fd);
    const auto counted = [&attempt, &too_early]() -> long {
        if (std::exchange(too_early, false)) {
            set_last_error(EAGAIN);
            return -1;
        }
        ++call_counts().io;
        return attempt();
    };
    const long result = until_done(call, counted);
    if (reads != nullptr) note_read(call, result);
    if (recorded) {
        const int error = result < 0 ? last_error() : 0;
        record(call, result < 0 ? trace::IoPhase::error : trace::IoPhase::done, result < 0 ? trace::kAbsent : result,
               error);
        if (error != 0) set_last_error(error);
    }
    if (result >= 0) set_last_error(error_before);
    return result;
}

namespace {

constexpr kit::CodeRow kIoCode[] = {
    {"program", "", "5.2", "exercise/io.cpp"},
    {"program", "", "5.1", "exercise/epoller.cpp", "", "", "edges"},
    {"program", "", "5.6", "exercise/servers.cpp", "", "", "clients"},
    {"program", "", "5.5", "exercise/hook.cpp", "", "", "hooked"},
    {"waiting", kAnyEvent.english, "5.3", "exercise/poll.cpp", "int io::poll("},
};
const kit::KnownCode io_code("05_epoll_io", kIoCode);

}  // namespace

}  // namespace fiberscope::lab05
