// Steps 5.1, 5.2 and 5.7: descriptors that the kernel refuses, and the number of epoll_ctl calls. On several machines,
// waits are neither lost nor mixed up when another task closes the same number.
#include <sys/syscall.h>

#include <atomic>
#include <cstdio>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

#include "labs/05_epoll_io/io.h"
#include "labs/05_epoll_io/tests/support/plain.h"
#include "labs/05_epoll_io/tests/support/stand.h"
#include "labs/kit/report/notes.h"
#include "testing/sanitized.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

#ifndef FIBERSCOPE_SANITIZED  // a sanitizer has its own epoll_ctl
namespace {

/// Called before this program's epoll_ctl; null: nothing.
std::atomic<void (*)(int operation, int fd)> before_epoll_ctl{nullptr};
/// The errno with which this program's epoll_ctl fails; 0: it calls the kernel.
std::atomic<int> epoll_refuses_with{0};

/// The descriptor that is closed during its epoll_ctl (hold_until_closed), and the last operation on it.
std::atomic<int> held_number{-1}, last_operation{0}, last_result{0};
/// The lock of its scheduler.
std::atomic<kit::Lock*> looked_at{nullptr};

}  // namespace

extern "C" int epoll_ctl(int poller, int operation, int fd, epoll_event* event) noexcept {
    if (auto* before = before_epoll_ctl.load()) before(operation, fd);
    if (const int error = epoll_refuses_with) {
        errno = error;
        return -1;
    }
    const int result = static_cast<int>(syscall(SYS_epoll_ctl, poller, operation, fd, event));
    if (fd == held_number) {
        last_operation = operation;
        last_result = result;
    }
    return result;
}
#endif

namespace {

struct Machines : Runs<Machines> {
    explicit Machines(const char* strategy)
        : sched(lab04::Settings{.strategy = strategy, .source = &source, .machines = 2}) {}
    EpollSource source;
    lab04::Scheduler sched;
};

/// Returns the result of a call that waits for one byte of `fd`: the byte, or the error.
int receive_one(int fd) {
    unsigned char byte = 0;
    const ssize_t got = io::recv(fd, &byte, 1, 0);
    return got == 1 ? byte : -last_error();
}

/// Moves it to another number, from `least` on.
void move_to_number(int& fd, int least) {
    const int moved = system_calls().fcntl(fd, F_DUPFD_CLOEXEC, least);
    io::close(std::exchange(fd, moved));
}

/// One pair of sockets: a task waits for a byte, and gets it or an error because its descriptor was closed. The closing
/// task uses its own numbers, so that a late call does not find another task's descriptor.
void converse(int task, bool closes, unsigned char byte, std::atomic<int>& wrong) {
    Pair pair = Pair::sockets();
    if (closes) move_to_number(pair.a, 200 + 20 * task);
    std::atomic<int> result{0};
    std::atomic<bool> begun{false};
    const Handle reader = go([&, fd = pair.a] {
        begun = true;
        result = receive_one(fd);
    });
    while (!begun) lab04::yield();
    if (closes) {
        if (io::close(std::exchange(pair.a, -1)) != 0) ++wrong;
    } else {
        static_cast<void>(!system_calls().write(pair.b, &byte, 1));
    }
    lab04::join(reader);
    if (closes ? result != -EBADF : result != byte) ++wrong;
    if (pair.a >= 0) io::close(std::exchange(pair.a, -1));
    io::close(std::exchange(pair.b, -1));
}

}  // namespace

#ifndef FIBERSCOPE_SANITIZED

std::atomic<EpollSource*> held_source{nullptr};
std::atomic<bool> is_held{false};

bool lock_is_free_now_and_then() {
    for (int i = 0; i < 100'000; ++i) {
        if (looked_at.load()->try_lock()) {
            looked_at.load()->unlock();
            return true;
        }
        std::this_thread::yield();
    }
    return false;
}

/// Called at the first add of this number: waits until another task has started to close it.
void hold_until_closed(int operation, int fd) {
    if (fd != held_number || operation != EPOLL_CTL_ADD || is_held.exchange(true)) return;
    if (!lock_is_free_now_and_then()) return;
    const std::size_t before = held_source.load()->registered();
    while (held_source.load()->registered() == before) std::this_thread::yield();
    for (int i = 0; i < 1000; ++i) std::this_thread::yield();  // the other one continues, if nothing holds it
}

TEST_CASE("5.1 if epoll refuses the eventfd, the poller's constructor leaves no descriptor open") {
    INFO("epoll refuses the eventfd: the constructor closes both descriptors, and throws with the errno of epoll");
    const std::set<int> before = open_descriptors();
    int error = 0;
    epoll_refuses_with = ENOSPC;
    try {
        const Epoller poller;
    } catch (const std::system_error& refused) {
        error = refused.code().value();
    }
    epoll_refuses_with = 0;
    const std::set<int> after = open_descriptors();
    for (const int fd : after)
        if (!before.contains(fd)) system_calls().close(fd);
    CHECK(error == ENOSPC);
    CHECK(after == before);
}

