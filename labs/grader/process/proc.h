// Information about other processes from /proc.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace fiberscope::grader::proc {

/// The beginning of a small file of a process ("/stat"); empty if it cannot be read.
std::string contents(pid_t process, const std::string& file);

/// The fields of a `stat` file after the program's name, which may contain anything. The first one is the state's
/// letter.
const char* after_name(const std::string& stat);

/// The processes of the session that `leader` created, including itself.
std::vector<pid_t> members_of(pid_t leader);

/// Kills every process of the session that `leader` created, except `leader`.
void kill_session(pid_t leader);

}  // namespace fiberscope::grader::proc
