// The choice until what is played, over the other panels.
#pragma once

#include <optional>

#include "viewer/model/break.h"
#include "viewer/panels/canvas.h"
#include "viewer/panels/scene.h"

namespace fiberscope::viewer {

class UntilOverlay {
  public:
    void toggle() noexcept { open_ = !open_; }
    void close() noexcept { open_ = false; }
    bool open() const noexcept { return open_; }
    struct Wish {
        Until until;
        bool at_once = false;  ///< the playhead goes there without playing
    };
    /// Returns what was chosen, and closes then.
    std::optional<Wish> draw(const Scene& scene, Rect area, const Selection& selection);

  private:
    std::optional<Wish> buttons(const Style& style, const char* id, bool possible, const Until& until);
    /// "… until this set has more than so many".
    std::optional<Wish> draw_set(const Scene& scene);
    bool open_ = false;
    int kind_ = 0, set_ = 0, length_ = 5;
};

}  // namespace fiberscope::viewer
