// The field of the search, over the other panels.
#pragma once

#include <array>
#include <string>

#include "viewer/panels/canvas.h"
#include "viewer/panels/scene.h"

namespace fiberscope::viewer {

class SearchOverlay {
  public:
    void toggle() noexcept {
        open_ = !open_;
        focus_ = open_;
    }
    void close() noexcept { open_ = false; }
    bool open() const noexcept { return open_; }
    /// Draws it at the top of `area`; Enter goes to the next event, Shift and Enter to the one before, a click on a
    /// name chooses.
    void draw(const Scene& scene, Rect area, Selection& selection);

  private:
    void go(const Scene& scene, Selection& selection, bool forward);
    void names(const Scene& scene, Selection& selection);

    bool open_ = false, focus_ = false;
    std::array<char, 128> text_{};
    std::string answer_;
};

}  // namespace fiberscope::viewer
