// The smaller panels. Each draws one part of the scene into `area`; what it changes, it changes in the selection.
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

/// Every event as a sentence, the writes of links one after the other as one row; follows the playhead; a click puts it
/// there.
class EventList {
  public:
    /// `hides_future`: the events that have not happened yet are not there.
    void draw(const Scene& scene, Rect area, Selection& selection, bool hides_future = false);

  private:
    /// Finds out how many lines a row has, and how high it is.
    void measure(const Scene& scene, Rect content);
    /// Scrolls to the playhead if it was moved, or the rows have another height; else to a whole row.
    void scroll_to_playhead(const Scene& scene, std::size_t playhead);
    void row(const Scene& scene, std::size_t row, float width, Selection& selection);
    std::vector<std::string> fitting_lines(const Scene& scene, float room, const std::string& words) const;
    std::size_t lines_ = 1, needed_ = 1;   ///< of a row: now, and where there is height for them
    std::size_t rows_ = 0;                 ///< of the list for which they were counted
    float measured_ = 0, row_height_ = 0;  ///< pixels: its width; of a row
    float last_height_ = 0;                ///< of a row in the last frame
    std::size_t last_playhead_ = static_cast<std::size_t>(-1);
};

/// The caller stacks and the spawn tree with each coroutine's state and reason; a click chooses.
class StatePanel {
  public:
    /// `brief`: of the sets only how many are in them, because they are drawn elsewhere.
    void draw(const Scene& scene, Rect area, Selection& selection, bool brief);

  private:
    void draw_tree(const Scene& scene, Rect area, Selection& selection);
    void tree_row(const Scene& scene, const trace::Places& places, std::size_t n, float name_width,
                  Selection& selection);
    std::uint32_t last_chosen_ = trace::kNone;
    bool draw_why(const Canvas& canvas, Rect area, float indent, const StateRow& row, Color color) const;
    float name_width_ = 0;   ///< of the first rows, pixels; measured once
    float line_height_ = 0;  ///< of the first line of a row, pixels
    std::size_t lines_ = 1;  ///< of a row
};

/// What lies on each shared stack, the saved images, and what was copied; a click chooses.
class SharedStackPanel {
  public:
    /// `largest`: the largest image of all traces that stand side by side, so that their bars have one scale.
    void draw(const Scene& scene, Rect area, Selection& selection, std::uint64_t largest = 0);
    /// What was drawn last, for tests that look at the picture.
    const SharedStacks& drawn() const noexcept { return drawn_; }

  private:
    void follow_playhead(const Scene& scene, float room);
    SharedStacks drawn_;
    std::size_t last_playhead_ = static_cast<std::size_t>(-1);
};

/// The sets at the playhead: queues, trees, a steal; a click chooses.
class SetsPanel {
  public:
    void draw(const Scene& scene, Rect area, Selection& selection);
    /// What was drawn last, for tests that look at the picture.
    const Sets& drawn() const noexcept { return drawn_; }
    /// Whether members are on their way to a new place.
    bool gliding() const noexcept { return ImGui::GetTime() < arrives_; }

  private:
    struct Drawn {
        std::size_t at = 0;
        Rect area;
        float em = 0;
    };
    void glide(const Scene& scene, Rect area, Sets now);

    Sets drawn_, before_;  ///< where the members are; where they were when they began to move
    Drawn last_;
    double began_ = 0, arrives_ = 0;  ///< by ImGui's clock, seconds
};
/// A link of a tree.
void draw_set_line(const Canvas& canvas, const SetLine& line);
/// The ground of a node of a tree: round if it is red, square if it is black.
void draw_node_shape(const Canvas& canvas, Rect r, trace::Color color);
/// How round, in em.
inline constexpr float kRound = 0.7F;

void draw_registers(const Scene& scene, Rect area, const Selection& selection);
/// Returns the mechanism whose link was clicked.
std::optional<Mechanism> draw_sentence(const Scene& scene, Rect area, const Selection& selection);
/// `items` where layout_legend has put them in `area`; `shares`: something on the lanes is drawn by its shares.
void draw_legend(const Scene& scene, Rect area, const Legend& legend, bool shares);
/// Returns what was clicked.
std::optional<Action> draw_playback_bar(const Scene& scene, Rect area, Selection& selection, const Playback& playback);
/// The keys, over everything else. Returns Action::help when it is clicked away.
std::optional<Action> draw_help(const Style& style, Rect area);
/// A file that cannot be shown.
void draw_message(const Style& style, Rect area, const std::string& title, const std::string& message,
                  trace::Condition condition);
/// A file that is being read, `share` of it, from 0 to 1.
void draw_loading(const Style& style, Rect area, const std::string& title, double share);
/// A strip of warning at the top of `area`, if there is a message; returns where it ends.
float draw_banner(const Style& style, Rect area, const std::string& message, trace::Condition condition);

}  // namespace fiberscope::viewer
