#include "labs/grader/process/proc.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

namespace fiberscope::grader::proc {
namespace {

using std::chrono::nanoseconds;

std::string folder_of(pid_t process) { return "/proc/" + std::to_string(process); }

/// The fields of a `stat` file after the program's name, which may contain anything. The first one is the state's
/// letter. Empty if the process or thread has ended.
std::string stat_of(const std::string& folder) {
    std::ifstream in(folder + "/stat");
    const std::string text(std::istreambuf_iterator<char>(in), {});
    const std::size_t at = text.rfind(") ");
    return at == text.npos || text[at + 2] == 'Z' || text[at + 2] == 'X' ? "" : text.substr(at + 2);
}

nanoseconds in_ticks(unsigned long ticks) {
    return nanoseconds(std::chrono::seconds(1)) * static_cast<long>(ticks) / ::sysconf(_SC_CLK_TCK);
}

bool has_running_thread(pid_t process) {
    std::error_code error;  // it may end in the meantime
    std::filesystem::directory_iterator at(folder_of(process) + "/task", error);
    for (; !error && at != end(at); at.increment(error))
        if (const std::string stat = stat_of(at->path()); stat.starts_with('R') || stat.starts_with('D')) return true;
    return bool(error);
}

}  // namespace

std::vector<pid_t> members_of(pid_t leader) {
    std::vector<pid_t> found;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error))
        if (const pid_t process = std::atoi(entry.path().filename().c_str());
            process > 0 && ::getsid(process) == leader && !stat_of(entry.path()).empty())
            found.push_back(process);
    return found;
}

Activity activity_of(pid_t leader) {
    Activity sum;
    for (const pid_t process : members_of(leader)) {
        unsigned long user = 0, kernel = 0;
        // state, 10 unused fields, utime, stime
        std::sscanf(stat_of(folder_of(process)).c_str(), "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
                    &kernel);
        sum.user += in_ticks(user);
        sum.kernel += in_ticks(kernel);
        sum.is_running = sum.is_running || has_running_thread(process);
    }
    return sum;
}

void kill_session(pid_t leader) {
    constexpr int kRounds = 20;  // a process that was forked in the meantime is found in the next round
    for (int round = 0; round < kRounds; ++round) {
        const std::vector<pid_t> left = members_of(leader);
        if (left.empty()) return;
        for (const pid_t one : left) ::kill(one, SIGKILL);
        ::usleep(5000);
    }
}

}  // namespace fiberscope::grader::proc
