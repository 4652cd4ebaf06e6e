// All that stands in the window: the tabs, and for each file its panels. It draws; where the picture goes (a window, a
// file, a test) is not its business.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "traces/replay/figures.h"
#include "viewer/layout/words/divergence.h"
#include "viewer/layout/words/figures_table.h"
#include "viewer/model/document.h"
#include "viewer/model/predict.h"
#include "viewer/model/side_by_side.h"
#include "viewer/panels/over/search_overlay.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/timeline_panel.h"

namespace fiberscope::viewer {

struct BesideRow;

class Workspace {
  public:
    /// `style` with its fonts loaded.
    Workspace(std::vector<std::unique_ptr<Document>> documents, const Style& style);

    /// Loads the fonts anew if a window of `height` pixels wants text of another size, or if there are new names;
    /// whether it did. Outside of a frame.
    bool renew_fonts(float height);
    /// Opens another file, in a tab of its own, and shows it.
    void open(const std::string& file);
    /// Reads files again that have changed; whether there was one.
    bool refresh();
    /// Whether a picture was asked for, once.
    bool take_picture_wish() noexcept { return std::exchange(wants_picture_, false); }
    /// Says something for as long as nothing else happens.
    void say(std::string words) { said_ = std::move(words); }

    /// Draws one frame of `width` by `height` pixels between ImGui::NewFrame and ImGui::Render. `seconds` passed since
    /// the last one.
    void draw(float width, float height, double seconds);
    void apply(Action action);

    Document& document() noexcept { return *tabs_[active_].document; }
    std::size_t active() const noexcept { return active_; }
    std::size_t size() const noexcept { return tabs_.size(); }
    const Timeline& drawn_timeline() const noexcept { return tabs_[active_].timeline.drawn(); }
    const Sets& drawn_sets() const noexcept { return tabs_[active_].sets.drawn(); }
    const SharedStacks& drawn_stacks() const noexcept { return tabs_[active_].stacks.drawn(); }
    Theme theme() const noexcept { return style_.theme; }
    /// What was drawn last of the file in tab `index`, side by side.
    const Timeline& drawn_timeline(std::size_t index) const noexcept { return tabs_[index].timeline.drawn(); }
    bool side_by_side() const noexcept { return beside_; }
    bool sets() const noexcept { return beside_ ? beside_sets_ : sets_; }
    Lock lock() const noexcept { return lock_; }
    /// The table that was drawn last, side by side; without rows if it is hidden.
    const FiguresTable& drawn_figures() const noexcept { return drawn_figures_; }
    bool help_open() const noexcept { return help_; }
    bool search_open() const noexcept { return search_.open(); }
    bool presenting() const noexcept { return present_; }
    const Predict& predict() const noexcept { return predict_; }
    float em() const noexcept { return style_.em; }

  private:
    struct Tab {
        std::unique_ptr<Document> document;
        TimelinePanel timeline;
        EventList events;
        StatePanel states;
        SharedStackPanel stacks;
        SetsPanel sets;
        std::optional<trace::Figures> figures;
    };
    /// Returns the height that the tabs took.
    float draw_tabs(float width);
    void draw_tab(Tab& tab, Rect area);
    void draw_panels(Tab& tab, Rect area);
    /// Draws what is said about the moment; returns where the panels begin.
    float draw_strips(const Document& document, Rect area);
    void copy_sentences();
    /// Carries out `action` on the active file; while predicting it stops at the next question.
    void apply_predicting(Action action);
    /// What was clicked is the answer, if one is waited for.
    void take_answer(std::uint32_t chosen_before);
    bool draws_sets(const Document& document) const;
    /// Whether any file has a set with a shape.
    bool draws_shapes() const;
    // side by side (beside.cpp)
    Documents readable() const;
    void toggle_side_by_side();
    void change_lock();
    void draw_side_by_side(Rect area);
    void draw_figures(Rect area, const std::vector<std::string>& lines);
    /// Those of tab `index`, counted once.
    const trace::Figures& figures_of(std::size_t index);
    /// The places where the first readable file and the active one (or the second, if that is the first) decide
    /// differently; found once.
    struct Differences {
        std::size_t first = 0, second = 0;  ///< tabs
        std::vector<Divergence> places;
        std::size_t at = SIZE_MAX;  ///< the place that was gone to last; SIZE_MAX: none
        bool found = false;
    };
    const Differences& differences();
    void go_to_difference(int by);
    /// The verdict and the difference that the playheads are at, in lines.
    std::vector<std::string> verdict_lines(float width);
    /// The moments at which the file in tab `index` decides differently, ns.
    std::vector<double> differences_of(std::size_t index);
    void draw_row(std::size_t index, const BesideRow& row, float names, std::size_t hidden);

    std::vector<Tab> tabs_;
    Style style_;
    std::size_t active_ = 0;
    bool tab_asked_ = true;  ///< active_ was set by a key, not by a click
    bool help_ = false;
    bool beside_ = false;  ///< all files at once
    Lock lock_ = Lock::time;
    bool sets_ = true;             ///< the sets are drawn, where a trace has any
    bool beside_sets_ = false;     ///< likewise side by side, in place of the states
    std::optional<bool> figures_;  ///< side by side: whether the table of figures is wanted; none: if there is room
    bool shows_figures_ = true;    ///< whether it was drawn last
    FiguresTable drawn_figures_;
    Differences differences_;
    SearchOverlay search_;
    Predict predict_;
    bool present_ = false, wants_picture_ = false, new_names_ = false;
    float usual_em_, zoom_ = 1;
    std::string said_;
};

}  // namespace fiberscope::viewer
