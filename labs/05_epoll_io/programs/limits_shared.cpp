// What belongs to the thread or to the process, so that all tasks share it.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "labs/05_epoll_io/mutex.h"
#include "labs/05_epoll_io/programs/limits.h"

namespace fiberscope::lab05::limits {

namespace {

/// How many tasks were between lock and unlock at once at most.
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
    TaskMutex mutex;
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
    TaskMutex mutex;
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
    findings.add("strtok has one place for all tasks: " + mixed, mixed != "abc|xyz");
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

constexpr Demo kDemos[] = {
    {"recursive_mutex", "shared by all tasks", recursive_mutex},
    {"flockfile", "shared by all tasks", lock_of_a_stream},
    {"strtok", "shared by all tasks", static_variables},
    {"chdir", "shared by all tasks", directory},
};

}  // namespace

std::span<const Demo> demos_of_what_is_shared() { return kDemos; }

}  // namespace fiberscope::lab05::limits
