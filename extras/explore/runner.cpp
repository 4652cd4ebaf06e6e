#include "extras/explore/runner.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <system_error>
#include <utility>

#include "extras/explore/engine.h"
#include "labs/kit/report/report.h"
#include "labs/kit/run/lab_meta.h"
#include "labs/kit/run/trace.h"
#include "labs/kit/time/clock.h"
#include "languages/spoken_error.h"
#include "traces/check/checker.h"
#include "traces/read/reader.h"

namespace fiberscope::explore {

namespace {

using Clock = std::chrono::steady_clock;

/// Time limit of a run in seconds.
constexpr unsigned kHangs = 10;

int fork_or_throw() {
    std::fflush(nullptr);
    const int child = fork();
    if (child < 0) throw std::system_error(errno, std::generic_category(), "cannot fork");
    return child;
}

void be_silent() {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
}

std::string words_of_signal(int signal) {
    if (signal == SIGALRM)
        return message("a run does not end: a machine runs for {0} seconds without a choice point", kHangs);
    return message("the program crashes: {0}", strsignal(signal));
}

}  // namespace

Runner::Runner(Body body, bool weak, Journal& journal, int progress)
    : body_(std::move(body)),
      weak_(weak),
      journal_(journal),
      progress_(progress),
      told_(Clock::now()),
      scratch_(std::filesystem::temp_directory_path() / ("fiberscope-explore-" + std::to_string(getpid()) + ".json")) {}

Runner::~Runner() {
    std::error_code ignored;
    std::filesystem::remove(scratch_, ignored);
}

void Runner::tell(const std::string& line) {
    if (progress_ < 0 || Clock::now() - told_ < std::chrono::seconds(1)) return;
    told_ = Clock::now();
    const std::string text = line + '\n';
    [[maybe_unused]] const auto written = write(progress_, text.data(), text.size());
}

void Runner::run_here(Chooser& chooser) {
    alarm(kHangs);
    Engine engine(journal_, chooser, weak_);
    try {
        body_();
    } catch (const std::exception& error) {
        engine.fail(message_of(error));
    } catch (...) {
        engine.fail(message("an exception that is not a std::exception"));
    }
    journal_.end = End::passed;
}

Outcome Runner::wait_for(int child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status)) return {Ended::failed, words_of_signal(WTERMSIG(status))};
    if (WEXITSTATUS(status) == kit::kNotImplementedStatus) return {Ended::not_implemented, {}};
    if (journal_.end == End::failed) return {Ended::failed, journal_.what.data()};
    if (journal_.end == End::running)
        return {Ended::failed, message("the program exits early, with status {0}", WEXITSTATUS(status))};
    return {Ended::passed, {}};
}

Outcome Runner::run(Chooser& chooser, const std::filesystem::path& trace, bool loud) {
    const int child = fork_or_throw();
    if (child != 0) return wait_for(child);
    if (!loud) be_silent();
    if (trace.empty()) {
        kit::choose_clock(kit::ClockKind::virtual_);
    } else {
        kit::start_trace(trace, kit::lab_meta("explore"));
    }
    run_here(chooser);
    kit::end_trace();
    _exit(0);
}

Outcome Runner::run_traced(Chooser& chooser) {
    Outcome outcome = run(chooser, scratch_);
    if (outcome.ended != Ended::passed) return outcome;
    if (const auto broken = trace::check(trace::read(scratch_)))
        return {Ended::failed, message("event {0} of its trace: {1}", broken->event + 1, Value::of(broken->why))};
    return outcome;
}

void Runner::be_many(std::unique_ptr<Chooser> chooser, const std::function<std::unique_ptr<Chooser>()>& next,
                     Clock::time_point until) {
    be_silent();
    while (chooser != nullptr) {
        kit::choose_clock(kit::ClockKind::virtual_);
        run_here(*chooser);
        chooser = next();
        if (chooser != nullptr && Clock::now() >= until) break;
    }
    _exit(0);
}

Outcome Runner::run_many(std::unique_ptr<Chooser> chooser, const std::function<std::unique_ptr<Chooser>()>& next,
                         Clock::time_point until) {
    const int child = fork_or_throw();
    if (child == 0) be_many(std::move(chooser), next, until);
    return wait_for(child);
}

}  // namespace fiberscope::explore
