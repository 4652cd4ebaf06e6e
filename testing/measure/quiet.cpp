#include "testing/measure/quiet.h"

#include <sys/times.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <thread>

namespace fiberscope::testing {

namespace {

constexpr double kMostShare = 0.1;
constexpr double kMostSlowdown = 1.2;
constexpr int kSteps = 1'000'000;

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Processor time of this process and of its children that have ended, s.
double own_seconds() {
    tms used{};
    times(&used);
    const auto ticks = used.tms_utime + used.tms_stime + used.tms_cutime + used.tms_cstime;
    return static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
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
    const double from = now();
    volatile std::uint64_t result;
    auto x = static_cast<std::uint64_t>(looks_.size());
    for (int i = 0; i < kSteps; ++i) x = x * 6364136223846793005U + 1442695040888963407U;
    result = x;
    static_cast<void>(result);
    looks_.push_back(now() - from);
}

std::optional<double> QuietWatch::others_share() const {
    const std::optional<double> busy = busy_seconds();
    const double elapsed = now() - began_;
    if (!busy_ || !busy || elapsed <= 0) return {};
    const double others = *busy - *busy_ - (own_seconds() - own_);
    return std::max(0.0, others / (elapsed * std::max(1U, std::thread::hardware_concurrency())));
}

double QuietWatch::slowdown() const {
    if (looks_.empty()) return 1;
    std::vector<double> sorted = looks_;
    std::sort(sorted.begin(), sorted.end());
    return sorted[(sorted.size() - 1) * 9 / 10] / sorted.front();
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
