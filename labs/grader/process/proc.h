// What /proc says of other processes.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace fiberscope::grader::proc {

/// The beginning of a small file of a process ("/stat"); empty if it cannot be read.
std::string contents(pid_t process, const std::string& file);

/// The fields of a `stat` file after the program's name, which may have anything in it. The first is the state's
/// letter.
const char* after_name(const std::string& stat);

/// The processes of the session that `leader` began; itself too.
std::vector<pid_t> members_of(pid_t leader);

/// Ends every process of the session that `leader` began, but not `leader`.
void kill_session(pid_t leader);

}  // namespace fiberscope::grader::proc
