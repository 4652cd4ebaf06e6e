// Pictures on a computer without a display: under Xvfb.
#pragma once

#include <string>
#include <vector>

#include "languages/say.h"

namespace fiberscope::viewer {

/// Whether this process runs under the virtual display already.
bool under_virtual_display();

/// Lives as long as the program needs the virtual display; then removes the file that the restart has made for it.
class VirtualDisplayKey {
  public:
    VirtualDisplayKey() = default;
    ~VirtualDisplayKey();
    VirtualDisplayKey(const VirtualDisplayKey&) = delete;
    VirtualDisplayKey& operator=(const VirtualDisplayKey&) = delete;
};

/// Replaces this process by itself under `xvfb-run -a`. Returns only if that is not possible: in one sentence, why.
std::string restart_under_virtual_display(const std::vector<std::string>& arguments, Language language);

}  // namespace fiberscope::viewer
