#include "labs/05_epoll_io/programs/limits_rows.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <tuple>

#include "labs/05_epoll_io/socket.h"
#include "labs/kit/testing/threads.h"

namespace fiberscope::lab05::limits {

Ends::~Ends() {
    ::close(a);
    ::close(b);
}

Shared a_pipe() {
    auto ends = std::make_shared<Ends>();
    int both[2];
    if (::pipe(both) == 0) std::tie(ends->a, ends->b) = std::tie(both[0], both[1]);
    return ends;
}
Shared sockets() {
    auto ends = std::make_shared<Ends>();
    int both[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM, 0, both) == 0) std::tie(ends->a, ends->b) = std::tie(both[0], both[1]);
    return ends;
}
Shared full(Shared ends) {
    const int flags = ::fcntl(ends->b, F_GETFL);
    ::fcntl(ends->b, F_SETFL, flags | O_NONBLOCK);
    char much[4096] = {};
    while (::write(ends->b, much, sizeof much) > 0) {
    }
    ::fcntl(ends->b, F_SETFL, flags);
    return ends;
}
std::function<void()> a_line_into(const Shared& ends) {
    return [=] { ignore(::write(ends->b, "x\n", 2)); };
}
std::function<void()> all_out_of(const Shared& ends) {
    return [=] {
        char much[1 << 16];
        ::fcntl(ends->a, F_SETFL, O_NONBLOCK);
        while (::read(ends->a, much, sizeof much) > 0) {
        }
    };
}

Trial for_a_child(const std::function<void(pid_t)>& call) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (;;) ::pause();
    }
    return {[=] { call(child); }, [=] { ::kill(child, SIGKILL); }};
}

namespace {

/// Whether a thread has been asleep in several consecutive checks: then it waits, and is not just about to run.
void wait_until_it_waits(pid_t thread, const std::atomic<bool>& called, const std::atomic<bool>& over) {
    for (int asleep = 0; asleep < 5 && !over;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        asleep = called && kit::testing::sleeps(thread) ? asleep + 1 : 0;
    }
}

bool others_run_meanwhile(const Trial& trial) {
    std::atomic<bool> called{false}, over{false};
    bool other_ran = false, meanwhile = false;
    std::thread releaser([&, caller = gettid()] {
        wait_until_it_waits(caller, called, over);
        if (trial.release) trial.release();
    });
    run_both(
        [&] {
            called = true;
            trial.call();
            meanwhile = other_ran;
            over = true;
        },
        [&] { other_ran = true; });
    releaser.join();
    return meanwhile;
}

Trial by_read() {
    return reading(a_pipe(), [](int fd) {
        char byte;
        ignore(::read(fd, &byte, 1));
    });
}
Trial by_recv() {
    return reading(sockets(), [](int fd) {
        char byte;
        ignore(::recv(fd, &byte, 1, 0));
    });
}
Trial by_write() {
    return writing(full(a_pipe()), [](int fd) { ignore(::write(fd, "x", 1)); });
}
Trial by_send() {
    return writing(full(sockets()), [](int fd) { ignore(::send(fd, "x", 1, 0)); });
}
Trial by_accept() {
    const auto listener = std::make_shared<Socket>(Socket::listener("127.0.0.1", 0));
    const int fd = listener->fd();
    ::fcntl(fd, F_SETFL, 0);
    const std::uint16_t port = listener->port();
    return {[=] { ::close(::accept(listener->fd(), nullptr, nullptr)); },
            [=] {
                const int client = ::socket(AF_INET, SOCK_STREAM, 0);
                sockaddr_in to{};
                to.sin_family = AF_INET;
                to.sin_port = htons(port);
                to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
                ignore(::connect(client, reinterpret_cast<const sockaddr*>(&to), sizeof to));
                ::close(client);
            }};
}
Trial by_poll() {
    return reading(a_pipe(), [](int fd) {
        pollfd one{fd, POLLIN, 0};
        ::poll(&one, 1, -1);
    });
}
Trial by_usleep() {
    return {[] { ::usleep(20'000); }};
}
Trial by_nanosleep() {
    return {[] { ::nanosleep(&kAWhile, nullptr); }};
}
constexpr Row kRows[] = {
    {"read", by_read},     {"recv", by_recv}, {"write", by_write},   {"send", by_send},
    {"accept", by_accept}, {"poll", by_poll}, {"usleep", by_usleep}, {"nanosleep", by_nanosleep},
};

void rows(Findings& findings) {
    for (const Row& row : rows_that_are_hooked())
        findings.add(std::string(row.call) + ": another task ran in the meantime", others_run_meanwhile(row.prepare()));
    for (const Row& row : rows_that_stop())
        findings.add(std::string(row.call) + ": no other task ran in the meantime",
                     !others_run_meanwhile(row.prepare()));
}

constexpr Demo kDemos[] = {{"rows", "each row of the table is tried", rows}};

}  // namespace

std::span<const Row> rows_that_are_hooked() { return kRows; }
std::span<const Demo> demos_of_rows() { return kDemos; }

}  // namespace fiberscope::lab05::limits
