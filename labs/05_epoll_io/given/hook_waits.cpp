// The C library's names, as in hook_names.cpp: those that wait for time, for several descriptors, or for a child.
#include "labs/05_epoll_io/given/hook_numbers.h"
#include "labs/05_epoll_io/given/signals.h"
#include "labs/05_epoll_io/hook.h"
#include "labs/kit/memory/sanitizer.h"

namespace fiberscope::lab05 {
void names_that_wait() noexcept {}
}  // namespace fiberscope::lab05

#ifndef FIBERSCOPE_TSAN

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <map>
#include <vector>

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/machines/lock.h"
#include "labs/kit/time/clock.h"

extern "C" char** environ;  // NOLINT: the C library's

namespace fiberscope::lab05 {

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000, kMillisecond = 1'000'000;

bool is_legal(const timespec& time) noexcept {
    return time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec < static_cast<long>(kSecond);
}
std::uint64_t ns_of(const timespec& time) noexcept {
    return static_cast<std::uint64_t>(time.tv_sec) * kSecond + static_cast<std::uint64_t>(time.tv_nsec);
}
timespec timespec_of(std::uint64_t ns) noexcept {
    return {static_cast<time_t>(ns / kSecond), static_cast<long>(ns % kSecond)};
}
/// As poll(2) has it, rounded up; -1: no limit.
int ms_of(const timespec* time) noexcept {
    if (time == nullptr) return -1;
    return static_cast<int>(std::min<std::uint64_t>((ns_of(*time) + kMillisecond - 1) / kMillisecond, INT_MAX));
}

// ---- select: as a poll ----------------------------------------------------------------------------------------------

struct Sets {
    fd_set* read;
    fd_set* write;
    fd_set* other;
};
struct Wish {
    fd_set* Sets::*set;
    short asked;
    short told;
};
constexpr Wish kWishes[] = {{&Sets::read, POLLIN, POLLIN | POLLHUP | POLLERR},
                            {&Sets::write, POLLOUT, POLLOUT | POLLERR},
                            {&Sets::other, POLLPRI, POLLPRI}};

std::vector<pollfd> asked_of(int count, const Sets& sets) {
    std::vector<pollfd> asked;
    for (int fd = 0; fd < count; ++fd) {
        short events = 0;
        for (const Wish& wish : kWishes)
            if (fd_set* set = sets.*wish.set; set != nullptr && FD_ISSET(fd, set)) events |= wish.asked;
        if (events != 0) asked.push_back({fd, events, 0});
    }
    return asked;
}

int tell(const std::vector<pollfd>& asked, const Sets& sets) {
    int told = 0;
    for (const pollfd& one : asked)
        for (const Wish& wish : kWishes) {
            fd_set* set = sets.*wish.set;
            if (set == nullptr || !FD_ISSET(one.fd, set)) continue;
            if ((one.revents & wish.told) != 0)
                ++told;
            else
                FD_CLR(one.fd, set);
        }
    return told;
}

int select_by_poll(int count, const Sets& sets, int ms) {
    if (count < 0 || count > FD_SETSIZE) {
        set_last_error(EINVAL);
        return -1;
    }
    std::vector<pollfd> asked = asked_of(count, sets);
    if (io::poll(asked.data(), asked.size(), ms) < 0) return -1;
    const bool closed =
        std::any_of(asked.begin(), asked.end(), [](const pollfd& one) { return (one.revents & POLLNVAL) != 0; });
    if (closed) {
        set_last_error(EBADF);
        return -1;
    }
    return tell(asked, sets);
}

// ---- children -------------------------------------------------------------------------------------------------------

/// Until the child ends, by a descriptor that is readable then. False if there is none for it.
bool wait_by_descriptor(pid_t child) {
#ifdef SYS_pidfd_open
    const int fd = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
    if (as_new(fd) < 0) return false;
    pollfd one{fd, POLLIN, 0};
    const int ready = io::poll(&one, 1, -1);
    const int error = last_error();
    close(fd);
    set_last_error(error);
    return ready > 0;
#else
    return static_cast<void>(child), false;
#endif
}

/// Any child, or one that may be stopped: no descriptor tells of that, so it looks, ever less often.
class Looks {
  public:
    bool sleep() {
        const Wake woken = lab04::sleep_for(pause_);
        pause_ = std::min(2 * pause_, kLongest);
        return woken != Wake::cancelled;
    }

  private:
    static constexpr std::uint64_t kLongest = 20 * kMillisecond;
    std::uint64_t pause_ = kMillisecond;
};

/// `through_signals`: no handler ends it.
pid_t wait_for_child(pid_t child, int* status, int options, bool through_signals = false) {
    const SignalWait signals(true);
    for (Looks looks;;) {
        const bool signal_came = signals.came();
        const pid_t ended = system_calls().waitpid(child, status, options | WNOHANG);
        if (ended != 0 || (options & WNOHANG) != 0) return ended;
        if (signal_came && !through_signals) {
            set_last_error(EINTR);
            return -1;
        }
        if (child > 0 && (options & (WUNTRACED | WCONTINUED)) == 0 && wait_by_descriptor(child)) continue;
        if (looks.sleep()) continue;
        set_last_error(EINTR);
        return -1;
    }
}

/// The shell with `command`; `actions` may be null. -1 with errno.
pid_t spawn_shell(const char* command, const posix_spawn_file_actions_t* actions) {
    char shell[] = "sh", option[] = "-c";
    char* const words[] = {shell, option, const_cast<char*>(command), nullptr};
    pid_t child = -1;
    const int error = posix_spawn(&child, "/bin/sh", actions, nullptr, words, environ);
    if (error == 0) return child;
    set_last_error(error);
    return -1;
}

kit::Lock children_lock;

/// The children of streams that popen has made in hooked tasks.
std::map<std::FILE*, pid_t>& children() {
    static std::map<std::FILE*, pid_t> all;
    return all;
}

pid_t remove_child(std::FILE* stream) {
    const kit::Guard guard(children_lock);
    const auto found = children().find(stream);
    if (found == children().end()) return -1;
    const pid_t child = found->second;
    children().erase(found);
    return child;
}

/// `mine` is one end of a pipe, `its` becomes descriptor `as` of the child.
pid_t spawn_at_pipe(const char* command, int its, int as) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, its, as);
    const pid_t child = spawn_shell(command, &actions);
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

