// All files at once, one row per file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "viewer/layout/page/file_rows.h"
#include "viewer/panels/compare/comparing.h"
#include "viewer/panels/files/window_state.h"

namespace fiberscope::viewer {

class FileRowsPanel {
  public:
    FileRowsPanel(WindowState& state, Comparing& comparing, Predicting& predicting) noexcept
        : state_(state), comparing_(comparing), predicting_(predicting), style_(state.style) {}

    /// Draws the lines above the rows: warnings, messages, how much of the files agrees. Returns their end.
    float draw_head(Rect area);
    /// Returns the action clicked below the rows.
    std::optional<Action> draw(Rect area);

  private:
    /// Layout requests of the readable files, in order.
    struct Wishes {
        std::vector<std::size_t> tabs;
        std::vector<LegendSource> legend;
        std::vector<float> heights;  ///< of their timelines, pixels
        std::vector<float> above;    ///< height of the parts above their lanes except the ruler, pixels
        bool one_axis = true;        ///< all show the same time
        float names = 0;             ///< width of the longest name of a lane, pixels
        std::size_t active = 0;      ///< index of the active file
    };
    Wishes wishes();
    FileRows layout(Rect area, const Wishes& wishes, float legend) const;
    void draw_row(std::size_t tab, const FileRow& row, float names, std::size_t hidden);
    /// Returns the panel that it has drawn.
    Rect Frame::*draw_aside(Tab& tab, const Scene& scene, Rect area);
    /// Handles a mouse operation that changed the selection of a file, which was `before`.
    void take_mouse(std::size_t tab, const FileRow& row, const Selection& before, bool title_clicked);

    WindowState& state_;
    Comparing& comparing_;
    Predicting& predicting_;
    const Style& style_;
};

}  // namespace fiberscope::viewer
