// Hooked calls, and calls that stop the thread.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>

#include "labs/05_epoll_io/mutex.h"
#include "labs/05_epoll_io/programs/limits.h"

namespace fiberscope::lab05::limits {

namespace {

void reads(Findings& findings) {
    const Pipe pipe;
    char byte = 0;
    int turns = 0;
    after_20_ms([&] { static_cast<void>(!::write(pipe.write_end, "x", 1)); },
                [&] { turns = turns_beside([&] { static_cast<void>(!::read(pipe.read_end, &byte, 1)); }); });
    findings.add("while a task waited in read, another task ran", turns > 0);
}

void sleeps(Findings& findings) {
    findings.add("while a task slept, another task ran", turns_beside([] { ::usleep(20'000); }) > 0);
    findings.add("while a task waited in poll, another task ran", turns_beside([] { ::poll(nullptr, 0, 20); }) > 0);
}

void within_the_library(Findings& findings) {
    const Pipe pipe;
    std::FILE* const stream = fdopen(::dup(pipe.read_end), "r");
    char line[8];
    int turns = 0;
    const auto write_line = [&] { static_cast<void>(!::write(pipe.write_end, "x\n", 2)); };
    after_20_ms(write_line,
                [&] { turns = turns_beside([&] { static_cast<void>(!std::fgets(line, sizeof line, stream)); }); });
    findings.add("while a task waited in fgets, no other task ran: that read is within the C library", turns <= 0);
    after_20_ms(write_line,
                [&] { turns = turns_beside([&] { static_cast<void>(!::read(pipe.read_end, line, sizeof line)); }); });
    findings.add("instead: read", turns > 0);
    std::fclose(stream);
}

void other_waits(Findings& findings) {
    const int poller = epoll_create1(EPOLL_CLOEXEC);
    epoll_event event{};
    int turns = turns_beside([&] { epoll_wait(poller, &event, 1, 20); });
    findings.add("while a task waited in epoll_wait, no other task ran", turns <= 0);
    turns = turns_beside([&] {
        pollfd one{poller, POLLIN, 0};
        if (::poll(&one, 1, 20) > 0) epoll_wait(poller, &event, 1, 0);
    });
    findings.add("instead: poll the epoll descriptor itself, then call epoll_wait with time-out 0", turns > 0);
    const auto work = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };  // fsync, flock, a large file
    const Pipe pipe;
    turns = turns_beside([&] {
        std::thread thread([&] {
            work();
            static_cast<void>(!::write(pipe.write_end, "x", 1));
        });
        char byte;
        static_cast<void>(!::read(pipe.read_end, &byte, 1));
        thread.join();
    });
    findings.add("or: a separate thread, and a pipe that reports its end", turns > 0);
}

void plain_mutex(Findings& findings) {
    std::timed_mutex plain;
    bool got = true;
    run_both(
        [&] {
            const std::lock_guard held(plain);
            ::usleep(1000);
        },
        [&] { got = plain.try_lock_for(std::chrono::milliseconds(20)); });
    findings.add("a task that holds a std::mutex over a hooked call, and another that locks it: the thread is blocked",
                 !got);
    TaskMutex mutex("a mutex");
    int held_by = 0;
    const auto hold = [&] {
        const std::lock_guard held(mutex);
        ::usleep(1000);
        ++held_by;
    };
    run_both(hold, hold);
    findings.add("instead: TaskMutex, which parks the task", held_by == 2);
}

void condition_of_threads(Findings& findings) {
    std::mutex plain;
    std::condition_variable told;
    bool ready = false, in_time = true;
    run_both(
        [&] {
            std::unique_lock lock(plain);
            in_time = told.wait_for(lock, std::chrono::milliseconds(20), [&] { return ready; });
        },
        [&] { ready = true; });
    findings.add("a std::condition_variable waits for a task that cannot run", !in_time);
    TaskMutex mutex("a mutex");
    TaskCondition changed("a change");
    ready = false;
    run_both(
        [&] {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return ready; });
        },
        [&] {
            const std::lock_guard held(mutex);
            ready = true;
            changed.notify_one();
        });
    findings.add("instead: TaskCondition", ready);
}

constexpr Demo kDemos[] = {
    {"read", "hooked", reads},
    {"sleep", "hooked", sleeps},
    {"fgets", "stops the thread", within_the_library},
    {"epoll_wait", "stops the thread", other_waits},
    {"mutex", "stops the thread", plain_mutex},
    {"condition", "stops the thread", condition_of_threads},
};

}  // namespace

std::span<const Demo> demos_of_calls() { return kDemos; }

}  // namespace fiberscope::lab05::limits
