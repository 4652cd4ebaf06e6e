#include "testing/quiet.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string_view>
#include <thread>

namespace fiberscope::testing {

namespace {

constexpr double kMostShare = 0.1;
constexpr double kMostSlowdown = 1.2;
constexpr int kSteps = 1'000'000;

std::uint64_t now() {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
}

double seconds_of(const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); }

/// Processor time of this process and of its children that have ended, s.
double own_seconds() {
    double sum = 0;
    for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage used{};
        getrusage(who, &used);
        sum += seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
    }
    return sum;
}

/// Seconds that all processors together have been busy, stolen time included. No value where /proc/stat cannot be read.
std::optional<double> busy_seconds() {
    std::ifstream file("/proc/stat");
    std::string cpu;
    double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, interrupt = 0, soft = 0, stolen = 0;
    if (!(file >> cpu >> user >> nice >> system >> idle >> waiting >> interrupt >> soft >> stolen)) return {};
    return (user + nice + system + interrupt + soft + stolen) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace

QuietWatch::QuietWatch() : busy_(busy_seconds()), own_(own_seconds()), began_(now()) {}

void QuietWatch::look() {
    const std::uint64_t from = now();
    volatile std::uint64_t result;
    std::uint64_t x = from;
    for (int i = 0; i < kSteps; ++i) x = x * 6364136223846793005U + 1442695040888963407U;
    result = x;
    static_cast<void>(result);
    looks_.push_back(now() - from);
}

std::optional<double> QuietWatch::others_share() const {
    const std::optional<double> busy = busy_seconds();
    const double elapsed = 1e-9 * static_cast<double>(now() - began_);
    if (!busy_ || !busy || elapsed <= 0) return {};
    const double others = *busy - *busy_ - (own_seconds() - own_);
    return std::max(0.0, others / (elapsed * std::max(1U, std::thread::hardware_concurrency())));
}

double QuietWatch::slowdown() const {
    if (looks_.empty()) return 1;
    std::vector<std::uint64_t> sorted = looks_;
    std::sort(sorted.begin(), sorted.end());
    return static_cast<double>(sorted[(sorted.size() - 1) * 9 / 10]) / static_cast<double>(sorted.front());
}

QuietVerdict QuietWatch::verdict() const {
    const std::optional<double> share = others_share();
    const double slow = slowdown();
    char text[160];
    std::string why;
    if (share) {
        std::snprintf(text, sizeof text, spoken("other programs used %.0f %% of the processors, and "), 100 * *share);
        why = text;
    }
    std::snprintf(text, sizeof text, spoken("the same work took up to %.2f times its shortest time"), slow);
    return {share.value_or(0) <= kMostShare && slow <= kMostSlowdown, why + text};
}

}  // namespace fiberscope::testing
