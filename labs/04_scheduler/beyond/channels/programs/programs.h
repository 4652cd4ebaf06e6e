// Programs with Go's channels, the same as in go_peer/main.go: their results do not depend on the order of tasks.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace fiberscope::lab04::channels {

/// Each runs in a task and starts others. Returns the output of the Go program.
extern const std::map<std::string, std::function<std::vector<int>()>> kPrograms;

}  // namespace fiberscope::lab04::channels
