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
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

#include "labs/grader/process/proc.h"

namespace fiberscope::grader {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kReportFd = 3;
constexpr std::size_t kMostReport = 65'536;
constexpr Milliseconds kGrace{1000};  // for the handler of SIGTERM, which writes the trace
constexpr Milliseconds kBetweenLooks{50};

/// A descriptor that is closed on destruction.
class Fd {
  public:
    explicit Fd(int fd = -1) : fd_(fd) {}
    Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Fd& operator=(Fd&& other) noexcept {
        reset();
        fd_ = std::exchange(other.fd_, -1);
        return *this;
    }
    ~Fd() { reset(); }
    int get() const { return fd_; }
    void reset() {
        if (fd_ >= 0) ::close(fd_);
        fd_ = -1;
    }

  private:
    int fd_;
};

std::pair<Fd, Fd> make_pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
    return {Fd(ends[0]), Fd(ends[1])};
}

/// A running program.
struct Child {
    std::size_t index = 0;
    pid_t pid = -1;
    Fd output, report;
    std::optional<Watch> watch;
    Clock::time_point kill_at;  ///< if told_to_end
    std::size_t most_output = 0;
    bool told_to_end = false;
    Outcome outcome;
};

/// Enables a core dump in `directory`; disables it if that is not possible or not requested.
void limit_core(const char* directory) {
    rlimit limit{0, 0};
    if (*directory != '\0' && ::chdir(directory) == 0 && ::getrlimit(RLIMIT_CORE, &limit) == 0)
        limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_CORE, &limit);
}

/// In the child. The grader has one thread, so this may allocate.
[[noreturn]] void become(const Command& command, int output, int report, int failure) {
    ::setsid();
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit_core(command.core.c_str());
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
    const int error = errno;
    [[maybe_unused]] const auto ignored = ::write(failure, &error, sizeof error);
    ::_exit(127);
}

