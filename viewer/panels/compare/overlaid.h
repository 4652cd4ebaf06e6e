// All files at once, one row a coroutine: in each row a band for each file.
#pragma once

#include <optional>
#include <vector>

#include "viewer/panels/compare/comparing.h"
#include "viewer/panels/compare/overlay_panel.h"

namespace fiberscope::viewer {

class OverlaidPanel {
  public:
    OverlaidPanel(WindowState& state, Comparing& comparing) noexcept
        : state_(state), comparing_(comparing), style_(state.style) {}

    /// Returns what was clicked below the rows.
    std::optional<Action> draw(Rect area);
    /// What was drawn last, for tests.
    const Overlay& drawn() const noexcept { return panel_.drawn(); }

  private:
    struct Places {
        Rect titles, rows, sets, legend, playback;
    };
    /// The heights that they want, pixels; of the rows the least.
    struct Heights {
        float titles, rows, strip, legend;
    };
    Places layout(Rect area, Heights wish) const;
    std::optional<OverlayDeed> draw_rows(const std::vector<OverlayFile>& files, std::size_t leader, const Places& at);
    /// What the mouse did to the file at `deed.file` of the readable ones.
    void take_deed(const OverlayDeed& deed);

    WindowState& state_;
    Comparing& comparing_;
    const Style& style_;
    OverlayPanel panel_;
};

}  // namespace fiberscope::viewer
