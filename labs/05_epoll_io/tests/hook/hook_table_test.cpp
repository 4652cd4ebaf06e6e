// Step 5.5: every call of support/hook_calls.def on every kind of descriptor, in a blocking thread and in a hooked
// task. Both give the same result and leave the descriptor in the same state, or both wait.
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <sys/uio.h>

#include <csignal>
#include <cstdio>
#include <cstring>

#include "labs/05_epoll_io/tests/support/blocking.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

// ---- the descriptors
// -------------------------------------------------------------------------------------------------

struct World {
    int fd = -1, peer = -1, others[2] = {-1, -1};
    sockaddr_in address{};
    socklen_t size = sizeof address;

    World() = default;
    World(const World&) = delete;
    World& operator=(const World&) = delete;
    ~World() {
        for (const int one : {fd, peer, others[0], others[1]})
            if (one >= 0) ::close(one);
    }
    const sockaddr* where() const noexcept { return reinterpret_cast<const sockaddr*>(&address); }
};

void put(int fd, const std::string& text) { static_cast<void>(!system_calls().write(fd, text.data(), text.size())); }
void fill_up(int fd) {
    const std::string much(65536, 'x');
    fcntl(fd, F_SETFL, O_NONBLOCK);
    for (std::size_t size = much.size(); size > 0; size /= 2)
        while (system_calls().write(fd, much.data(), size) > 0) {
        }
    fcntl(fd, F_SETFL, 0);
}
void close_peer(World& w) { ::close(std::exchange(w.peer, -1)); }
void pipe_of(World& w, bool reads) {
    int ends[2];
    static_cast<void>(!system_calls().pipe2(ends, O_CLOEXEC));
    w.fd = ends[reads ? 0 : 1];
    w.peer = ends[reads ? 1 : 0];
}
void local(World& w, int type) {
    int ends[2];
    static_cast<void>(system_calls().socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends));
    w.fd = ends[0];
    w.peer = ends[1];
}
int inet(int type) { return system_calls().socket(AF_INET, type | SOCK_CLOEXEC, 0); }
/// `peer` is bound to a port of 127.0.0.1, and may listen there.
void to_port(World& w, int type, bool listens) {
    w.peer = inet(type);
    w.address.sin_family = AF_INET;
    w.address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::bind(w.peer, w.where(), w.size);
    ::getsockname(w.peer, reinterpret_cast<sockaddr*>(&w.address), &w.size);
    if (listens) ::listen(w.peer, 8);
    w.fd = inet(type);
}
/// A port whose queue is full: a connect there gets no answer.
void to_full_port(World& w) {
    to_port(w, SOCK_STREAM, false);
    ::listen(w.peer, 0);
    for (int& one : w.others) ::connect(one = inet(SOCK_STREAM | SOCK_NONBLOCK), w.where(), w.size);
}
void connected(World& w) {
    to_port(w, SOCK_STREAM, true);
    system_calls().connect(w.fd, w.where(), w.size);
    ::close(std::exchange(w.peer, system_calls().accept4(w.peer, nullptr, nullptr, SOCK_CLOEXEC)));
}

struct Kind {
    const char* name;
    void (*make)(World&);
};
constexpr Kind kKinds[] = {
    {"a closed number", [](World& w) { w.fd = 9000; }},
    {"-1", [](World&) {}},
    {"a file", [](World& w) { w.fd = ::fileno(std::tmpfile()), put(w.fd, "0123"), ::lseek(w.fd, 2, SEEK_SET); }},
    {"a directory", [](World& w) { w.fd = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC); }},
    {"/dev/null", [](World& w) { w.fd = ::open("/dev/null", O_RDWR | O_CLOEXEC); }},
    {"O_PATH", [](World& w) { w.fd = ::open("/dev/null", O_PATH | O_CLOEXEC); }},
    {"a pipe", [](World& w) { pipe_of(w, true); }},
    {"a pipe with bytes", [](World& w) { pipe_of(w, true), put(w.peer, "hello"); }},
    {"a pipe without a writer", [](World& w) { pipe_of(w, true), close_peer(w); }},
    {"a pipe's writing end", [](World& w) { pipe_of(w, false); }},
    {"a full pipe", [](World& w) { pipe_of(w, false), fill_up(w.fd); }},
    {"a pipe without a reader", [](World& w) { pipe_of(w, false), close_peer(w); }},
    {"eventfd 0", [](World& w) { w.fd = eventfd(0, EFD_CLOEXEC); }},
    {"eventfd 5", [](World& w) { w.fd = eventfd(5, EFD_CLOEXEC); }},
    {"a stream", [](World& w) { local(w, SOCK_STREAM); }},
    {"a stream with bytes", [](World& w) { local(w, SOCK_STREAM), put(w.peer, "hello"); }},
    {"a stream that does not block", [](World& w) { local(w, SOCK_STREAM), ::fcntl(w.fd, F_SETFL, O_NONBLOCK); }},
    {"a full stream", [](World& w) { local(w, SOCK_STREAM), fill_up(w.fd); }},
    {"a stream whose peer is closed", [](World& w) { local(w, SOCK_STREAM), close_peer(w); }},
    {"a stream whose peer sends no more", [](World& w) { local(w, SOCK_STREAM), ::shutdown(w.peer, SHUT_WR); }},
    {"a stream that sends no more", [](World& w) { local(w, SOCK_STREAM), ::shutdown(w.fd, SHUT_WR); }},
    {"local datagrams", [](World& w) { local(w, SOCK_DGRAM); }},
    {"a local datagram", [](World& w) { local(w, SOCK_DGRAM), put(w.peer, "hello"); }},
    {"local datagrams, full", [](World& w) { local(w, SOCK_DGRAM), fill_up(w.fd); }},
    {"local messages whose peer is closed", [](World& w) { local(w, SOCK_SEQPACKET), close_peer(w); }},
    {"TCP", connected},
    {"TCP with bytes", [](World& w) { connected(w), put(w.peer, "hello"); }},
    {"TCP with a limit", [](World& w) { connected(w), limit(w.fd, SO_RCVTIMEO, 1000); }},
    {"TCP whose peer is closed", [](World& w) { connected(w), close_peer(w); }},
    {"UDP", [](World& w) { to_port(w, SOCK_DGRAM, false); }},
    {"a listener", [](World& w) { to_port(w, SOCK_STREAM, true), std::swap(w.fd, w.peer); }},
    {"to a listener", [](World& w) { to_port(w, SOCK_STREAM, true); }},
    {"to a full port", to_full_port},
    {"to a port that refuses", [](World& w) { to_port(w, SOCK_STREAM, false); }},
    {"to a port that refuses, not blocking",
     [](World& w) { to_port(w, SOCK_STREAM, false), ::fcntl(w.fd, F_SETFL, O_NONBLOCK); }},
};

