// The table of the figures of all files that are compared, and below it what they mean.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "viewer/layout/trace_facts/figures_table.h"
#include "viewer/panels/files/window_state.h"

namespace fiberscope::viewer {

class FiguresPanel {
  public:
    explicit FiguresPanel(WindowState& state) noexcept : state_(state) {}

    /// Hides the table if it was drawn last, else asks for it.
    void toggle() noexcept { wanted_ = !shown_; }
    /// Whether it is to be drawn: as was asked for; if nothing was, `usually`.
    bool wanted(bool usually) const noexcept { return wanted_.value_or(usually); }
    /// The height that so many files and lines of the verdict need, pixels.
    static float height(std::size_t files, std::size_t lines, float em) noexcept;
    /// Draws the figures of all readable files; nothing into an empty area. The first file is what the others are
    /// compared with.
    void draw(Rect area, const std::vector<std::string>& verdict);
    /// What was drawn last; without rows if nothing was.
    const FiguresTable& drawn() const noexcept { return drawn_; }

  private:
    WindowState& state_;
    std::optional<bool> wanted_;  ///< none: if there is room
    bool shown_ = true;
    FiguresTable drawn_;
};

}  // namespace fiberscope::viewer
