// All panels of one file.
#pragma once

#include <optional>

#include "viewer/layout/page/frame.h"
#include "viewer/panels/files/window_state.h"
#include "viewer/panels/over/predicting.h"

namespace fiberscope::viewer {

class OneFilePanel {
  public:
    OneFilePanel(WindowState& state, Predicting& predicting) noexcept
        : state_(state), predicting_(predicting), style_(state.style) {}

    /// Draws the active file: its panels, the loading progress, or why there is nothing to show. Returns the action
    /// clicked below the lanes.
    std::optional<Action> draw(Rect area);

  private:
    struct Panels {
        Legend legend;
        Frame frame;
    };
    Panels layout_panels(Tab& tab, Rect area) const;
    void note_panels(const Frame& frame);
    void draw_panel_tabs(const Document& document, const Frame& frame);
    std::optional<Action> draw_panels(Tab& tab, Rect area);
    void draw_timeline_panel(Tab& tab, const Scene& scene, Rect area);
    /// Draws the lines above the panels; returns their end.
    float draw_notes(Tab& tab, Rect area);
    bool draws_sets(const Document& document) const;

    WindowState& state_;
    Predicting& predicting_;
    const Style& style_;
};

}  // namespace fiberscope::viewer
