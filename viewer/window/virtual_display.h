// Machines without a display still make pictures: under Xvfb.
#pragma once

#include <string>
#include <vector>

namespace fiberscope::viewer {

/// Whether this process runs under the virtual display already.
bool under_virtual_display();

/// Replaces this process by itself under `xvfb-run -a`. Returns only if that is not possible: in one sentence, why.
std::string restart_under_virtual_display(const std::vector<std::string>& arguments);

}  // namespace fiberscope::viewer
