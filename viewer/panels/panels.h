// The smaller panels. Each draws a part of the scene into `area` and changes only the selection.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "viewer/layout/page/legend.h"
#include "viewer/layout/sets/sets.h"
#include "viewer/layout/stacks/shared_stacks.h"
#include "viewer/layout/trace_facts/mechanism.h"
#include "viewer/layout/trace_facts/state_rows.h"
#include "viewer/model/playback.h"
#include "viewer/panels/canvas.h"
#include "viewer/panels/scene.h"

namespace fiberscope::viewer {

/// Every event as a sentence, consecutive link writes as one row. Follows the playhead; a click moves it.
class EventList {
  public:
    /// `hides_future`: omits the events after the playhead.
    void draw(const Scene& scene, Rect area, Selection& selection, bool hides_future = false);

  private:
    /// Computes the number of lines per row and the row height.
    void measure(const Scene& scene, Rect content);
    /// Scrolls to the playhead if it has moved or the row height has changed; else to a whole row.
    void scroll_to_playhead(const Scene& scene, std::size_t playhead);
    void row(const Scene& scene, std::size_t row, float width, Selection& selection);
    std::vector<std::string> fitting_lines(const Scene& scene, float room, const std::string& words) const;
    std::size_t lines_ = 1, needed_ = 1;   ///< per row: now, and if the height suffices
    std::size_t rows_ = 0;                 ///< number of rows for which they were computed
    float measured_ = 0, row_height_ = 0;  ///< pixels: the panel's width; height of a row
    float last_height_ = 0;                ///< of a row in the last frame
    std::size_t last_playhead_ = static_cast<std::size_t>(-1);
};

/// The caller stacks and the spawn tree with each coroutine's state and its reason; a click selects.
class StatePanel {
  public:
    /// `brief`: only the sizes of the sets, because they are drawn elsewhere.
    void draw(const Scene& scene, Rect area, Selection& selection, bool brief);

  private:
    /// Returns how many rows are visible.
    std::size_t draw_tree(const Scene& scene, Rect area, Selection& selection);
    void tree_row(const Scene& scene, const trace::Places& places, std::size_t n, float name_width,
                  Selection& selection);
    std::uint32_t last_chosen_ = trace::kNone;
    bool draw_why(const Canvas& canvas, Rect area, float indent, const StateRow& row, Color color) const;
    float name_width_ = 0;   ///< of the first rows, pixels; measured once
    float line_height_ = 0;  ///< of the first line of a row, pixels
    std::size_t lines_ = 1;  ///< per row
};

/// Says so if not the stacks of all machines are drawn.
std::string caller_stacks_heading(const Scene& scene, float width);
/// Draws the caller stacks of as many machines as fit; a click selects. Returns the height used.
float draw_caller_stacks(const Scene& scene, Rect area, Selection& selection);

/// Occupants of the shared stacks, saved images, and bytes copied; a click selects.
class SharedStackPanel {
  public:
    /// `largest`: the largest image of all traces shown side by side, so that their bars have a common scale.
    void draw(const Scene& scene, Rect area, Selection& selection, std::uint64_t largest = 0);
    /// The last drawn layout, for tests.
    const SharedStacks& drawn() const noexcept { return drawn_; }

  private:
    void follow_playhead(const Scene& scene, float room);
    SharedStacks drawn_;
    std::size_t last_playhead_ = static_cast<std::size_t>(-1);
};

/// The sets at the playhead: queues, trees, a steal; a click selects.
class SetsPanel {
  public:
    void draw(const Scene& scene, Rect area, Selection& selection);
    /// The last drawn layout, for tests.
    const Sets& drawn() const noexcept { return drawn_; }
    /// Whether an animation is in progress.
    bool gliding() const noexcept { return ImGui::GetTime() < arrives_; }

  private:
    struct Drawn {
        std::size_t at = 0;
        Rect area;
        float em = 0;
    };
    void glide(const Scene& scene, Rect area, Sets now);

    Sets drawn_, before_;  ///< current positions; positions at the start of the animation
    Drawn last_;
    double began_ = 0, arrives_ = 0;  ///< by ImGui's clock, seconds
};
/// Draws a link of a tree.
void draw_set_line(const Canvas& canvas, const SetLine& line);
/// Draws the background of a tree node: rounded if it is red, square if it is black.
void draw_node_shape(const Canvas& canvas, Rect r, trace::Color color);
/// Corner radius, em.
inline constexpr float kRound = 0.7F;

void draw_registers(const Scene& scene, Rect area, const Selection& selection);
/// Returns the mechanism whose link was clicked.
std::optional<Mechanism> draw_sentence(const Scene& scene, Rect area, const Selection& selection);
/// Draws a legend laid out by layout_legend() in `area`; `shares`: a zone is drawn by its shares.
void draw_legend(const Scene& scene, Rect area, const Legend& legend, bool shares);
/// Returns the clicked action.
std::optional<Action> draw_playback_bar(const Scene& scene, Rect area, Selection& selection, const Playback& playback);
/// The keys, over everything else. Returns Action::help if it is closed by a click.
std::optional<Action> draw_help(const Style& style, Rect area);
/// A file that cannot be shown.
void draw_message(const Style& style, Rect area, const std::string& title, const std::string& message,
                  trace::Condition condition);
/// A file that is being read; `share` is the progress, 0 to 1.
void draw_loading(const Style& style, Rect area, const std::string& title, double share);
/// A warning at the top of `area` if there is a message; returns its end.
float draw_banner(const Style& style, Rect area, const std::string& message, trace::Condition condition);

}  // namespace fiberscope::viewer