std::FILE* open_child(const char* command, const char* mode) {
    const bool reads = *mode == 'r';
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return nullptr;
    const int mine = ends[reads ? 0 : 1], its = ends[reads ? 1 : 0];
    const pid_t child = spawn_at_pipe(command, its, reads ? STDOUT_FILENO : STDIN_FILENO);
    close(its);
    std::FILE* const stream = child < 0 ? nullptr : fdopen(mine, reads ? "r" : "w");
    if (stream == nullptr) return close(mine), nullptr;
    const kit::Guard guard(children_lock);
    children()[stream] = child;
    return stream;
}

}  // namespace

}  // namespace fiberscope::lab05

using namespace fiberscope::lab05;  // NOLINT: what follows are C's names

extern "C" {

// ---- time -----------------------------------------------------------------------------------------------------------

int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* remaining) {
    const bool known = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME;
    if (!hooked() || !known || !is_legal(*time)) return system_calls().clock_nanosleep(clock, flags, time, remaining);
    std::uint64_t ns = ns_of(*time);
    if ((flags & TIMER_ABSTIME) != 0) {
        timespec now{};
        clock_gettime(clock, &now);
        ns = ns > ns_of(now) ? ns - ns_of(now) : 0;
    }
    const SignalWait signals(false);
    const std::uint64_t left = hook::sleep(ns);
    if (left == 0) return 0;
    if (remaining != nullptr && (flags & TIMER_ABSTIME) == 0) *remaining = timespec_of(left);
    return EINTR;
}

// ---- several descriptors --------------------------------------------------------------------------------------------

// A mask of signals is the thread's: with one the call goes to the C library, and stops the thread.
int ppoll(pollfd* fds, nfds_t count, const timespec* time, const sigset_t* mask) {
    if (!hooked() || mask != nullptr || (time != nullptr && !is_legal(*time)))
        return system_calls().ppoll(fds, count, time, mask);
    return poll(fds, count, ms_of(time));
}

int pselect(int count, fd_set* read, fd_set* write, fd_set* other, const timespec* time, const sigset_t* mask) {
    if (!hooked() || mask != nullptr || (time != nullptr && !is_legal(*time)))
        return system_calls().pselect(count, read, write, other, time, mask);
    return select_by_poll(count, {read, write, other}, ms_of(time));
}

/// As Linux has it: `time` says afterwards how much is left.
int select(int count, fd_set* read, fd_set* write, fd_set* other, timeval* time) {
    constexpr long kMicrosecond = 1000;
    if (!hooked() || (time != nullptr && (time->tv_sec < 0 || time->tv_usec < 0)))
        return system_calls().select(count, read, write, other, time);
    if (time == nullptr) return select_by_poll(count, {read, write, other}, -1);
    const timespec limit{time->tv_sec + time->tv_usec / 1'000'000, time->tv_usec % 1'000'000 * kMicrosecond};
    const std::uint64_t end = deadline_after(ns_of(limit));
    const int told = select_by_poll(count, {read, write, other}, ms_of(&limit));
    const std::uint64_t now = fiberscope::kit::now();
    const timespec left = timespec_of(now < end ? end - now : 0);
    *time = {left.tv_sec, left.tv_nsec / kMicrosecond};
    return told;
}

// ---- children -------------------------------------------------------------------------------------------------------

pid_t waitpid(pid_t child, int* status, int options) {
    return hooked() ? wait_for_child(child, status, options) : system_calls().waitpid(child, status, options);
}
pid_t wait(int* status) { return waitpid(-1, status, 0); }

/// In a hooked task the process keeps its SIGINT and SIGQUIT meanwhile: they are the other tasks' too.
int system(const char* command) {
    if (!hooked() || command == nullptr) return system_calls().system(command);
    const pid_t child = spawn_shell(command, nullptr);
    int status = -1;
    return child < 0 || wait_for_child(child, &status, 0, true) < 0 ? -1 : status;
}

std::FILE* popen(const char* command, const char* mode) {
    const bool knows = hooked() && (*mode == 'r' || *mode == 'w') && mode[1] == '\0';
    if (knows) return open_child(command, mode);
    std::FILE* const stream = system_calls().popen(command, mode);
    if (stream != nullptr) as_unknown(fileno(stream));
    return stream;
}

int pclose(std::FILE* stream) {
    const pid_t child = remove_child(stream);
    if (child < 0) {
        as_new(fileno(stream));
        return system_calls().pclose(stream);
    }
    fclose(stream);
    int status = -1;
    const pid_t ended = hooked() ? wait_for_child(child, &status, 0, true) : system_calls().waitpid(child, &status, 0);
    return ended < 0 ? -1 : status;
}

}  // extern "C"

#endif
