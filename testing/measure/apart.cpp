#include "testing/measure/apart.h"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <system_error>

#include "testing/measure/ratios.h"

namespace fiberscope::testing {

double seconds_of(const std::function<void()>& run) {
    const auto from = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
}

namespace {

/// Calls `work` in a child, and reads its output from the descriptor passed to it; returns false if it is too short.
bool told_by_child(const std::function<void(int told)>& work, void* result, std::size_t size) {
    int ends[2];
    if (pipe(ends) != 0) return false;
    const pid_t child = fork();
    if (child == 0) {
        work(ends[1]);
        _exit(0);
    }
    close(ends[1]);
    const bool told = child > 0 && read(ends[0], result, size) == static_cast<ssize_t>(size);
    close(ends[0]);
    if (child > 0) waitpid(child, nullptr, 0);
    return told;
}

constexpr std::size_t kMillion = 1'000'000;

/// The report of a child.
struct Parked {
    std::size_t count = 0;
    std::size_t resident = 0;  ///< bytes by which the coroutines increased the memory of the process
    char refusal[200] = {};    ///< why there are no more
};

std::size_t resident_bytes() {
    std::size_t total = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> total >> resident;
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

Parked park_in_child(const ParkedKind& kind, std::size_t count) {
    Parked parked;
    const auto child = [&](int told) {
        const std::size_t before = resident_bytes();
        const auto report = [&] {
            parked.resident = resident_bytes() - before;
            _exit(write(told, &parked, sizeof parked) == sizeof parked ? 0 : 1);
        };
        try {
            kind.park(count, parked.count, report);
        } catch (const std::system_error& error) {
            std::snprintf(parked.refusal, sizeof parked.refusal, "%s", error.what());
        }
        report();
    };
    if (!told_by_child(child, &parked, sizeof parked))
        std::snprintf(parked.refusal, sizeof parked.refusal, "%s", spoken("the child died"));
    return parked;
}

/// Whether the limit is kept.
bool print(const ParkedKind& kind, const Parked& parked, std::size_t wanted) {
    const auto bytes = static_cast<double>(parked.resident);
    const double mib = bytes / (1024 * 1024);
    const double each = parked.count == 0 ? 0 : bytes / static_cast<double>(parked.count);
    std::printf(spoken("%-40s %8zu parked, %8.1f MiB resident, %7.1f bytes each"), kind.name, parked.count, mib, each);
    if (parked.count < wanted) return std::printf(spoken("   stopped: %s\n"), parked.refusal), false;
    if (wanted != kMillion) return std::printf("\n"), true;
    std::printf(spoken("   bar %.0f MiB: %s\n"), kind.most_mib, verdict_in_words(mib <= kind.most_mib));
    return mib <= kind.most_mib;
}

}  // namespace

int parked_main(int argc, char** argv, const std::vector<ParkedKind>& kinds) {
    std::size_t count = kMillion;
    bool strict = false, kept = true;
    for (int i = 0; i < argc; ++i)
        if (std::string(argv[i]) == "--strict")
            strict = true;
        else
            count = std::strtoul(argv[i], nullptr, 10);
    for (const ParkedKind& kind : kinds) {
        std::fflush(stdout);
        kept = print(kind, park_in_child(kind, count), count) && kept;
    }
    return strict && !kept ? 1 : 0;
}

}  // namespace fiberscope::testing
