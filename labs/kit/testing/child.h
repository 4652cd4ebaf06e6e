// Runs a function in a child process, for behaviour that ends a process: a guard page hit, an abort.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace fiberscope::kit {

struct ChildEnd {
    int signal = 0;      ///< that ended it; 0 if it exited
    int status = 0;      ///< exit status, if it exited
    std::string report;  ///< the lines that it sent over the report channel
    std::string errors;  ///< what it wrote on stderr
};

/// Runs `body` in a child that records into `trace` and handles faults as a test process does. The caller must not have
/// made a coroutine yet.
ChildEnd run_in_child(const std::filesystem::path& trace, const std::function<void()>& body);

/// What `body` returns in a child that records nothing; nothing if the child did not come to the end of it.
std::optional<std::string> answer_of_child(const std::function<std::string()>& body);

}  // namespace fiberscope::kit
