// A table of calls, each made twice: plainly, by a thread that blocks, and hooked, by a task. Both must give the same
// result, errno and state of the descriptors, or both must wait. Each way runs in a child: what hangs ends with it.
#pragma once

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <array>
#include <atomic>
#include <cctype>
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
    words << " [flags " << std::hex << system_calls().fcntl(fd, F_GETFL) << " poll " << one.revents << std::dec
          << " readable " << readable << " at " << lseek(fd, 0, SEEK_CUR);
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
        Stand stand;
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

    /// To be asked once a millisecond: it has slept at so many looks, without a break.
    bool sleeps_for_good() {
        if (looks_++ == 0) naps_before_ = naps();
        in_a_row_ = state() == 'S' ? in_a_row_ + 1 : 0;
        return in_a_row_ >= kForGood;
    }
    /// It looks again and again, and sleeps in between. Not by how often it is seen asleep: where much else runs, one
    /// that has woken waits for a processor.
    bool looks_around() const { return looks_ >= kMany && naps() >= naps_before_ + kFew; }
    bool spins() const { return looks_ >= kMany && naps() < naps_before_ + kFew; }
    void begin_again() noexcept { in_a_row_ = looks_ = 0; }
    /// It waits in the poller: its other tasks would run. True too where the kernel does not tell.
    bool waits_in_poller() const {
        std::ifstream in(path_ + "/syscall");
        long call = -1;
        return !(in >> call) || call == SYS_epoll_pwait2 || call == SYS_epoll_pwait || call == SYS_futex
#ifdef SYS_epoll_wait
               || call == SYS_epoll_wait
#endif
            ;
    }

  private:
    static constexpr int kForGood = 40, kMany = 600, kFew = 5;

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

/// The calls of `rows`, all at once, each on a thread; what each gave, or that it waits.
class Batch {
  public:
    Batch(const Row* rows, std::size_t count, bool hooked) : hooked_(hooked) {
        for (std::size_t i = 0; i < count; ++i) calls_.push_back(std::make_shared<Attempted>(rows[i]));
        for (const auto& call : calls_) std::thread([call, hooked] { run(*call, hooked); }).detach();
        for (const auto& call : calls_) {
            while (call->thread == 0) std::this_thread::yield();
            watches_.emplace_back(call->thread);
        }
        words_.resize(count);
        helped_.resize(count);
    }
    std::vector<std::string> words() {
        for (std::size_t open = calls_.size(); open > 0;) {
            open = 0;
            for (std::size_t i = 0; i < calls_.size(); ++i) open += words_[i].empty() && !ended(i) ? 1 : 0;
            if (open > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        for (std::size_t i = 0; i < calls_.size(); ++i) words_[i] += state_of(calls_[i]->world, !calls_[i]->over);
        return words_;
    }

  private:
    static void run(Attempted& call, bool hooked) {
        call.thread = gettid();
        hooked ? call.hooked() : call.call();
    }
    bool ended(std::size_t i) {
        Attempted& call = *calls_[i];
        if (call.over)
            words_[i] += call.told;
        else if (watches_[i].spins())
            words_[i] += "spins";
        else if (watches_[i].sleeps_for_good() || watches_[i].looks_around())
            return waits(i);
        else
            return false;
        return true;
    }
    bool waits(std::size_t i) {
        if (calls_[i]->row.meanwhile == nullptr || helped_[i]) {
            words_[i] = hooked_ && !watches_[i].waits_in_poller() ? "stops its thread" : "waits";
            return true;
        }
        helped_[i] = true;
        calls_[i]->row.meanwhile(calls_[i]->world);
        watches_[i].begin_again();
        return false;
    }

    bool hooked_;
    std::vector<std::shared_ptr<Attempted>> calls_;
    std::vector<Watch> watches_;
    std::vector<std::string> words_;
    std::vector<bool> helped_;
};

// ---- all rows -------------------------------------------------------------------------------------------------------

/// A child that makes the calls of some rows one way, and writes a line for each.
class Child {
  public:
    Child(const Row* rows, std::size_t count, bool hooked) : count_(count) {
        int ends[2];
        if (system_calls().pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
        child_ = fork();
        if (child_ == 0) make_calls(rows, count, hooked, ends[1]);
        system_calls().close(ends[1]);
        from_ = ends[0];
    }
    /// One for each row; of a child that was ended by a signal this is all it says.
    std::vector<std::string> words() {
        std::string all;
        char buffer[4096];
        for (ssize_t n; (n = system_calls().read(from_, buffer, sizeof buffer)) > 0;)
            all.append(buffer, static_cast<std::size_t>(n));
        system_calls().close(from_);
        int status = 0;
        system_calls().waitpid(child_, &status, 0);
        std::vector<std::string> lines;
        std::istringstream in(all);
        for (std::string line; std::getline(in, line);) lines.push_back(line);
        lines.resize(count_, WIFSIGNALED(status) ? "ended by signal " + std::to_string(WTERMSIG(status)) : "no answer");
        return lines;
    }

  private:
    [[noreturn]] static void make_calls(const Row* rows, std::size_t count, bool hooked, int to) {
        constexpr unsigned kLongest = 60;  // s: nothing is decided by it
        alarm(kLongest);
        signal(SIGPIPE, SIG_IGN);
        for (int fd = 0; fd < FD_SETSIZE; ++fd) look_again(fd);  // tests before have closed theirs unseen
        std::string all;
        for (const std::string& words : Batch(rows, count, hooked).words()) all += words + "\n";
        static_cast<void>(!system_calls().write(to, all.data(), all.size()));
        std::_Exit(0);
    }

    std::size_t count_;
    pid_t child_ = -1;
    int from_ = -1;
};

/// Every row whose two ways differ, as three lines; empty if there is none. A batch that a signal has ended is made
/// again, row by row.
inline std::string differences(const std::vector<Row>& rows, std::size_t first, std::size_t count) {
    std::array<Child, 2> both{Child(&rows[first], count, false), Child(&rows[first], count, true)};
    const std::vector<std::string> plain = both[0].words(), hooked = both[1].words();
    std::string all;
    if (count > 1 && (plain.back().rfind("ended", 0) == 0 || hooked.back().rfind("ended", 0) == 0)) {
        for (std::size_t i = 0; i < count; ++i) all += differences(rows, first + i, 1);
        return all;
    }
    for (std::size_t i = 0; i < count; ++i)
        if (plain[i] != hooked[i])
            all += rows[first + i].name + "\n    plain:  " + plain[i] + "\n    hooked: " + hooked[i] + "\n";
    return all;
}
/// What is not written yet is told by this process, and not by a child.
inline void call_each_once() {
    Stand stand;
    const Pair pair = blocking_pair();
    go_hooked([&] {
        char byte = 'x';
        static_cast<void>(!::write(pair.b, &byte, 1));
        static_cast<void>(!::read(pair.a, &byte, 1));
        ::connect(pair.a, nullptr, 0);
        ::poll(nullptr, 0, 0);
        ::usleep(0);
    });
    stand.run();
}
inline std::string differences(const std::vector<Row>& rows) {
    constexpr std::size_t kInBatch = 50;
    record_nothing();
    use_real_time();
    call_each_once();
    std::string all;
    for (std::size_t first = 0; first < rows.size(); first += kInBatch)
        all += differences(rows, first, std::min(kInBatch, rows.size() - first));
    return all;
}

}  // namespace fiberscope::lab05::testing::table
