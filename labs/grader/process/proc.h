// Information about other processes from /proc.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <vector>

namespace fiberscope::grader::proc {

/// What the living processes of a session do.
struct Activity {
    std::chrono::nanoseconds user{0}, kernel{0};  ///< CPU time that they have used
    bool is_running = false;                      ///< whether a thread runs, or waits for a processor or a disk
};

/// The living processes of the session that `leader` created, including itself.
std::vector<pid_t> members_of(pid_t leader);

/// The activity of these processes. Children that have ended do not count: a test tries many short ones when it
/// shortens a list of random operations.
Activity activity_of(pid_t leader);

/// Kills every process of the session that `leader` created.
void kill_session(pid_t leader);

}  // namespace fiberscope::grader::proc
