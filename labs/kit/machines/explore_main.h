// What `--explore` on the command line of a lab's program calls. extras/explore puts it there where it is linked in.
#pragma once

#include <functional>
#include <span>
#include <string>

namespace fiberscope::kit::detail {

/// Explores `body`, a demo or a test called `name`. `options`: the rest of the command line. `isolated`: what a run
/// leaves behind would disturb the next one. Returns an exit status.
using ExploreMain = int (*)(const std::string& name, std::span<char* const> options, bool isolated,
                            const std::function<void()>& body);
extern ExploreMain explore_main;  // null: this program explores nothing

}  // namespace fiberscope::kit::detail
