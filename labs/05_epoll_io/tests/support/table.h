// A table of calls, each made twice: plainly, by a thread that blocks, and hooked, by a task. Both must give the same
// result, errno and state of the descriptors, or both must wait. Each way runs in a child: what hangs ends with it.
#pragma once

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <array>
#include <atomic>
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "labs/05_epoll_io/tests/support/blocking.h"

namespace fiberscope::lab05::testing::table {

/// What a row's call is made on. The child that made it closes it by its end.
struct World {
    int fd = -1;      ///< the call's own
    int peer = -1;    ///< its other end
    int beside = -1;  ///< what the call needs besides
    sockaddr_storage address{};
    socklen_t size = 0;

    const sockaddr* where() const noexcept { return reinterpret_cast<const sockaddr*>(&address); }
};

using Make = std::function<void(World&)>;
using Call = std::function<std::string(World&)>;

struct Row {
    std::string name;
    Make make;
    Call call;
    Make meanwhile = nullptr;  ///< done by another thread when the call waits
};

/// "5", "EAGAIN"; a result that brought bytes shows them.
inline std::string told(long result, const void* bytes = nullptr) {
    if (result < 0) return strerrorname_np(last_error());
    std::string words = std::to_string(result);
    for (long i = 0; bytes != nullptr && i < std::min(result, 8L); ++i) {
        const auto byte = static_cast<const unsigned char*>(bytes)[i];
        words += (i == 0 ? " " : "") + (std::isprint(byte) != 0 ? std::string(1, static_cast<char>(byte))
                                                                : "\\" + std::to_string(static_cast<int>(byte)));
    }
    return words;
}

// ---- what a call leaves ---------------------------------------------------------------------------------------------

inline std::string line_of(const std::string& path, const std::string& begin) {
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);)
        if (line.rfind(begin, 0) == 0) return line.substr(begin.size());
    return "";
}

inline bool is_pipe(int fd) {
    struct stat status {};
    return fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode);
}

/// While a call waits: a connect that tries again each ms does not block for the moment of a try, and a look may meet
/// that moment.
inline int flags_of(int fd, bool waits) {
    int flags = system_calls().fcntl(fd, F_GETFL);
    for (int more = 20; waits && (flags & O_NONBLOCK) != 0 && more > 0; --more) {
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        flags = system_calls().fcntl(fd, F_GETFL);
    }
    return flags;
}

/// Flags, what poll tells, how much can be read, the offset, the pending error, and what the next read would give. A
/// splice that waits holds its pipe, which cannot be asked meanwhile how much is in it; a write that waits may hold its
/// terminal.
inline std::string state_of(int fd, bool waits) {
    if (fd < 0) return "";
    std::ostringstream words;
    pollfd one{fd, POLLIN | POLLOUT | POLLPRI | POLLRDHUP, 0};
    if (!waits) system_calls().poll(&one, 1, 0);
    int readable = -1, error = 0;
    if ((waits && is_pipe(fd)) || system_calls().ioctl(fd, FIONREAD, &readable) != 0) readable = -1;
    words << " [flags " << std::hex << flags_of(fd, waits) << " poll " << one.revents << std::dec << " readable "
          << readable << " at " << lseek(fd, 0, SEEK_CUR);
    socklen_t size = sizeof error;
    if (system_calls().getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0) {
        char next[16] = {};
        const ssize_t got = system_calls().recvfrom(fd, next, 8, MSG_DONTWAIT | MSG_PEEK, nullptr, nullptr);
        words << " error " << error << " next " << told(got, next);
    }
    return words.str() + line_of("/proc/self/fdinfo/" + std::to_string(fd), "eventfd-count:") + "]";
}

inline std::string state_of(const World& world, bool waits) {
    return state_of(world.fd, waits) + state_of(world.peer, waits) + state_of(world.beside, waits);
}

// ---- one row --------------------------------------------------------------------------------------------------------

/// One call under way on a thread of its own. Shared: a call that never ends keeps it.
struct Attempted {
    const Row& row;
    World world;
    std::atomic<pid_t> thread{0};
    std::atomic<bool> over{false};
    std::string told;

    explicit Attempted(const Row& of) : row(of) { row.make(world); }
    void call() {
        told = row.call(world);
        over = true;
    }
    /// Another task is alive all the time: a scheduler whose only task waits for nothing at all would end.
    void hooked() {
        Stand stand(std::nullopt);
        const int never = eventfd(0, EFD_CLOEXEC);
        go([never] { lab04::wait_readable(never); }, "stays");
        go_hooked([this] { call(); }, "caller");
        stand.run();
    }
};

/// Tells by the kernel's word whether a thread sleeps: however much else the machine has to do.
class Watch {
  public:
    explicit Watch(pid_t thread) : path_("/proc/self/task/" + std::to_string(thread)) {}

    /// To be asked once a millisecond: it has slept at so many looks, without a break. In a futex it waits for another
    /// thread of the table, which may be without a processor for long.
    bool sleeps_for_good() {
        if (looks_++ == 0) naps_before_ = naps();
        in_a_row_ = state() == 'S' && system_call() != SYS_futex ? in_a_row_ + 1 : 0;
        return in_a_row_ >= kForGood;
    }
    /// It looks again and again, and sleeps in between. Not by how often it is seen asleep: where much else runs, one
    /// that has woken waits for a processor.
    bool looks_around() const { return looks_ >= kMany && naps() >= naps_before_ + kFew; }
    bool spins() const { return looks_ >= kMany && naps() < naps_before_ + kFew; }
    void begin_again() noexcept { in_a_row_ = looks_ = 0; }
    /// It waits in the poller: its other tasks would run. True too where the kernel does not tell.
    bool waits_in_poller() const {
        const long call = system_call();
        return call == kUntold || call == SYS_epoll_pwait2 || call == SYS_epoll_pwait
#ifdef SYS_epoll_wait
               || call == SYS_epoll_wait
#endif
            ;
    }

  private:
    static constexpr int kForGood = 40, kMany = 600, kFew = 5;
    static constexpr long kUntold = -1;

    long system_call() const {
        std::ifstream in(path_ + "/syscall");
        long call = kUntold;
        return in >> call ? call : kUntold;
    }

    /// How often it has left the processor by itself.
    int naps() const { return std::atoi(line_of(path_ + "/status", "voluntary_ctxt_switches:").c_str()); }
    char state() const {
        std::ifstream in(path_ + "/stat");
        std::string text;
        std::getline(in, text);
        const std::size_t name = text.rfind(") ");
        return name == std::string::npos ? 'X' : text[name + 2];
    }

    std::string path_;
    int in_a_row_ = 0, looks_ = 0, naps_before_ = 0;
};

}  // namespace fiberscope::lab05::testing::table