// ---- the calls ------------------------------------------------------------------------------------------------------

/// A null pointer that the compiler cannot see.
void* nowhere() {
    static void* volatile none = nullptr;
    return none;
}
const iovec* parts_of(char* buffer) {
    static iovec parts[2];
    parts[0] = {buffer, 2};
    parts[1] = {buffer + 2, 6};
    return parts;
}
msghdr* message_of(char* buffer) {
    static msghdr message;
    message = {};
    message.msg_iov = const_cast<iovec*>(parts_of(buffer));
    message.msg_iovlen = 2;
    return &message;
}
int connect_to(const World& w) { return ::connect(w.fd, w.where(), w.size); }
/// A connect started by a program that does not wait.
void begin_to_connect(const World& w) {
    ::fcntl(w.fd, F_SETFL, O_NONBLOCK);
    connect_to(w);
    ::fcntl(w.fd, F_SETFL, 0);
}
int failure_of(int result) { return result < 0 ? 1000 * last_error() : 0; }
int error_of_socket(int fd) {
    int error = -1;
    socklen_t size = sizeof error;
    ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
    return error;
}
int polled(int fd, int timeout) {
    pollfd one{fd, POLLIN | POLLOUT, 0};
    return ::poll(&one, 1, timeout) + 10 * one.revents;
}

struct Call {
    const char* name;
    long (*make)(const World& world, int fd, char* buffer);
};
constexpr Call kCalls[] = {
#define HOOKED_CALL(name, result)                                                                                    \
    {name, []([[maybe_unused]] const World& world, [[maybe_unused]] int fd, [[maybe_unused]] char* buffer) -> long { \
         return result;                                                                                              \
     }},
#include "labs/05_epoll_io/tests/support/hook_calls.def"
#undef HOOKED_CALL
};

// ---- both ways ------------------------------------------------------------------------------------------------------

/// Interrupts a C library call that waits, by a signal every 10 ms.
void set_alarm(bool on) {
    const itimerval often{{0, on ? 10'000 : 0}, {0, on ? 10'000 : 0}};
    setitimer(ITIMER_REAL, &often, nullptr);
}

/// Result or errno, the bytes received, and the state after the call; "waits" for a call that was interrupted.
std::string told(const Call& call, const World& w, int ended_by) {
    char buffer[64] = {};
    set_alarm(true);
    const long result = call.make(w, w.fd, buffer);
    const int error = last_error();
    set_alarm(false);
    if (result == -1 && error == ended_by) return "waits";
    std::string words = result == -1 ? std::strerror(error) : std::to_string(result) + " " + buffer;
    pollfd one{w.fd, POLLIN | POLLOUT | POLLRDHUP, 0};
    int readable = -1;
    system_calls().poll(&one, 1, 0);
    system_calls().ioctl(w.fd, FIONREAD, &readable);
    return words + " [" + std::to_string(one.revents) + " " + std::to_string(readable) + " flags " +
           std::to_string(system_calls().fcntl(w.fd, F_GETFL)) + "]";
}

std::string plainly(const Call& call, const Kind& kind) {
    World w;
    kind.make(w);
    return told(call, w, EINTR);
}

std::string hooked(const Call& call, const Kind& kind) {
    World w;
    kind.make(w);
    std::string words;
    Stand stand;
    const Handle caller = go_hooked([&] { words = told(call, w, ECANCELED); }, "caller");
    later(20 * kMillisecond, "cancels", [caller] { lab04::cancel(caller); });
    const std::string failed = stand.run();
    return failed.empty() ? words : failed;
}

/// Differences documented in docs/lab05/limits.md, and two calls of which the first waits.
bool is_left_out(const std::string& row) {
    return row == "recv 0: TCP" || row == "recv 0: TCP with a limit" ||
           (row.starts_with("connect, ") && row.ends_with(": to a full port"));
}

}  // namespace

TEST_CASE("5.5 third: a call on any kind of descriptor has the same result as in a blocking thread") {
    WITHOUT_HOOK_NOTHING
    INFO("try first, then wait: do not wait if the call returns immediately; for a connect, call connect(2) again");
    record_nothing();
    signal(SIGPIPE, SIG_IGN);
    struct sigaction action {};
    action.sa_handler = [](int) {};
    sigaction(SIGALRM, &action, nullptr);
    std::string differences;
    for (const Call& call : kCalls)
        for (const Kind& kind : kKinds) {
            const std::string row = std::string(call.name) + ": " + kind.name;
            if (is_left_out(row)) continue;
            const std::string blocking = plainly(call, kind), in_task = hooked(call, kind);
            if (blocking != in_task) differences += row + ": " + blocking + ", hooked " + in_task + "\n";
        }
    CHECK(differences == "");
}
