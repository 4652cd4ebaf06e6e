// Draws the timeline and lets the mouse zoom, pan, choose and move the playhead.
#pragma once

#include "viewer/layout/timeline/timeline.h"
#include "viewer/panels/canvas.h"
#include "viewer/panels/scene.h"

namespace fiberscope::viewer {

class TimelinePanel {
  public:
    /// `least_names`: width that the names take at least, pixels; `differences`: moments to mark on the axis, ns;
    /// `hides_future`: nothing is drawn behind the playhead.
    void draw(const Scene& scene, Rect area, Selection& selection, float least_names = 0,
              const std::vector<double>& differences = {}, bool hides_future = false);
    /// What was drawn last, for tests that look at the picture.
    const Timeline& drawn() const noexcept { return timeline_; }
    /// Lanes may be as low as `pixels`, so that all are seen; 0: as low as their letters allow.
    void allow_low_lanes(float pixels) noexcept { least_lane_ = pixels; }

  private:
    void handle_mouse(const Scene& scene, Selection& selection);
    void handle_wheel(const Scene& scene, Selection& selection);
    void handle_left(const Scene& scene, Selection& selection);
    void draw_scrollbar(const Scene& scene, Rect bar);
    void show_chosen_lane(const Scene& scene, const Selection& selection, float room);
    void tooltip(const Scene& scene) const;

    enum class Drag { none, playhead, pan };
    Timeline timeline_;
    float scroll_ = 0, least_lane_ = 0;
    bool hides_future_ = false;
    Drag drag_ = Drag::none;
    std::uint32_t last_chosen_ = trace::kNone;
};

/// Draws `timeline` as it is laid out (timeline_drawing.cpp).
void draw_timeline(const Canvas& canvas, const Timeline& timeline, const Scene& scene, const Selection& selection,
                   bool hides_future = false);

}  // namespace fiberscope::viewer
