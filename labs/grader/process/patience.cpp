#include "labs/grader/process/patience.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string>
#include <system_error>

#include "labs/grader/process/proc.h"

namespace fiberscope::grader {
namespace {

using std::chrono::nanoseconds;

constexpr int kGenerations = 3;  // of children that are looked at
/// A program that polls without end does a little now and then; what does less than this is idle.
constexpr nanoseconds kNoteworthy = std::chrono::milliseconds(20);

/// The processor time of all threads of a process, ended ones too.
nanoseconds used_by(pid_t child) noexcept {
    clockid_t clock{};
    timespec time{};
    if (::clock_getcpuclockid(child, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return nanoseconds(0);
    return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

nanoseconds in_ticks(unsigned long ticks) {
    return nanoseconds(std::chrono::seconds(1)) * static_cast<long>(ticks) / ::sysconf(_SC_CLK_TCK);
}

/// Processor time, and how much of it the kernel spent.
struct Used {
    nanoseconds all{0}, in_kernel{0};
};

Used used_by_one(pid_t process) {
    const std::string stat = proc::contents(process, "/stat");
    unsigned long user = 0, kernel = 0;
    // state, 10 fields that are not wanted, utime, stime
    if (std::sscanf(proc::after_name(stat), "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &kernel) != 2)
        return {};
    return {in_ticks(user + kernel), in_ticks(kernel)};
}

/// That of a program: the child, and all of the session that it began. A child that has ended does not
/// count: a test tries many short ones, to make a list of random operations short.
Used used_by_program(pid_t child) {
    Used sum{used_by(child), nanoseconds(0)};
    for (const pid_t process : proc::members_of(child)) {
        const Used one = used_by_one(process);
        if (process != child) sum.all += one.all;
        sum.in_kernel += one.in_kernel;
    }
    return sum;
}

bool has_active_thread(pid_t child, int generations);

/// Whether a child of one of its threads is active, or a child of that. Not every system tells the children.
bool has_active_child(pid_t child, const std::string& task, int generations) {
    const std::string children = proc::contents(child, task + "/children");
    for (const char* at = children.c_str(); generations > 0 && *at != '\0';) {
        char* end = nullptr;
        const long one = std::strtol(at, &end, 10);
        if (end == at) break;
        if (has_active_thread(static_cast<pid_t>(one), generations - 1)) return true;
        at = end;
    }
    return false;
}

/// Whether a thread of it runs, waits for a processor or for a disk; or one of a child that it waits for.
bool has_active_thread(pid_t child, int generations) {
    std::error_code error;  // it may end meanwhile
    std::filesystem::directory_iterator at("/proc/" + std::to_string(child) + "/task", error);
    for (; !error && at != end(at); at.increment(error)) {
        const std::string task = "/task/" + at->path().filename().string();
        const std::string stat = proc::contents(child, task + "/stat");
        const char state = *proc::after_name(stat);
        if (state == 'R' || state == 'D' || has_active_child(child, task, generations)) return true;
    }
    return bool(error);
}

}  // namespace

Watch::Watch(pid_t child, const Patience& patience) noexcept
    : child_(child), patience_(patience), began_(Clock::now()), active_(began_) {}

bool Watch::was_idle(nanoseconds used) noexcept {
    const auto now = Clock::now();
    if (used - used_ >= kNoteworthy || has_active_thread(child_, kGenerations)) {
        used_ = used;
        active_ = now;
    }
    return now - active_ >= patience_.idle;
}

Reached Watch::look() noexcept {
    if (is_too_long()) return Reached::wall;
    const Used used = used_by_program(child_);
    if (patience_.processor.count() > 0 && used.all - used.in_kernel * 4 / 5 >= patience_.processor)
        return Reached::processor;
    if (patience_.idle.count() > 0 && was_idle(used.all)) return Reached::idle;
    return Reached::none;
}

nanoseconds Watch::waited() const noexcept {
    unsigned long long ran = 0, waited = 0;
    if (std::sscanf(proc::contents(child_, "/schedstat").c_str(), "%llu %llu", &ran, &waited) != 2)
        return nanoseconds(0);
    return nanoseconds(waited);
}

bool Watch::is_too_long() const noexcept {
    const auto took = Clock::now() - began_;
    return took >= patience_.longest || (took >= patience_.wall && took - waited() >= patience_.wall);
}

int Watch::waited_percent() const noexcept {
    const nanoseconds all = Clock::now() - began_;
    return all.count() > 0 ? static_cast<int>(100 * waited().count() / all.count()) : 0;
}

}  // namespace fiberscope::grader
