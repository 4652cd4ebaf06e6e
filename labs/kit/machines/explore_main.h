// The function behind `--explore` on the command line of a lab's program. Set by extras/explore if it is linked in.
#pragma once

#include <functional>
#include <span>
#include <string>

namespace fiberscope::kit::detail {

/// Explores `body`, a demo or a test called `name`. `options` is the rest of the command line. `isolated` means that a
/// run would disturb the next one in the same process. Returns an exit status.
using ExploreMain = int (*)(const std::string& name, std::span<char* const> options, bool isolated,
                            const std::function<void()>& body);
extern ExploreMain explore_main;  // null if this program cannot explore

}  // namespace fiberscope::kit::detail
