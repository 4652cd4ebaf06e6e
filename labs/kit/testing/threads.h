// The states of this process's threads in the kernel, so that a test can wait for a state instead of a time.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

namespace fiberscope::kit::testing {

/// Returns whether a thread sleeps in the kernel, as in "123 (name) S …". On a busy computer, a thread that is waiting
/// for a CPU must not be mistaken for one that waits for a lock.
inline bool sleeps(pid_t thread) {
    std::ifstream file("/proc/self/task/" + std::to_string(thread) + "/stat");
    std::string line;
    std::getline(file, line);
    const std::size_t name_end = line.rfind(')');
    return name_end != line.npos && line.compare(name_end, 3, ") S") == 0;
}

/// Whether every thread except the caller sleeps.
inline bool all_others_sleep() {
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
        const pid_t thread = std::stoi(task.path().filename().string());
        if (thread != gettid() && !sleeps(thread)) return false;
    }
    return true;
}

/// Waits until all other threads were asleep at several consecutive looks, so that a brief sleep is not mistaken for a
/// wait. Gives up after 10 s: ThreadSanitizer has a thread that wakes up periodically.
inline void wait_until_all_others_sleep() {
    int asleep = 0;
    for (int looks = 0; looks < 5'000 && asleep < 5; ++looks) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        asleep = all_others_sleep() ? asleep + 1 : 0;
    }
}

}  // namespace fiberscope::kit::testing
