#include "labs/kit/testing/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <sstream>
#include <system_error>
#include <utility>
#include <vector>

#include "labs/kit/fault/fault.h"
#include "labs/kit/report/notes.h"
#include "labs/kit/report/report.h"
#include "labs/kit/run/trace.h"
#include "traces/record/recorder.h"

namespace fiberscope::kit {

namespace {

struct Pipe {
    int ends[2];
    Pipe() {
        if (pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
    }
    void close_end(int i) {
        if (ends[i] >= 0) close(ends[i]);
        ends[i] = -1;
    }
    ~Pipe() {
        close_end(0);
        close_end(1);
    }
    std::string read_all() {
        close_end(1);
        std::string all;
        char part[4096];
        for (ssize_t n; (n = read(ends[0], part, sizeof part)) > 0;) all.append(part, static_cast<std::size_t>(n));
        return all;
    }
};

[[noreturn]] void be_the_child(const std::filesystem::path& trace, const std::function<void()>& body, Pipe& report,
                               Pipe& errors) {
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    dup2(errors.ends[1], STDERR_FILENO);
    set_report_descriptor(report.ends[1]);
    try {
        trace::Meta meta;
        meta.program = "child";
        start_trace(trace, meta);
        trace::limit_file(kMostRecorded);
        install_fault_handler();
        body();
        end_trace();
        _exit(0);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        _exit(1);
    }
}

std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream text(line);
    for (std::string field; std::getline(text, field, '\t');) {
        std::ranges::replace(field, kTab, '\t');
        fields.push_back(field);
    }
    return fields;
}

/// Passes on that the child called an exercise function that is not implemented.
[[noreturn]] void pass_on_not_implemented(const std::string& report) {
    const std::string line = report.substr(report.rfind("not-implemented"));
    const std::vector<std::string> fields = fields_of(line.substr(0, line.find('\n')));
    not_implemented(fields.at(1).c_str(), fields.at(2).c_str(), fields.size() > 3 ? fields[3].c_str() : "");
}

}  // namespace

ChildEnd run_in_child(const std::filesystem::path& trace, const std::function<void()>& body) {
    Pipe report;
    Pipe errors;
    const pid_t child = fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "cannot fork");
    if (child == 0) be_the_child(trace, body, report, errors);
    ChildEnd end;
    end.report = report.read_all();
    end.errors = errors.read_all();
    int status = 0;
    waitpid(child, &status, 0);
    end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    end.status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    if (end.status == kNotImplementedStatus && end.report.find("not-implemented") != std::string::npos)
        pass_on_not_implemented(end.report);
    return end;
}

namespace {

/// The message of the fault and its functions (labs/kit/report/report.h); empty if no fault was reported.
std::string fault_in_words(const std::string& report) {
    std::string said;
    std::istringstream lines(report);
    std::size_t frames = 0;
    for (std::string line; std::getline(lines, line);) {
        const std::vector<std::string> fields = fields_of(line);
        if (fields.size() == 8 && fields[0] == "fault") said = fields[7];
        if (fields.size() != 4 || fields[0] != "frame" || said.empty()) continue;
        said = message(frames++ == 0 ? mark("{0}; in {1}") : mark("{0}; called by {1}"), Value::of(said),
                       fields[1] + (fields[2].empty() ? "" : ", " + fields[2] + ":" + fields[3]));
    }
    return said;
}

}  // namespace

std::string in_words(const ChildEnd& end) {
    std::string said = fault_in_words(end.report);
    if (said.empty()) said = end.errors.substr(0, end.errors.find_last_not_of('\n') + 1);
    return message(end.signal != 0 ? kEndedBySignal : kEndedWithStatus, end.signal != 0 ? end.signal : end.status,
                   Value::of(said));
}

namespace {

/// Disconnects the child from the grader and from the terminal: only its parent evaluates its end.
void be_silent() {
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    set_report_descriptor(-1);
    remove_fault_handler();
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, fd);
}

/// Limits the child's processor time, so that the test does not hang with it.
void end_after(std::chrono::milliseconds processor) {
    ::signal(SIGPROF, SIG_DFL);
    const itimerval once{{0, 0}, {processor.count() / 1000, processor.count() % 1000 * 1000}};
    setitimer(ITIMER_PROF, &once, nullptr);
}

[[noreturn]] void answer_in_child(const std::function<std::string()>& body, int fd,
                                  std::chrono::milliseconds processor) {
    be_silent();
    end_after(processor);
    try {
        const std::string text = body();
        _exit(write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
    } catch (...) {
        _exit(1);
    }
}

double seconds(const timeval& time) noexcept {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

ChildAnswer answer_of_child(const std::function<std::string()>& body, std::chrono::milliseconds processor) {
    Pipe answer;
    const pid_t child = fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "cannot fork");
    if (child == 0) answer_in_child(body, answer.ends[1], processor);
    std::string text = answer.read_all();
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status)) return {.text = {}, .hung = WTERMSIG(status) == SIGPROF};
    if (WEXITSTATUS(status) != 0) return {.text = {}, .not_implemented = WEXITSTATUS(status) == kNotImplementedStatus};
    return {.text = std::move(text)};
}

bool answered_by_child(const std::function<std::string()>& body, std::string_view expected,
                       std::chrono::milliseconds processor) {
    const ChildAnswer answer = answer_of_child(body, processor);
    if (answer.not_implemented) body();  // reports the missing function here
    return answer.is(expected);
}

double processor_seconds() noexcept {
    double all = 0;
    for (const int which : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage used{};
        getrusage(which, &used);
        all += seconds(used.ru_utime) + seconds(used.ru_stime);
    }
    return all;
}

}  // namespace fiberscope::kit
