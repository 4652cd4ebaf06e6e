// Step 5.5: signals. A handler without SA_RESTART ends the hooked calls of its thread, as it ends calls that block.
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/select.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include "labs/05_epoll_io/tests/support/blocking.h"

using namespace fiberscope;
using namespace fiberscope::lab05;
using namespace fiberscope::lab05::testing;

namespace {

int handled = 0;
void count_signal(int) { ++handled; }
void count_informed(int number, siginfo_t* info, void*) {
    if (info->si_signo == number) ++handled;
}

void on(int number, int flags) {
    struct sigaction action {};
    action.sa_handler = count_signal;
    action.sa_flags = flags;
    sigaction(number, &action, nullptr);
}

std::string in_words(long result) { return result >= 0 ? std::to_string(result) : errno == EINTR ? "EINTR" : "error"; }

/// What `call` returns in a hooked task if a signal comes while it waits, whose handler has `flags`. If it has outlived
/// the signal, `release` lets it end.
std::string ended_by_signal(int flags, const std::function<long()>& call, const std::function<void()>& release = {}) {
    handled = 0;
    on(SIGUSR1, flags);
    Stand stand(kRealTime);
    std::string log = "not over";
    bool over = false;
    const Handle caller = go_hooked("caller", [&] {
        errno = 0;
        const long result = call();
        log = in_words(result) + (handled == 1 ? "" : " without its handler");
        over = true;
    });
    later(2 * kMillisecond, "signals", [&] {
        ::raise(SIGUSR1);
        sleep_for(2 * kMillisecond);
        if (!over && release) {
            log = "goes on: ";
            const std::string before = log;
            release();
            lab04::join(caller);
            log = before + log;
        }
    });
    const std::string failed = stand.run();
    return failed.empty() ? log : failed;
}

struct Unread {
    Pair sockets = blocking_pair(), pipe = blocking_pair(Pair::pipe());
    char buffer[8];
    long read(int fd) { return ::read(fd, buffer, sizeof buffer); }
};

}  // namespace

TEST_CASE("5.5 third: a signal whose handler has no SA_RESTART ends calls that wait for a descriptor") {
    WITHOUT_HOOK_NOTHING
    Unread ends;
    INFO("a program that blocks expects -1 with EINTR from its read after the handler has run");
    CHECK(ended_by_signal(0, [&] { return ends.read(ends.sockets.a); }) == "EINTR");
    CHECK(ended_by_signal(0, [&] { return ends.read(ends.pipe.a); }) == "EINTR");
    CHECK(ended_by_signal(0, [&] { return ::recv(ends.sockets.a, ends.buffer, 8, MSG_WAITALL); }) == "EINTR");
}

TEST_CASE("5.5 third: after a handler with SA_RESTART a read goes on") {
    WITHOUT_HOOK_NOTHING
    INFO("a handler with SA_RESTART does not end a read: wait on");
    Unread ends;
    const auto release = [&] { ends.sockets.write("abc"); };
    CHECK(ended_by_signal(
              SA_RESTART, [&] { return ends.read(ends.sockets.a); }, release) == "goes on: 3");
    CHECK(ended_by_signal(
              SA_RESTART, [&] { return ends.read(ends.pipe.a); }, [&] { ends.pipe.write("ab"); }) == "goes on: 2");
}

TEST_CASE("5.5 third: a handler with SA_RESTART does not hide one without it that has run just before") {
    WITHOUT_HOOK_NOTHING
    INFO("given: of all handlers that have run since the loop looked last, one without SA_RESTART is enough");
    on(SIGUSR1, 0);
    on(SIGUSR2, SA_RESTART);
    Stand stand(kRealTime);
    Unread ends;
    std::string log = "not over";
    go_hooked([&] { log = in_words(ends.read(ends.pipe.a)); });
    go([&] {
        sleep_for(2 * kMillisecond);
        ::raise(SIGUSR1);
        ::raise(SIGUSR2);
        for (int looks = 0; looks < 100 && log == "not over"; ++looks) sleep_for(2 * kMillisecond);
        if (log == "not over") ends.pipe.write("ab");
    });
    CHECK(stand.run() == "");
    CHECK(log == "EINTR");
}

