// State of the thread or the process, which all its tasks share.
#include <fcntl.h>
#include <signal.h>
#include <sys/single_threaded.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "labs/04_scheduler/sylar.h"
#include "labs/05_epoll_io/mutex.h"
#include "labs/05_epoll_io/programs/limits.h"

namespace fiberscope::lab05::limits {

namespace {

/// Returns the largest number of tasks that were between lock and unlock at the same time.
template <class Mutex>
int most_inside(Mutex& mutex) {
    int inside = 0, most = 0;
    const auto enter = [&] {
        const std::lock_guard held(mutex);
        most = std::max(most, ++inside);
        ::usleep(1000);
        --inside;
    };
    run_both(enter, enter);
    return most;
}

void recursive_mutex(Findings& findings) {
    std::recursive_mutex recursive;
    findings.add("two tasks are inside a std::recursive_mutex at once: its owner is the thread",
                 most_inside(recursive) == 2);
    TaskMutex mutex("a mutex");
    findings.add("instead: TaskMutex", most_inside(mutex) == 1);
}

void lock_of_a_stream(Findings& findings) {
    const auto both_write = [](const auto& lock, const auto& unlock) {
        const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::tmpfile(), std::fclose);
        const auto write = [&] {
            lock(stream.get());
            std::fputs("begin ", stream.get());
            ::usleep(1000);
            std::fputs("end ", stream.get());
            unlock(stream.get());
        };
        run_both(write, write);
        char text[64] = "";
        std::rewind(stream.get());
        static_cast<void>(!std::fgets(text, sizeof text, stream.get()));
        return std::string(text);
    };
    findings.add("two tasks are inside flockfile at once, and their lines mix",
                 both_write(::flockfile, ::funlockfile) == "begin begin end end ");
    TaskMutex mutex("a mutex");
    findings.add(
        "instead: a TaskMutex around it",
        both_write([&](std::FILE*) { mutex.lock(); }, [&](std::FILE*) { mutex.unlock(); }) == "begin end begin end ");
}

void static_variables(Findings& findings) {
    const auto words = [](const char* text, const auto& next) {
        std::string copy(text), all;
        char* place = nullptr;
        for (char* word = next(copy.data(), &place); word != nullptr; word = next(nullptr, &place)) {
            all += word;
            ::usleep(1000);
        }
        return all;
    };
    const auto both = [&](const auto& next) {
        std::string first, second;
        run_both([&] { first = words("a b c", next); }, [&] { second = words("x y z", next); });
        return first + "|" + second;
    };
    const std::string mixed =
        both([](char* text, char**) { return ::strtok(text, " "); });  // NOLINT: that is the point
    findings.add("strtok has one position for all tasks: " + mixed, mixed != "abc|xyz");
    findings.add("instead: strtok_r; a lab04::TaskLocal in place of a static variable",
                 both([](char* text, char** place) { return ::strtok_r(text, " ", place); }) == "abc|xyz");
}

void directory(Findings& findings) {
    const std::filesystem::path before = std::filesystem::current_path();
    bool stayed = true, opened = false;
    run_both(
        [&] {
            static_cast<void>(!::chdir("/tmp"));
            ::usleep(1000);
            stayed = std::filesystem::current_path() == "/tmp";
        },
        [] { static_cast<void>(!::chdir("/")); });
    findings.add("the current directory is the process's: another task has changed it", !stayed);
    run_both(
        [&] {
            const int root = ::open("/", O_DIRECTORY | O_RDONLY | O_CLOEXEC);
            ::usleep(1000);
            struct stat status {};
            opened = ::fstatat(root, "tmp", &status, 0) == 0;
            ::close(root);
        },
        [] { static_cast<void>(!::chdir("/proc")); });
    findings.add("instead: openat and fstatat", opened);
    std::filesystem::current_path(before);
}

enum class End { returned, aborted, stands_still };

/// A child that runs `body`. It is stuck if it sleeps in the kernel in consecutive checks without having run in
/// between.
End end_of_child(const std::function<void()>& body) {
    constexpr int kLooks = 40;
    const pid_t child = ::fork();
    if (child == 0) {
        ::close(STDERR_FILENO);
        body();
        std::_Exit(0);
    }
    const auto run_so_far = [child] {
        std::ifstream status("/proc/" + std::to_string(child) + "/status");
        std::string all, line;
        while (std::getline(status, line))
            if (line.starts_with("State") || line.find("ctxt_switches") != line.npos) all += line;
        return all;
    };
    std::string before;
    for (int still = 0, status = 0; still < kLooks;) {
        if (::waitpid(child, &status, WNOHANG) != 0) return WIFEXITED(status) ? End::returned : End::aborted;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        const std::string now = run_so_far();
        still = now == before && now.find("S (sleeping)") != now.npos ? still + 1 : 0;
        before = now;
    }
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    return End::stands_still;
}

int after_a_hooked_call() {
    ::usleep(1000);
    return 1;
}
void both_come_to_a_static_local() {
    const auto use = [] { [[maybe_unused]] static const int slow = after_a_hooked_call(); };
    run_both(use, use);
}

void static_local(Findings& findings) {
    if (__libc_single_threaded != 0)
        findings.add("two tasks come to a static local whose initializer makes a hooked call: recursive_init_error",
                     end_of_child(both_come_to_a_static_local) == End::aborted);
    findings.add("the same in a program that has ever created a thread: the thread waits for itself forever",
                 end_of_child([] {
                     std::thread([] {}).join();
                     both_come_to_a_static_local();
                 }) == End::stands_still);
    findings.add("instead: an initializer that makes no hooked call, or that has run before the tasks begin",
                 end_of_child([] {
                     const auto use = [] { [[maybe_unused]] static const int quick = ::getpid(); };
                     run_both(use, use);
                 }) == End::returned);
}

/// A separate function that the compiler cannot treat as constant: it is called each time.
[[gnu::noinline]] std::thread::id number_asked_anew() {
    asm volatile("");
    return std::this_thread::get_id();
}

void number_of_the_thread(Findings& findings) {
    EpollSource source;
    lab04::Scheduler scheduler(lab04::Settings{.strategy = "sylar", .source = &source, .machines = 2});
    bool moved = false, old_number = false, anew = false;
    lab04::go([&] {
        lab04::move_to(0);
        const pid_t here = ::gettid();
        const std::thread::id before = std::this_thread::get_id(), before_anew = number_asked_anew();
        lab04::move_to(1);
        moved = ::gettid() != here;
        old_number = std::this_thread::get_id() == before;
        anew = number_asked_anew() != before_anew;
    });
    static_cast<void>(scheduler.run());
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
    findings.add("std::this_thread::get_id() after a task has moved to another thread: the number of the old one",
                 moved && old_number);
#endif
    findings.add("instead: gettid(), or a separate function that is not inlined", moved && anew);
}

constexpr Demo kDemos[] = {
    {"recursive_mutex", "shared by all tasks", recursive_mutex},
    {"flockfile", "shared by all tasks", lock_of_a_stream},
    {"strtok", "shared by all tasks", static_variables},
    {"chdir", "shared by all tasks", directory},
    {"static_local", "shared by all tasks", static_local},
    {"get_id", "belongs to the thread", number_of_the_thread},
};

}  // namespace

std::span<const Demo> demos_of_what_is_shared() { return kDemos; }

}  // namespace fiberscope::lab05::limits
