// The C library's names, as in hook_names.cpp: those that wait for time, for several descriptors, or for a child.
#include "labs/05_epoll_io/given/hook_numbers.h"
#include "labs/05_epoll_io/hook.h"
#include "labs/05_epoll_io/parts/signals.h"
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
#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "labs/05_epoll_io/system_calls.h"
#include "labs/kit/machines/lock.h"
#include "labs/kit/time/clock.h"
#include "labs/kit/time/units.h"

extern "C" char** environ;  // NOLINT: the C library's

namespace fiberscope::lab05 {

namespace {

using kit::kMillisecond;

}  // namespace

int room_for_descriptors() {
    std::ifstream in("/proc/self/status");
    for (std::string word; in >> word && word != "FDSize:";) {
    }
    int room = 0;
    return in >> room ? room : getdtablesize();
}

namespace {

/// As ppoll(2): null is no limit.
std::uint64_t limit_of(const timespec* time) noexcept { return time == nullptr ? kNever : kit::ns_of(*time); }

/// poll(2) for a time that may be longer than an int of ms is.
int poll_for(pollfd* fds, nfds_t count, std::uint64_t ns) {
    for (const std::uint64_t end = deadline_after(ns);;) {
        const int ready = io::poll(fds, count, kit::ms_of(kit::time_left(end)));
        if (ready != 0 || kit::time_left(end) == 0) return ready;
    }
}

// ---- select: waits by a poll ----------------------------------------------------------------------------------------

/// Three sets of descriptors. The kernel's own select looks, first and after each wait, so that what it finds and
/// refuses is what it always finds and refuses.
class Sets {
  public:
    /// `count` as select(2) has it; the sets may be null.
    Sets(int count, fd_set* read, fd_set* write, fd_set* other) : count_(count), sets_{read, write, other} {
        for (std::size_t i = 0; i < sets_.size(); ++i)
            if (sets_[i] != nullptr) before_[i].assign(words(i), words(i) + words_in_use());
    }
    int wait(std::uint64_t ns) {
        const std::uint64_t last = deadline_after(ns);
        const SignalWait signals(false);
        int ready = look();
        for (std::vector<pollfd> asked = wishes(); ready == 0;) {
            const std::uint64_t now = kit::now();
            if (now >= last) return 0;
            const int told = poll_for(asked.data(), asked.size(), last == kNever ? kNever : last - now);
            if (told < 0 || signals.came()) return interrupted(told < 0 ? last_error() : EINTR);
            ready = look();
            if (told > 0 && ready == 0) pause_and_try_again();  // a hang-up, that no set asks for
        }
        return ready;
    }

  private:
    static constexpr int kInWord = 8 * sizeof(unsigned long);
    static constexpr short kWishes[] = {POLLIN, POLLOUT, POLLPRI};

    unsigned long* words(std::size_t set) const noexcept { return reinterpret_cast<unsigned long*>(sets_[set]); }
    int words_in_use() const { return (bits() + kInWord - 1) / kInWord; }
    /// Behind the last number that this process has room for the kernel reads no set, however large `count_` is.
    int bits() const { return count_ <= FD_SETSIZE ? std::max(count_, 0) : std::min(count_, room_for_descriptors()); }
    bool is_in(std::size_t set, int fd) const {
        const auto place = static_cast<std::size_t>(fd / kInWord);
        return place < before_[set].size() && (before_[set][place] >> (fd % kInWord) & 1U) != 0;
    }
    std::vector<pollfd> wishes() const {
        std::vector<pollfd> asked;
        for (int fd = 0; fd < bits(); ++fd) {
            short events = 0;
            for (std::size_t set = 0; set < sets_.size(); ++set)
                if (is_in(set, fd)) events = static_cast<short>(events | kWishes[set]);
            if (events != 0) asked.push_back({fd, events, 0});
        }
        return asked;
    }
    void put_back() const {
        for (std::size_t i = 0; i < sets_.size(); ++i) std::copy(before_[i].begin(), before_[i].end(), words(i));
    }
    int look() const {
        timeval now{};
        put_back();
        return system_calls().select(count_, sets_[0], sets_[1], sets_[2], &now);
    }
    int interrupted(int error) const {
        put_back();
        set_last_error(error);
        return -1;
    }

    int count_;
    std::array<fd_set*, 3> sets_;
    std::array<std::vector<unsigned long>, 3> before_;
};

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
namespace kit = fiberscope::kit;

extern "C" {

// ---- time -----------------------------------------------------------------------------------------------------------

int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* remaining) {
    const bool known = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME;
    if (!hooked() || !known || !is_time(time)) return system_calls().clock_nanosleep(clock, flags, time, remaining);
    std::uint64_t ns = kit::ns_of(*time);
    if ((flags & TIMER_ABSTIME) != 0) {
        timespec now{};
        clock_gettime(clock, &now);
        ns = kit::minus(ns, kit::ns_of(now));
    }
    const SignalWait signals(false);
    const std::uint64_t left = hook::sleep(ns);
    if (left == 0) return 0;
    if (remaining != nullptr && (flags & TIMER_ABSTIME) == 0) *remaining = kit::timespec_of(left);
    return EINTR;
}

// ---- several descriptors --------------------------------------------------------------------------------------------

// A mask of signals is the thread's: with one the call goes to the C library, and stops the thread.
int ppoll(pollfd* fds, nfds_t count, const timespec* time, const sigset_t* mask) {
    if (!hooked() || mask != nullptr || (time != nullptr && !is_time(time)))
        return system_calls().ppoll(fds, count, time, mask);
    return poll_for(fds, count, limit_of(time));
}

/// The name under which programs built with _FORTIFY_SOURCE call it.
[[noreturn]] void __chk_fail();  // NOLINT: the C library's: ends the program
int __ppoll_chk(pollfd* fds, nfds_t count, const timespec* time, const sigset_t* mask, std::size_t room) {  // NOLINT
    return count <= room / sizeof *fds ? ppoll(fds, count, time, mask) : (__chk_fail(), -1);
}

int pselect(int count, fd_set* read, fd_set* write, fd_set* other, const timespec* time, const sigset_t* mask) {
    if (!hooked() || mask != nullptr || (time != nullptr && !is_time(time)))
        return system_calls().pselect(count, read, write, other, time, mask);
    return Sets(count, read, write, other).wait(limit_of(time));
}

/// As Linux has it: `time` says afterwards how much is left.
int select(int count, fd_set* read, fd_set* write, fd_set* other, timeval* time) {
    if (!hooked() || (time != nullptr && (time->tv_sec < 0 || time->tv_usec < 0)))
        return system_calls().select(count, read, write, other, time);
    Sets sets(count, read, write, other);
    if (time == nullptr) return sets.wait(kNever);
    const std::uint64_t end = deadline_after(kit::ns_of(*time));
    const int told = sets.wait(kit::ns_of(*time));
    *time = kit::timeval_of(kit::time_left(end));
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
