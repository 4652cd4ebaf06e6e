// What the threads of this process do, as the kernel tells it: a test waits for that, and for no length of time.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace fiberscope::kit::testing {

/// Whether a thread sleeps in the kernel, as in "123 (name) S …": on a busy machine one that only waits for a processor
/// must not look as if it waited for a lock.
inline bool sleeps(pid_t thread) {
    std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
    std::string line;
    std::getline(file, line);
    const std::size_t name_end = line.rfind(')');
    return name_end != line.npos && line.compare(name_end, 3, ") S") == 0;
}

/// Whether every thread but the one that asks sleeps.
inline bool all_others_sleep() {
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        const pid_t thread = std::stoi(task.path().filename().string());
        if (thread != gettid() && !sleeps(thread)) return false;
    }
    return true;
}

/// Until all others were asleep several looks in a row, so that one that sleeps for a moment on its way is not taken
/// for one that waits; for 10 s at most: ThreadSanitizer has a thread that wakes up by itself.
inline void wait_until_all_others_sleep() {
    int asleep = 0;
    for (int looks = 0; looks < 5'000 && asleep < 5; ++looks) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        asleep = all_others_sleep() ? asleep + 1 : 0;
    }
}

}  // namespace fiberscope::kit::testing