std::atomic<int> added{0}, changed{0};

void count_operation(int operation, int) { ++(operation == EPOLL_CTL_ADD ? added : changed); }

TEST_CASE("5.7 while there are descriptors the loop registers each connection once, and never disables its listeners") {
    INFO("listeners are disabled only when no descriptor is left: otherwise the next client waits for nothing");
    constexpr int kClients = 10;
    use_real_time();
    added = changed = 0;
    int answered = 0;
    before_epoll_ctl = &count_operation;
    {
        const Running running(&serve_in_the_loop, plain(1));
        for (int i = 0; i < kClients; ++i) {
            const Socket client = running.client();
            char byte = 'x';
            for (int message = 0; message < 3; ++message)
                if (system_calls().write(client.fd(), &byte, 1) == 1 && system_calls().read(client.fd(), &byte, 1) == 1)
                    ++answered;
        }
    }
    before_epoll_ctl = nullptr;
    CHECK(answered == 3 * kClients);
    CHECK(added == kClients + 3);
    CHECK(changed <= 2);
}

TEST_CASE("5.2 on several machines a descriptor that is closed during its registration is removed again") {
    INFO(
        "the thread that calls the poller sees that another has changed the registration, and repeats the call; a "
        "close waits for it");
    record_nothing(kRealTime);
    Machines machines("go");
    Pair pair = Pair::sockets();
    held_source = &machines.source;
    looked_at = &machines.sched.shared().lock();
    is_held = false;
    held_number = system_calls().fcntl(pair.a, F_DUPFD_CLOEXEC, 200);
    before_epoll_ctl = &hold_until_closed;
    int result = 0;
    std::atomic<bool> over{false};
    go([&] { result = receive_one(held_number); });
    go([&] {
        while (!is_held) lab04::yield();
        io::close(held_number);
        over = true;
    });
    for (int i = 0; i < 2; ++i)  // both machines are awake
        go([&] {
            while (!over) lab04::yield();
        });
    CHECK(machines.run() == "");
    before_epoll_ctl = nullptr;
    CHECK(result == -EBADF);
    CHECK(last_operation == EPOLL_CTL_DEL);
    CHECK(last_result == 0);
    held_number = -1;
}
#endif

TEST_CASE("5.1 removing a descriptor that epoll does not know does not add it") {
    INFO("ENOENT from a remove: it is already out; only if a task waits is the number added again");
    EpollSource source;
    Pair pair = Pair::pipe();
    const Pair next = Pair::pipe();
    const std::uint64_t calls = call_counts().epoll_ctl;
    source.watch(pair.a, Want::read);
    source.unwatch(pair.a, Want::read);
    pair.write("x");
    const int copy = system_calls().dup(pair.a);  // epoll still reports the copy, under the old number
    REQUIRE(system_calls().dup2(next.a, pair.a) == pair.a);
    CHECK(source.collect(kit::now()).empty());
    system_calls().close(copy);
    CHECK(call_counts().epoll_ctl - calls >= 2);
    CHECK(source.epoller().add(pair.a, EPOLLIN));
}

TEST_CASE("5.1 a direction without waiters is disarmed, even if a task waits for the other") {
    INFO(
        "disarm the reported direction that is not wanted, and keep the other: otherwise epoll reports it at each "
        "look");
    EpollSource source;
    const Pair pair = Pair::sockets();
    source.watch(pair.a, Want::write);
    CHECK(source.collect(kit::now()).size() == 1);
    source.unwatch(pair.a, Want::write);
    source.watch(pair.a, Want::read);
    CHECK(source.collect(kit::now()).empty());
    CHECK(source.epoller().wait(0).empty());
    pair.write("x");
    CHECK(source.collect(kit::now()).size() == 1);
    source.unwatch(pair.a, Want::read);
}

TEST_CASE("5.2 on several machines each wait ends, even if another task closes the descriptor at that moment") {
    INFO("numbers are reused at once: requests for the old descriptor must not reach the new one");
    record_nothing(kRealTime);
    // ThreadSanitizer reports using and closing a descriptor at the same time as a race, which it is: of this test.
    constexpr bool kCloses = !kit::kUnderSanitizer;
    for (const char* strategy : {"go", "sylar"}) {
        INFO(strategy);
        Machines machines(strategy);
        std::atomic<int> wrong{0};
        for (int task = 0; task < 4; ++task)
            go([&, task] {
                for (int i = 0; i < fiberscope::testing::rounds(300); ++i)
                    converse(task, kCloses && (i + task) % 2 == 0, static_cast<unsigned char>(i % 200 + 1), wrong);
            });
        CHECK(machines.run() == "");
        CHECK(wrong == 0);
        CHECK(machines.source.registered() == 0);
    }
}
