// Draws the timeline; the mouse zooms, pans, selects and moves the playhead.
#pragma once

#include <utility>

#include "viewer/layout/timeline/timeline.h"
#include "viewer/panels/canvas.h"
#include "viewer/panels/scene.h"

namespace fiberscope::viewer {

class TimelinePanel {
  public:
    /// `least_names`: minimum width of the names, pixels; `differences`: shown below the axis; `hides_future`: nothing
    /// is drawn after the playhead.
    void draw(const Scene& scene, Rect area, Selection& selection, float least_names = 0,
              const DifferenceView& differences = {}, bool hides_future = false);
    /// The index of the clicked difference; once.
    std::optional<std::size_t> take_difference() noexcept { return std::exchange(clicked_difference_, std::nullopt); }
    /// Whether the corner with the summary of the lanes was clicked; once.
    bool take_corner_click() noexcept { return std::exchange(corner_clicked_, false); }
    /// Shows or hides the minimap above the axis.
    void show_minimap(bool shown) noexcept { minimap_ = shown; }
    /// Shows the ruler, or uses that of the row above.
    void show_ruler(bool shown) noexcept { ruler_ = shown; }
    /// Minimum upper end of the ready queues' scale, for a scale shared by several files.
    void share_ready(std::uint32_t most) noexcept { most_ready_ = most; }
    /// Scrolls to the lane of a coroutine, at the next drawing and whenever the room changes, until the user scrolls.
    void show_lane(std::uint32_t co) noexcept {
        wanted_lane_ = co;
        wanted_room_ = 0;
    }
    /// The last drawn layout.
    const Timeline& drawn() const noexcept { return timeline_; }
    /// Lanes may be as low as `pixels`, so that all are visible; 0: the height that their letters require.
    void allow_low_lanes(float pixels) noexcept { least_lane_ = pixels; }

  private:
    void handle_mouse(const Scene& scene, Selection& selection);
    void handle_wheel(const Scene& scene, Selection& selection);
    void handle_left(const Scene& scene, Selection& selection);
    TimelineRequest request_of(const Scene& scene, const Selection& selection, Rect content) const;
    /// The mark nearest to a point; null if none is near.
    const Mark* mark_at(Point p) const noexcept;
    void go_to(const Mark& mark, const Scene& scene, Selection& selection);
    void handle_region(const Scene& scene, Selection& selection);
    void handle_minimap(const Scene& scene, Selection& selection);
    /// Whether the mouse is on a pin; handles a click there.
    bool handle_pin(const Scene& scene, Selection& selection);
    /// The lane whose pin is shown, because the mouse is on its name; null if there is none.
    const Lane* lane_of_pin(const Scene& scene) const;
    void draw_offered_pin(const Scene& scene, bool hovered) const;
    void draw_corner(const Scene& scene, float x0, Selection& selection);
    void draw_scrollbar(const Scene& scene, Rect bar, Selection& selection);
    void show_chosen_lane(const Scene& scene, Selection& selection, float room);
    void scroll_by(float pixels, Selection& selection) const;
    void tooltip(const Scene& scene) const;

    enum class Drag { none, playhead, pan, view, region };
    Timeline timeline_;
    float least_lane_ = 0, least_names_ = 0;
    DifferenceView differences_;
    std::optional<std::size_t> clicked_difference_;
    std::uint32_t most_ready_ = 0;
    float wanted_room_ = 0;    ///< pixels: room when wanted_lane_ was last scrolled to
    double region_begin_ = 0;  ///< ns: start of the drag of a region
    bool hides_future_ = false, minimap_ = false, ruler_ = true, corner_clicked_ = false;
    Drag drag_ = Drag::none;
    std::uint32_t last_chosen_ = trace::kNone, wanted_lane_ = trace::kNone;
};

/// The lane of the differences, and their shading of the lanes in `below`.
void draw_differences(const Canvas& canvas, const DifferenceLane& lane);
void shade_differences(const Canvas& canvas, const DifferenceLane& lane, Rect below);
/// Draws the minimap.
void draw_minimap(const Canvas& canvas, const Minimap& minimap);
/// Draws a laid-out `timeline` (timeline_drawing.cpp).
void draw_timeline(const Canvas& canvas, const Timeline& timeline, const Scene& scene, const Selection& selection,
                   bool hides_future = false);

}  // namespace fiberscope::viewer
