// Step 6.5: a wait that is interrupted by a signal.
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <system_error>
#include <thread>

#include "labs/06_timers/descriptor.h"
#include "labs/06_timers/loop.h"
#include "labs/06_timers/tests/support.h"

using namespace fiberscope;
using namespace fiberscope::lab06;
using namespace fiberscope::lab06::testing;

namespace {

/// Returns the timeout with which a thread of this process waits in epoll; 0 if it does not wait or that is unknown.
long timeout_of_wait_in(pid_t thread) {
    std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/syscall");
    long call = 0;
    std::string argument[4];
    if (!(file >> call >> argument[0] >> argument[1] >> argument[2] >> argument[3])) return 0;
#ifdef SYS_epoll_wait
    const bool waits = call == SYS_epoll_wait || call == SYS_epoll_pwait;
#else
    const bool waits = call == SYS_epoll_pwait;
#endif
    return waits ? static_cast<long>(std::stoul(argument[3], nullptr, 16)) : 0;
}

std::atomic<int> signals_come{0};

/// Interrupts a wait by a signal, and records the timeouts before and after it; then ends the wait by a byte.
class Interrupts {
  public:
    explicit Interrupts(int to) : end(to) {}
    pid_t waiting = gettid();
    int end;
    long before = 0, after = 0;

    /// Returns 0 if no wait is seen for a long time: an emulator shows its own calls instead of the program's.
    long next_timeout(const std::stop_token& stop) const {
        long timeout = 0;
        for (int looks = 0; looks < 500 && timeout == 0 && !stop.stop_requested(); ++looks) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            timeout = timeout_of_wait_in(waiting);
        }
        return timeout;
    }
    void operator()(const std::stop_token& stop) {
        before = next_timeout(stop);
        if (before != 0) interrupt(stop);
        static_cast<void>(!write(end, "x", 1));
    }

  private:
    void interrupt(const std::stop_token& stop) {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));  // more than the rounding of timeouts
        syscall(SYS_tgkill, getpid(), waiting, SIGUSR1);
        while (signals_come == 0 && !stop.stop_requested()) std::this_thread::yield();
        after = next_timeout(stop);
    }
};

}  // namespace

TEST_CASE("6.5 after a signal a wait continues for its remaining time, not for all of it") {
    if (kit::kUnderSanitizer || !std::ifstream("/proc/thread-self/syscall").good()) {
        SUCCEED("a sanitizer delays signals, or the system does not show in which call a thread waits");
        return;
    }
    record_nothing(kRealTime);
    int ends[2];
    {
        INFO("the system gives the test no pair of sockets; your code is not at fault");
        REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    }
    struct sigaction action {};
    action.sa_handler = [](int) { ++signals_come; };
    sigaction(SIGUSR1, &action, nullptr);
    TimedSource source;
    source.watch(ends[1], lab04::Want::read);
    Interrupts interrupts(ends[0]);
    std::size_t events = 0;
    {
        const std::jthread other(std::ref(interrupts));
        events = source.wait(kit::now() + 1'000 * kSecond).size();
    }
    INFO("recompute the timeout before each look: the interrupted one has used up a part of it");
    CHECK(events == 1);
    CHECK((interrupts.before == 0 || interrupts.after < interrupts.before));
    source.unwatch(ends[1], lab04::Want::read);
    for (const int end : ends) close(end);
}