TEST_CASE("5.5 third: what the kernel never restarts ends in spite of SA_RESTART") {
    WITHOUT_HOOK_NOTHING
    INFO("poll, select, sleeps and calls with a limit end with EINTR, whatever SA_RESTART says (signal(7))");
    Unread ends;
    pollfd one{ends.sockets.a, POLLIN, 0};
    CHECK(ended_by_signal(SA_RESTART, [&] { return ::poll(&one, 1, -1); }) == "EINTR");
    CHECK(ended_by_signal(SA_RESTART, [&] {
              fd_set set;
              FD_ZERO(&set);
              FD_SET(ends.pipe.a, &set);
              return ::select(ends.pipe.a + 1, &set, nullptr, nullptr, nullptr);
          }) == "EINTR");
    timespec left{};
    const timespec long_time{1000, 0};
    CHECK(ended_by_signal(SA_RESTART, [&] { return ::nanosleep(&long_time, &left); }) == "EINTR");
    CHECK(left.tv_sec >= 900);
    CHECK(ended_by_signal(SA_RESTART, [&] { return ::sleep(1000) > 900 ? 1 : 0; }) == "1");
    CHECK(ended_by_signal(SA_RESTART, [&] { return ::usleep(900'000'000); }) == "EINTR");
    limit(ends.sockets.a, SO_RCVTIMEO, 900'000);
    INFO("recv with SO_RCVTIMEO is not restarted (signal(7))");
    CHECK(ended_by_signal(SA_RESTART, [&] { return ends.read(ends.sockets.a); }) == "EINTR");
}

TEST_CASE("5.5 third: a write that a signal ends says how much it has written") {
    WITHOUT_HOOK_NOTHING
    INFO("what was written is the result; only nothing is EINTR");
    const Pair pair = blocking_pair();
    const std::string much(1 << 22, 'x');
    const std::string written = ended_by_signal(0, [&] { return ::write(pair.a, much.data(), much.size()); });
    CHECK(written != "EINTR");
    CHECK(std::atol(written.c_str()) > 0);
    CHECK(std::atol(written.c_str()) < static_cast<long>(much.size()));
    CHECK(ended_by_signal(0, [&] { return ::send(pair.a, much.data(), much.size(), 0); }) == "EINTR");
}

TEST_CASE("5.5 third: a signal ends a wait for a child, but neither system nor pclose") {
    WITHOUT_HOOK_NOTHING
    INFO("waitpid ends with EINTR; system and pclose wait on");
    const auto wait_for_sleeper = [] {
        int status = 0;
        const pid_t child = ::fork();
        if (child == 0) {
            sigset_t all;
            sigfillset(&all);
            for (;;) sigwaitinfo(&all, nullptr);
        }
        const long ended = ::waitpid(child, &status, 0);
        const int error = errno;
        ::kill(child, SIGKILL);
        while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
        errno = error;
        return ended;
    };
    CHECK(ended_by_signal(0, wait_for_sleeper) == "EINTR");
    const std::string gate = (std::filesystem::temp_directory_path() / std::to_string(::getpid())).string();
    const std::string until_released = "until rm '" + gate + "' 2>/dev/null; do sleep 0.01; done";
    CHECK(ended_by_signal(
              0, [&] { return static_cast<long>(::system(until_released.c_str())); },
              [&] { std::ofstream open(gate); }) == "goes on: 0");
}

TEST_CASE("5.5 third: an alarm ends a read, while its thread sleeps in the poller too") {
    WITHOUT_HOOK_NOTHING
    INFO("a signal also ends the wait of the poller, and the tasks look at it then");
    handled = 0;
    on(SIGALRM, 0);
    Stand stand(kRealTime);
    Unread ends;
    Log log;
    go_hooked("limits itself by alarm", [&] {
        ::alarm(1);
        log.push_back(in_words(ends.read(ends.sockets.a)));
        const itimerval soon{{0, 0}, {0, 2000}};
        setitimer(ITIMER_REAL, &soon, nullptr);
        log.push_back(in_words(ends.read(ends.pipe.a)));
    });
    CHECK(stand.run() == "");
    CHECK(log == Log{"EINTR", "EINTR"});
    CHECK(handled == 2);
}

TEST_CASE("5.5 third: a signal ends every hooked call of its thread, and no call of another thread or task") {
    WITHOUT_HOOK_NOTHING
    INFO("the handler is run by one thread: the hooked calls of that thread's tasks end, and no others");
    handled = 0;
    on(SIGUSR1, 0);
    Log log;
    const Pair mine = blocking_pair(), other = blocking_pair();
    std::atomic<bool> begun{false};
    use_real_time();
    std::thread thread([&] {
        Stand stand(std::nullopt);
        go_hooked("reader", [&] {
            begun = true;
            char byte;
            log.push_back("thread " + in_words(::read(other.a, &byte, 1)));
        });
        static_cast<void>(stand.run());
    });
    while (!begun) std::this_thread::yield();
    Stand stand(std::nullopt);
    for (const char* name : {"one", "two"})
        go_hooked(name, [&, name] {
            char byte;
            log.push_back(name + (" " + in_words(::read(mine.a, &byte, 1))));
        });
    bool awake = false;
    go([&] { awake = sleep_for(50 * kMillisecond) != Wake::timeout; }, "not hooked");
    later(2 * kMillisecond, "signals", [&] { pthread_kill(pthread_self(), SIGUSR1); });
    const std::string failed = stand.run();
    other.write("x");
    thread.join();
    CHECK(failed == "");
    CHECK(log == Log{"one EINTR", "two EINTR", "thread 1"});
    CHECK_FALSE(awake);
}

TEST_CASE("5.5 third: programs see the handlers that they have set") {
    WITHOUT_HOOK_NOTHING
    INFO("sigaction and signal return what the program has set, and not the hook's own handler");
    struct sigaction action {
    }, now{};
    action.sa_sigaction = count_informed;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    sigaddset(&action.sa_mask, SIGUSR2);
    REQUIRE(sigaction(SIGUSR1, &action, nullptr) == 0);
    REQUIRE(sigaction(SIGUSR1, nullptr, &now) == 0);
    CHECK(now.sa_sigaction == count_informed);
    CHECK((now.sa_flags & (SA_SIGINFO | SA_RESTART)) == (SA_SIGINFO | SA_RESTART));
    CHECK(sigismember(&now.sa_mask, SIGUSR2) == 1);
    handled = 0;
    ::raise(SIGUSR1);
    CHECK(handled == 1);
    CHECK(::signal(SIGUSR1, count_signal) != SIG_ERR);
    CHECK(::signal(SIGUSR1, SIG_IGN) == count_signal);
    CHECK(::signal(SIGUSR1, count_signal) == SIG_IGN);
    CHECK(::signal(SIGUSR1, SIG_DFL) == count_signal);
    CHECK(::signal(SIGUSR1, count_signal) == SIG_DFL);
    CHECK(::signal(SIGKILL, count_signal) == SIG_ERR);
    REQUIRE(sigaction(SIGUSR1, nullptr, &now) == 0);
    CHECK((now.sa_flags & (SA_SIGINFO | SA_RESTART)) == SA_RESTART);
    // By name: headers warn of it.
    const auto interrupt = reinterpret_cast<int (*)(int, int)>(dlsym(RTLD_DEFAULT, "siginterrupt"));
    REQUIRE(interrupt(SIGUSR1, 1) == 0);
    REQUIRE(sigaction(SIGUSR1, nullptr, &now) == 0);
    CHECK((now.sa_flags & SA_RESTART) == 0);
    CHECK(now.sa_handler == count_signal);
    interrupt(SIGUSR1, 0);
    struct sigaction once {};
    once.sa_handler = count_signal;
    once.sa_flags = static_cast<int>(SA_RESETHAND);
    REQUIRE(sigaction(SIGUSR1, &once, nullptr) == 0);
    ::raise(SIGUSR1);
    REQUIRE(sigaction(SIGUSR1, nullptr, &now) == 0);
    CHECK(now.sa_handler == SIG_DFL);
    char byte = 0;
    const Pair pair = blocking_pair();
    INFO("and a handler that was set after all this ends a hooked call");
    CHECK(ended_by_signal(0, [&] { return ::read(pair.a, &byte, 1); }) == "EINTR");
}
