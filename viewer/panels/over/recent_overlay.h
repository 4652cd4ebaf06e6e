// The files that were opened last, over the other panels.
#pragma once

#include <string>
#include <vector>

#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

class RecentOverlay {
  public:
    void toggle() noexcept { open_ = !open_; }
    void close() noexcept { open_ = false; }
    bool open() const noexcept { return open_; }
    /// Returns the file that was clicked, and closes then; else nothing.
    std::string draw(const Style& style, Rect area, const std::vector<std::string>& files);

  private:
    bool open_ = false;
};

}  // namespace fiberscope::viewer
