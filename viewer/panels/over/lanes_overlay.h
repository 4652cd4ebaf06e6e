// Settings of the lanes: which are shown, and in what order; an overlay.
#pragma once

#include <array>

#include "viewer/panels/canvas.h"
#include "viewer/panels/scene.h"

namespace fiberscope::viewer {

class LanesOverlay {
  public:
    void toggle() noexcept {
        open_ = !open_;
        focus_ = open_;
    }
    void close() noexcept { open_ = false; }
    bool open() const noexcept { return open_; }
    /// Draws it at the upper left of `area`, below the lanes; changes take effect at once, Enter closes it.
    void draw(const Scene& scene, Rect area, Selection& selection);

  private:
    void draw_filter(const Scene& scene, Selection& selection);

    bool open_ = false, focus_ = false;
    std::array<char, 128> text_{};
};

}  // namespace fiberscope::viewer
