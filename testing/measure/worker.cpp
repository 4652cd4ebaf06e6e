#include "testing/measure/worker.h"

#include <benchmark/benchmark.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "testing/measure/quiet.h"
#include "testing/measure/rounds.h"

namespace fiberscope::testing {

namespace {

constexpr const char* kVariable = "FIBERSCOPE_BENCH_WORKER";  ///< in a worker: the two descriptors, "names results"

void close_on_exec(int fd) { fcntl(fd, F_SETFD, FD_CLOEXEC); }

void close_if_open(int& fd) {
    if (fd >= 0) close(fd);
    fd = -1;
}

std::vector<std::string> command_line() {
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::vector<std::string> all;
    for (std::string argument; std::getline(file, argument, '\0');) all.push_back(argument);
    return all;
}

/// The rest of a line, without its end; nothing at the end of the file.
std::optional<std::string> read_line(int fd) {
    std::string line;
    for (char c; read(fd, &c, 1) == 1; line += c)
        if (c == '\n') return line;
    return std::nullopt;
}

bool write_all(int fd, const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t n = write(fd, text.data() + done, text.size() - done);
        if (n <= 0) return false;
        done += static_cast<std::size_t>(n);
    }
    return true;
}

/// Writes each run as "name<tab>nanoseconds<tab>failure".
class Reporter : public benchmark::BenchmarkReporter {
  public:
    explicit Reporter(int results) : results_(results) {}

    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            const std::string why = failure(run);
            const auto items = run.counters.find("items_per_second");
            if (run.run_type != Run::RT_Iteration || (why.empty() && items == run.counters.end())) continue;
            char ns[32];
            std::snprintf(ns, sizeof ns, "%.6g", why.empty() ? 1e9 / items->second.value : 0);
            write_all(results_, run.run_name.function_name + "\t" + ns + "\t" + why + "\n");
        }
    }

  private:
    // A template, because Google Benchmark 1.8 has other names for it.
    template <class R>
    static std::string failure(const R& run) {
        if constexpr (requires { run.error_occurred; })
            return run.error_occurred ? run.error_message : "";
        else
            return run.skipped ? run.skip_message : "";
    }

    int results_;
};

Measurement parsed(const std::string& line) {
    const auto first = line.find('\t'), second = line.find('\t', first + 1);
    if (first == std::string::npos || second == std::string::npos) return {line, 0, spoken("unreadable result")};
    return {line.substr(0, first), std::strtod(line.c_str() + first + 1, nullptr), line.substr(second + 1)};
}

}  // namespace

bool BenchWorker::start() {
    int names[2], results[2];
    if (pipe(names) != 0) return false;
    if (pipe(results) != 0) return close(names[0]), close(names[1]), false;
    names_ = names[1];
    results_ = results[0];
    close_on_exec(names_);
    close_on_exec(results_);
    setenv(kVariable, (std::to_string(names[0]) + " " + std::to_string(results[1])).c_str(), 1);
    std::vector<std::string> arguments = command_line();
    std::vector<char*> words;
    for (std::string& one : arguments) words.push_back(one.data());
    words.push_back(nullptr);
    if (posix_spawn(&process_, "/proc/self/exe", nullptr, nullptr, words.data(), environ) != 0) process_ = -1;
    unsetenv(kVariable);
    close(names[0]);
    close(results[1]);
    return process_ > 0;
}

void BenchWorker::stop() {
    close_if_open(names_);
    close_if_open(results_);
    if (process_ > 0) waitpid(process_, nullptr, 0);
    process_ = -1;
}

void BenchWorker::measure(const std::string& name, const std::function<void(const Measurement&)>& result) {
    signal(SIGPIPE, SIG_IGN);  // a worker that has ended is seen by the read below
    if ((process_ > 0 || start()) && write_all(names_, name + "\n"))
        while (const auto line = read_line(results_)) {
            if (line->empty()) return;
            result(parsed(*line));
        }
    result({name, 0, spoken("its process ended before it had a result")});
    stop();
}

bool BenchWorker::serve() {
    const char* const told = std::getenv(kVariable);
    if (told == nullptr) return false;
    int names = -1, results = -1;
    std::istringstream(told) >> names >> results;
    unsetenv(kVariable);
    close_on_exec(names);
    close_on_exec(results);
    Reporter reporter(results);
    while (const auto name = read_line(names)) {
        benchmark::RunSpecifiedBenchmarks(&reporter, exactly(*name));
        if (!write_all(results, "\n")) break;
    }
    return true;
}

}  // namespace fiberscope::testing
