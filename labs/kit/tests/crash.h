// Runs crashing code in a child process, and collects its report.
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>

#include "labs/kit/fault/fault.h"
#include "labs/kit/report/report.h"
#include "languages/message.h"
#include "testing/catch.h"

namespace fiberscope::kit::testing {

struct Crash {
    int signal = 0;
    std::string fault, frames;
};

[[noreturn]] inline void crash_in_child(const std::function<void()>& act, int report) {
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    if (std::freopen("/dev/null", "w", stderr) == nullptr) ::_exit(1);
    set_report_descriptor(report);
    install_fault_handler();
    act();
    ::_exit(0);
}

inline std::string read_all(int fd) {
    std::string all;
    char part[4096];
    for (ssize_t n; (n = ::read(fd, part, sizeof part)) > 0;) all.append(part, static_cast<std::size_t>(n));
    return all;
}

inline Crash crash_of(const std::function<void()>& act) {
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t child = ::fork();
    if (child == 0) crash_in_child(act, ends[1]);
    ::close(ends[1]);
    const std::string report = read_all(ends[0]);
    ::close(ends[0]);
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    const std::size_t frames = std::min(report.find("frame\t"), report.size());
    const std::string line = report.substr(0, frames);
    const std::size_t text = line.rfind('\t') + 1;
    std::string fault = line.substr(text, line.find('\n', text) - text);
    std::ranges::replace(fault, kTab, '\t');
    return {WIFSIGNALED(status) ? WTERMSIG(status) : 0, line.substr(0, text) + english_of(fault) + '\n',
            report.substr(frames)};
}

inline bool says(const std::string& text, const char* part) { return text.find(part) != text.npos; }

}  // namespace fiberscope::kit::testing
