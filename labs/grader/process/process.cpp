#include "labs/grader/process/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace fiberscope::grader {
namespace {

std::string folder_of(pid_t process) { return "/proc/" + std::to_string(process); }

/// The fields of a `stat` file after the program's name, which may contain anything. The first one is the state's
/// letter. Empty if the process or thread has ended.
std::string stat_of(const std::string& folder) {
    std::ifstream in(folder + "/stat");
    std::string text;
    std::getline(in, text, '\0');  // all of it; nothing if the process ends meanwhile
    const std::size_t at = text.rfind(") ");
    return at == text.npos || text[at + 2] == 'Z' || text[at + 2] == 'X' ? "" : text.substr(at + 2);
}

Milliseconds in_ticks(long ticks) { return Milliseconds(1000 * ticks / ::sysconf(_SC_CLK_TCK)); }

bool has_running_thread(pid_t process) {
    std::error_code error;  // it may end in the meantime
    std::filesystem::directory_iterator at(folder_of(process) + "/task", error);
    for (; !error && at != end(at); at.increment(error))
        if (const std::string stat = stat_of(at->path()); stat.starts_with('R') || stat.starts_with('D')) return true;
    return bool(error);
}

/// The living processes of the session that `leader` created, including itself.
std::vector<pid_t> members_of(pid_t leader) {
    std::vector<pid_t> found;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", error))
        if (const pid_t process = std::atoi(entry.path().filename().c_str());
            process > 0 && ::getsid(process) == leader && !stat_of(entry.path()).empty())
            found.push_back(process);
    return found;
}

/// What the living processes of a session do.
struct Activity {
    Milliseconds user{0}, kernel{0};  ///< CPU time that they have used
    bool is_running = false;          ///< whether a thread runs, or waits for a processor or a disk
};

/// Children that have ended do not count: a test tries many short ones when it shortens a list of random operations.
Activity activity_of(pid_t leader) {
    Activity sum;
    for (const pid_t process : members_of(leader)) {
        long user = 0, kernel = 0;
        // state, 10 unused fields, utime, stime
        std::sscanf(stat_of(folder_of(process)).c_str(), "%*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %ld %ld", &user,
                    &kernel);
        sum.user += in_ticks(user);
        sum.kernel += in_ticks(kernel);
        sum.is_running = sum.is_running || has_running_thread(process);
    }
    return sum;
}

/// Kills every process of the session that `leader` created.
void kill_session(pid_t leader) {
    constexpr int kRounds = 20;  // a process that was forked in the meantime is found in the next round
    for (int round = 0; round < kRounds; ++round) {
        const std::vector<pid_t> left = members_of(leader);
        if (left.empty()) return;
        for (const pid_t one : left) ::kill(one, SIGKILL);
        ::usleep(5000);
    }
}

using Clock = std::chrono::steady_clock;

constexpr int kReportFd = 3;
constexpr std::size_t kMostOutput = 1 << 20, kMostReport = 1 << 16;  // bytes kept; the rest is read and discarded
constexpr Milliseconds kGrace{1000};  // for the handler of SIGTERM, which writes the trace
constexpr Milliseconds kBetweenLooks{50};
/// A program that polls forever uses a little time now and then; usage below this is idle.
constexpr Milliseconds kNoteworthy{20};

/// A running program.
struct Child {
    std::size_t index;
    pid_t pid;
    int output, report;  ///< read ends; -1 after their end
    Patience patience;
    Clock::time_point began = Clock::now();
    Clock::time_point active = began;  ///< time of its last activity
    Clock::time_point kill_at = {};    ///< if a limit was reached
    Milliseconds used{0};              ///< CPU time used until `active`
    Outcome outcome = {};
};

std::array<int, 2> make_pipe() {
    std::array<int, 2> ends;
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    return ends;
}

void close_end(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
}

/// In the child. The grader has one thread, so this may allocate.
[[noreturn]] void become(const Command& command, int output, int report) {
    ::setsid();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    sigset_t empty;
    sigemptyset(&empty);
    ::sigprocmask(SIG_SETMASK, &empty, nullptr);
    const int null = ::open("/dev/null", O_RDONLY);
    // The pipes are close-on-exec and numbered above the target descriptors, so no dup2 overwrites one that is still
    // needed.
    ::dup2(null, STDIN_FILENO);
    ::dup2(output, STDOUT_FILENO);
    ::dup2(output, STDERR_FILENO);
    ::dup2(report, kReportFd);
    for (const auto& [name, value] : command.environment) ::setenv(name.c_str(), value.c_str(), 1);
    ::setenv("FIBERSCOPE_REPORT_FD", std::to_string(kReportFd).c_str(), 1);
    std::vector<char*> arguments;
    for (const std::string& word : command.arguments) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execvp(arguments[0], arguments.data());
    std::fprintf(stderr, "%s cannot be started: %s\n", arguments[0], std::strerror(errno));
    ::_exit(127);
}

Child start(std::size_t index, const Command& command) {
    auto output = make_pipe(), report = make_pipe();
    const pid_t pid = ::fork();
    if (pid < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (pid == 0) become(command, output[1], report[1]);
    close_end(output[1]);
    close_end(report[1]);
    return {index, pid, output[0], report[0], command.patience};
}

/// Reads what is available; keeps at most `most` bytes in `text`. Closes `fd` at the end. Returns whether something was
/// cut.
bool drain(int& fd, std::string& text, std::size_t most) {
    std::array<char, 16'384> buffer;
    bool cut = false;
    // Bounded, so that a flood of output does not delay the time limits and the other programs.
    for (int turn = 0; turn < 16 && fd >= 0; ++turn) {
        const ssize_t n = ::read(fd, buffer.data(), buffer.size());
        if (n < 0 && (errno == EAGAIN || errno == EINTR)) break;
        if (n <= 0) {
            close_end(fd);
            break;
        }
        const std::size_t kept = std::min(most - text.size(), static_cast<std::size_t>(n));
        text.append(buffer.data(), kept);
        cut = cut || kept < static_cast<std::size_t>(n);
    }
    return cut;
}

void drain(Child& child) {
    child.outcome.output_cut |= drain(child.output, child.outcome.output, kMostOutput);
    drain(child.report, child.outcome.report, kMostReport);
}

/// The limit that it has reached.
Reached limit_of(Child& child) {
    const auto now = Clock::now();
    const Patience& patience = child.patience;
    if (patience.elapsed.count() == 0) return Reached::none;
    const Activity activity = activity_of(child.pid);
    child.outcome.used = activity.user + activity.kernel;
    if (now - child.began >= patience.elapsed) return Reached::elapsed;
    if (activity.user + activity.kernel / 5 >= patience.processor) return Reached::processor;
    if (activity.is_running || child.outcome.used - child.used >= kNoteworthy) {
        child.used = child.outcome.used;
        child.active = now;
    }
    return now - child.active >= patience.idle ? Reached::idle : Reached::none;
}

void end_if_over(Child& child) {
    if (child.outcome.reached != Reached::none) {
        if (Clock::now() >= child.kill_at) kill_session(child.pid);
        return;
    }
    child.outcome.reached = limit_of(child);
    if (child.outcome.reached == Reached::none) return;
    child.kill_at = Clock::now() + kGrace;
    ::kill(child.pid, SIGTERM);
}

/// Whether the child has ended; its outcome is then complete and no process of its session is left.
bool reap(Child& child) {
    siginfo_t info{};
    // Done before the child is reaped: until then its session number cannot be reused.
    if (::waitid(P_PID, static_cast<id_t>(child.pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
        return false;
    kill_session(child.pid);
    int status = 0;
    ::waitpid(child.pid, &status, 0);
    drain(child);
    close_end(child.output);
    close_end(child.report);
    Outcome& outcome = child.outcome;
    outcome.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    return true;
}

/// SIGCHLD, and the signals that request termination.
sigset_t news() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
    return set;
}

/// `signals` is a descriptor of news(), which are blocked. If termination is requested, kills the children and ends.
void wait_for_news(const std::vector<Child>& children, int signals) {
    std::vector<pollfd> all{{signals, POLLIN, 0}};
    for (const Child& child : children)
        for (const int fd : {child.output, child.report})
            if (fd >= 0) all.push_back({fd, POLLIN, 0});
    ::poll(all.data(), all.size(), static_cast<int>(kBetweenLooks.count()));
    for (signalfd_siginfo info; ::read(signals, &info, sizeof info) > 0;) {
        if (info.ssi_signo == SIGCHLD) continue;
        for (const Child& child : children) kill_session(child.pid);
        ::raise(static_cast<int>(info.ssi_signo));
        const sigset_t set = news();
        ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
    }
}

}  // namespace

void run_all(std::size_t count, unsigned parallel, const std::function<std::optional<Command>(std::size_t)>& command,
             const std::function<void(std::size_t, const Outcome&)>& done) {
    const sigset_t set = news();
    sigset_t before;
    ::sigprocmask(SIG_BLOCK, &set, &before);
    int signals = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    std::vector<Child> running;
    std::size_t next = 0;
    while (next < count || !running.empty()) {
        for (; next < count && running.size() < std::max(1U, parallel); ++next)
            if (const auto one = command(next)) running.push_back(start(next, *one));
        if (running.empty()) continue;
        wait_for_news(running, signals);
        for (auto child = running.begin(); child != running.end();) {
            drain(*child);
            end_if_over(*child);
            if (!reap(*child)) {
                ++child;
                continue;
            }
            done(child->index, child->outcome);
            child = running.erase(child);
        }
    }
    close_end(signals);
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
}

Outcome run(const Command& command) {
    Outcome outcome;
    run_all(
        1, 1, [&](std::size_t) { return command; }, [&](std::size_t, const Outcome& o) { outcome = o; });
    return outcome;
}

}  // namespace fiberscope::grader
