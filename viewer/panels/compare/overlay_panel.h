// Several files on one axis, one row a coroutine, and the strip of their sets.
#pragma once

#include <optional>

#include "viewer/layout/page/overlay.h"
#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

/// What the mouse did: to which file, and the selection that it has now.
struct OverlayDeed {
    std::size_t file = 0;
    Selection selection;
    std::optional<std::size_t> difference = {};  ///< the one that was clicked, by its index
};

class OverlayPanel {
  public:
    /// A click chooses, a drag moves the playhead, the wheel zooms or scrolls, a right drag pans.
    std::optional<OverlayDeed> draw(const Style& style, std::span<const OverlayFile> files,
                                    const std::vector<OverlayMatch>& matches, std::size_t leader, Rect area,
                                    bool folds);
    /// What was drawn last, for tests.
    const Overlay& drawn() const noexcept { return drawn_; }

  private:
    std::optional<OverlayDeed> handle_mouse(std::span<const OverlayFile> files, std::size_t leader, float em);
    void draw_rows(const Canvas& canvas) const;
    Overlay drawn_;
    float scroll_ = 0;            ///< rows
    bool on_difference_ = false;  ///< the button went down there, and moves nothing until it is up
};

/// A click on a member chooses it in its file.
std::optional<OverlayDeed> draw_sets_strip(const Style& style, std::span<const OverlayFile> files, Rect area);

}  // namespace fiberscope::viewer
