// The smaller panels. Each draws one part of the scene into `area`; what it changes, it changes in the selection.
#pragma once

#include <optional>
#include <string>

#include "viewer/layout/legend.h"
#include "viewer/layout/shared_stacks.h"
#include "viewer/layout/state_rows.h"
#include "viewer/panels/canvas.h"
#include "viewer/panels/scene.h"
#include "viewer/playback.h"

namespace fiberscope::viewer {

/// Every event as a sentence; follows the playhead; a click puts it there.
class EventList {
  public:
    void draw(const Scene& scene, Rect area, Selection& selection);

  private:
    void row(const Scene& scene, std::size_t n, float width, Selection& selection);
    std::size_t last_playhead_ = static_cast<std::size_t>(-1);
};

/// The caller stacks and the spawn tree with each coroutine's state and reason; a click chooses.
class StatePanel {
  public:
    void draw(const Scene& scene, Rect area, Selection& selection);

  private:
    void draw_tree(const Scene& scene, Rect area, Selection& selection);
    void tree_row(const Scene& scene, std::size_t n, float name_width, Selection& selection);
    std::uint32_t last_chosen_ = trace::kNone;
    float name_width_ = 0;  ///< of the first rows, pixels; measured once
};

/// Who lies on each shared stack, the saved images, and what was copied; a click chooses.
class SharedStackPanel {
  public:
    void draw(const Scene& scene, Rect area, Selection& selection);
    /// What was drawn last, for tests that look at the picture.
    const SharedStacks& drawn() const noexcept { return drawn_; }

  private:
    void follow_playhead(const Scene& scene, float room);
    SharedStacks drawn_;
    std::size_t last_playhead_ = static_cast<std::size_t>(-1);
};

void draw_registers(const Scene& scene, Rect area, const Selection& selection);
void draw_sentence(const Scene& scene, Rect area, const Selection& selection);
/// `items` where layout_legend has put them in `area`.
void draw_legend(const Scene& scene, Rect area, const Legend& legend);
/// Returns what was clicked.
std::optional<Action> draw_playback_bar(const Scene& scene, Rect area, Selection& selection, const Playback& playback);
/// The keys, over everything else. Returns Action::help when it is clicked away.
std::optional<Action> draw_help(const Style& style, Rect area);
/// A file that cannot be shown.
void draw_message(const Style& style, Rect area, const std::string& title, const std::string& message);
/// A strip of warning.
void draw_banner(const Style& style, Rect area, const std::string& message);

}  // namespace fiberscope::viewer
