#include "labs/grader/process/patience.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "labs/grader/process/proc.h"

namespace fiberscope::grader {
namespace {

using std::chrono::nanoseconds;

/// A program that polls forever uses a little time now and then; usage below this is idle.
constexpr nanoseconds kNoteworthy = std::chrono::milliseconds(20);

nanoseconds in_ticks(unsigned long ticks) {
    return nanoseconds(std::chrono::seconds(1)) * static_cast<long>(ticks) / ::sysconf(_SC_CLK_TCK);
}

/// CPU time, and the part spent in the kernel.
struct Used {
    nanoseconds all{0}, in_kernel{0};
};

Used used_by_one(pid_t process) {
    const std::string stat = proc::contents(process, "/stat");
    unsigned long user = 0, kernel = 0;
    // state, 10 unused fields, utime, stime
    if (std::sscanf(proc::after_name(stat), "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &kernel) != 2)
        return {};
    return {in_ticks(user + kernel), in_ticks(kernel)};
}

/// Total over all processes of its session. Children that have ended do not count: a test tries many short ones when it
/// shortens a list of random operations.
Used used_by_program(pid_t program) {
    Used sum;
    for (const pid_t process : proc::members_of(program)) {
        const Used one = used_by_one(process);
        sum.all += one.all;
        sum.in_kernel += one.in_kernel;
    }
    return sum;
}

/// Whether a thread of the process is running, or waiting for a processor or a disk.
bool is_active(pid_t process) {
    std::error_code error;  // it may end in the meantime
    std::filesystem::directory_iterator at("/proc/" + std::to_string(process) + "/task", error);
    for (; !error && at != end(at); at.increment(error)) {
        const std::string stat = proc::contents(process, "/task/" + at->path().filename().string() + "/stat");
        if (const char state = *proc::after_name(stat); state == 'R' || state == 'D') return true;
    }
    return bool(error);
}

}  // namespace

Watch::Watch(pid_t child, const Patience& patience) noexcept
    : child_(child), patience_(patience), began_(Clock::now()), active_(began_), counted_from_(began_) {}

bool Watch::was_idle(nanoseconds used) noexcept {
    const auto now = Clock::now();
    const std::vector<pid_t> program = proc::members_of(child_);
    if (used - used_ >= kNoteworthy || std::any_of(program.begin(), program.end(), is_active)) {
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
    const auto took = Clock::now() - counted_from_;
    return took >= patience_.longest || (took >= patience_.wall && took - waited() >= patience_.wall);
}

int Watch::waited_percent() const noexcept {
    const nanoseconds all = Clock::now() - began_;
    return all.count() > 0 ? static_cast<int>(100 * waited().count() / all.count()) : 0;
}

}  // namespace fiberscope::grader
