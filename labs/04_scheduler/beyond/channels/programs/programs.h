// Programs with channels as Go has them, word by word those of go_peer/main.go: what they give does not depend on
// which task runs when.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace fiberscope::lab04::channels {

/// Each runs in a task, and begins others. Returns what the Go program prints.
extern const std::map<std::string, std::function<std::vector<int>()>> kPrograms;

}  // namespace fiberscope::lab04::channels