Child start(std::size_t index, const Command& command, const Limits& limits) {
    Child child;
    child.index = index;
    child.most_output = limits.output;
    auto [output, output_end] = make_pipe();
    auto [report, report_end] = make_pipe();
    auto [failure, failure_end] = make_pipe();
    child.pid = ::fork();
    if (child.pid < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (child.pid == 0) become(command, output_end.get(), report_end.get(), failure_end.get());
    child.watch.emplace(child.pid, limits.patience);
    for (Fd* const end : {&output_end, &report_end, &failure_end}) end->reset();
    int error = 0;
    if (::read(failure.get(), &error, sizeof error) == sizeof error)
        child.outcome.error = command.arguments[0] + " cannot be started: " + std::strerror(error);
    ::fcntl(output.get(), F_SETFL, O_NONBLOCK);
    ::fcntl(report.get(), F_SETFL, O_NONBLOCK);
    child.output = std::move(output);
    child.report = std::move(report);
    return child;
}

/// Reads what is available; keeps at most `most` bytes in `text`. Returns false at the end.
bool drain(int fd, std::string& text, std::size_t most, bool& cut) {
    std::array<char, 16'384> buffer;
    // Bounded, so that a flood of output does not delay the time limits and the other programs.
    for (int turn = 0; turn < 16; ++turn) {
        const ssize_t n = ::read(fd, buffer.data(), buffer.size());
        if (n < 0) return errno == EAGAIN || errno == EINTR;
        if (n == 0) return false;
        const std::size_t room = most - std::min(most, text.size());
        if (static_cast<std::size_t>(n) > room) cut = true;
        text.append(buffer.data(), std::min(room, static_cast<std::size_t>(n)));
    }
    return true;
}

void drain(Child& child) {
    bool report_cut = false;
    const std::size_t heard = child.outcome.output.size();
    if (child.output.get() >= 0 &&
        !drain(child.output.get(), child.outcome.output, child.most_output, child.outcome.output_cut))
        child.output.reset();
    if (child.report.get() >= 0 && !drain(child.report.get(), child.outcome.report, kMostReport, report_cut))
        child.report.reset();
    if (child.outcome.output.size() > heard) child.watch->heard();
}

void kill_all_of(const Child& child) {
    ::kill(-child.pid, SIGKILL);
    proc::kill_session(child.pid);
}

void end_if_over(Child& child) {
    if (child.told_to_end) {
        if (Clock::now() >= child.kill_at) kill_all_of(child);
        return;
    }
    child.outcome.reached = child.watch->look();
    if (child.outcome.reached == Reached::none) return;
    child.outcome.waited_percent = child.watch->waited_percent();
    child.told_to_end = true;
    child.kill_at = Clock::now() + kGrace;
    ::kill(child.pid, SIGTERM);
}

Milliseconds in_milliseconds(const timeval& time) {
    return std::chrono::duration_cast<Milliseconds>(std::chrono::seconds(time.tv_sec) +
                                                    std::chrono::microseconds(time.tv_usec));
}

/// Its elapsed time.
Milliseconds time_of(const Child& child) {
    return std::chrono::duration_cast<Milliseconds>(Clock::now() - child.watch->began());
}

/// Whether the child has ended; its outcome is then complete and no process of its session is left.
bool reap(Child& child) {
    int status = 0;
    siginfo_t info{};
    // Done before the child is reaped: until then its session number cannot be reused.
    if (::waitid(P_PID, static_cast<id_t>(child.pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0)
        return false;
    kill_all_of(child);
    rusage usage{};
    ::wait4(child.pid, &status, 0, &usage);
    drain(child);
    Outcome& outcome = child.outcome;
    outcome.took = time_of(child);
    outcome.used = in_milliseconds(usage.ru_utime) + in_milliseconds(usage.ru_stime);
    outcome.status = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    if (!outcome.error.empty())
        outcome.end = End::not_started;
    else if (child.told_to_end)
        outcome.end = End::timed_out;
    else
        outcome.end = WIFSIGNALED(status) ? End::signalled : End::exited;
    return true;
}

/// SIGCHLD, and the signals that request termination, as a descriptor, during its lifetime.
class ChildSignal {
  public:
    ChildSignal() {
        sigset_t set;
        sigemptyset(&set);
        for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
        ::sigprocmask(SIG_BLOCK, &set, &before_);
        fd_ = Fd(::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK));
    }
    ~ChildSignal() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }
    int fd() const { return fd_.get(); }
    /// The signal that requested termination of this process; 0 if none.
    int clear() const {
        signalfd_siginfo info;
        int asked = 0;
        while (::read(fd_.get(), &info, sizeof info) > 0)
            if (info.ssi_signo != SIGCHLD) asked = static_cast<int>(info.ssi_signo);
        return asked;
    }

  private:
    sigset_t before_{};
    Fd fd_;
};

void wait_for_news(const std::vector<Child>& children, const ChildSignal& signal) {
    std::vector<pollfd> all{{signal.fd(), POLLIN, 0}};
    auto soonest = Clock::now() + kBetweenLooks;
    for (const Child& child : children) {
        if (child.output.get() >= 0) all.push_back({child.output.get(), POLLIN, 0});
        if (child.report.get() >= 0) all.push_back({child.report.get(), POLLIN, 0});
        if (child.told_to_end) soonest = std::min(soonest, child.kill_at);
    }
    const auto left = std::chrono::duration_cast<Milliseconds>(soonest - Clock::now()).count() + 1;
    ::poll(all.data(), all.size(), static_cast<int>(std::max<long>(left, 1)));
    const int asked = signal.clear();
    if (asked == 0) return;
    for (const Child& child : children) kill_all_of(child);
    std::signal(asked, SIG_DFL);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, asked);
    ::raise(asked);
    ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
}

}  // namespace

void run_all(std::size_t count, unsigned parallel, const std::function<Command(std::size_t)>& command,
             const std::function<std::optional<Limits>(std::size_t)>& limits,
             const std::function<void(std::size_t, Outcome)>& done) {
    const ChildSignal signal;
    std::vector<Child> running;
    std::size_t next = 0;
    while (next < count || !running.empty()) {
        while (next < count && running.size() < std::max(1U, parallel)) {
            const std::size_t index = next++;
            if (const auto limit = limits(index)) running.push_back(start(index, command(index), *limit));
        }
        if (running.empty()) continue;
        wait_for_news(running, signal);
        for (std::size_t i = 0; i < running.size();) {
            Child& child = running[i];
            drain(child);
            end_if_over(child);
            if (!reap(child)) {
                ++i;
                continue;
            }
            const std::size_t index = child.index;
            Outcome outcome = std::move(child.outcome);
            running.erase(running.begin() + static_cast<std::ptrdiff_t>(i));
            done(index, std::move(outcome));
        }
    }
}

Outcome run(const Command& command, const Limits& limits) {
    Outcome outcome;
    run_all(
        1, 1, [&](std::size_t) { return command; }, [&](std::size_t) { return std::optional(limits); },
        [&](std::size_t, Outcome o) { outcome = std::move(o); });
    return outcome;
}

}  // namespace fiberscope::grader
