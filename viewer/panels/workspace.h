// All that stands in the window: the tabs, and for each file its panels. It draws; where the picture goes (a window, a
// file, a test) is not its business.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "traces/replay/figures.h"
#include "viewer/layout/tables/region_words.h"
#include "viewer/layout/words/divergence.h"
#include "viewer/layout/words/figures_table.h"
#include "viewer/model/document.h"
#include "viewer/model/predict.h"
#include "viewer/model/settings.h"
#include "viewer/model/side_by_side.h"
#include "viewer/panels/compare/overlay_panel.h"
#include "viewer/panels/over/lanes_overlay.h"
#include "viewer/panels/over/recent_overlay.h"
#include "viewer/panels/over/search_overlay.h"
#include "viewer/panels/over/source_overlay.h"
#include "viewer/panels/over/until_overlay.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/tables/table_panel.h"
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
    /// Takes the files that have been read meanwhile, and begins to read those again that have changed. Whether there
    /// is something new to see.
    bool refresh();
    /// Whether a file is being read that is not seen yet.
    bool loading() const noexcept;
    /// Whether a file is being recorded meanwhile.
    bool live() const noexcept;
    /// Whether a picture was asked for, once.
    bool take_picture_wish() noexcept { return std::exchange(wants_picture_, false); }
    /// Of which panel it is: the one where the mouse was; empty: of the window. Once.
    std::string take_panel_wish() { return std::exchange(wanted_panel_, {}); }
    bool take_svg_wish() noexcept { return std::exchange(wants_svg_, false); }
    /// The panels as they were drawn last, by their names (panel_names() of the options).
    const std::vector<std::pair<std::string_view, Rect>>& panels() const noexcept { return panels_; }
    /// Begins as the last window ended; what that is now.
    void restore(const Settings& settings);
    Settings remembered() const;
    /// Says something for as long as nothing else happens.
    void say(std::string words) { said_ = std::move(words); }
    const std::string& said() const noexcept { return said_; }

    /// Draws one frame of `width` by `height` pixels between ImGui::NewFrame and ImGui::Render. `seconds` passed since
    /// the last one.
    void draw(float width, float height, double seconds);
    void apply(Action action);

    /// Puts the active file at an event, follows `chosen` (kNone: none) and shows `visible`, each as far as the file
    /// has it; side by side the others follow.
    void go(std::optional<std::size_t> at, std::uint32_t chosen, const std::optional<Range>& visible);

    Document& document() noexcept { return *tabs_[active_].document; }
    Document& document(std::size_t tab) noexcept { return *tabs_[tab].document; }
    std::size_t active() const noexcept { return active_; }
    std::size_t size() const noexcept { return tabs_.size(); }
    const Timeline& drawn_timeline() const noexcept { return tabs_[active_].timeline.drawn(); }
    const Sets& drawn_sets() const noexcept { return tabs_[active_].sets.drawn(); }
    const SharedStacks& drawn_stacks() const noexcept { return tabs_[active_].stacks.drawn(); }
    Theme theme() const noexcept { return style_.theme; }
    Language language() const noexcept { return style_.language; }
    /// What was drawn last of the file in tab `index`, side by side.
    const Timeline& drawn_timeline(std::size_t index) const noexcept { return tabs_[index].timeline.drawn(); }
    bool side_by_side() const noexcept { return beside_; }
    bool sets() const noexcept { return beside_ ? beside_sets_ : sets_; }
    Lock lock() const noexcept { return lock_; }
    /// Where the two files that are compared differ, and which of the differences the playheads are at.
    const Divergences& compared() { return differences().all; }
    std::optional<std::size_t> compared_at() { return difference_here(); }
    /// The table that was drawn last, side by side; without rows if it is hidden.
    const FiguresTable& drawn_figures() const noexcept { return drawn_figures_; }
    bool help_open() const noexcept { return help_; }
    bool search_open() const noexcept { return search_.open(); }
    const SourceOverlay& source() const noexcept { return source_; }
    bool recent_open() const noexcept { return recent_.open(); }
    bool until_open() const noexcept { return until_.open(); }
    bool lanes_open() const noexcept { return lanes_.open(); }
    bool table() const noexcept { return table_; }
    bool plots() const noexcept { return plots_; }
    bool overlaid() const noexcept { return beside_ && overlay_; }
    const Overlay& drawn_overlay() const noexcept { return overlay_panel_.drawn(); }
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
        TablePanel table;
        std::unique_ptr<SetLengths> lengths;  ///< counted when they are first plotted
        RegionWords region;
    };
    /// Returns the height that the tabs took.
    float draw_tabs(float width);
    void draw_tab(Tab& tab, Rect area);
    void draw_panels(Tab& tab, Rect area);
    /// Draws what is said about the moment; returns where the panels begin.
    float draw_strips(Tab& tab, Rect area);
    void copy(Action action);
    /// The source of what chose the coroutine that was entered last; in the editor if it is shown already.
    void show_source();
    /// What lies over the panels of the active file.
    void draw_overlays(Rect area, Rect lanes, const Scene& scene, Selection& selection);
    void draw_set_answers(Rect area);
    /// What lies over several files: of the active one; what it changes the others follow.
    void draw_overlays_beside(Rect area, const Scene& scene, Selection& selection);
    void note_panel(std::string_view name, Rect r);
    /// The panel at the mouse is what the picture is wanted of.
    void want_panel();
    /// The lengths of the sets, where plots of them are wanted; else null.
    const SetLengths* lengths_of(Tab& tab);
    // predicting (over/predicting.cpp)
    void toggle_predict();
    /// Carries out `action` on the active file, or on all side by side; while predicting it stops at the next question.
    void apply_predicting(Action action);
    /// Plays for `seconds`, and stops likewise.
    void advance(double seconds);
    /// The active file came from `before`: it goes back to the first question on its way, if there is one.
    void stop_to_ask(std::size_t before);
    /// Puts the playhead of the active file; side by side the others follow.
    void put_active(std::size_t playhead);
    /// What was clicked is the answer, if one is waited for.
    void take_answer(std::uint32_t chosen_before);
    bool draws_sets(const Document& document) const;
    /// Whether any file has a set with a shape.
    bool draws_shapes() const;
    // side by side (beside.cpp)
    /// The largest image of all files, bytes; how many members the sets of each name have at most in any of them.
    std::uint64_t largest_image() const;
    const PlotScales* plot_scales();
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
        Divergences all;
        std::array<std::vector<Range>, 2> stretches;  ///< of both tabs, ns
        std::optional<std::size_t> at;                ///< the place that was gone to last
        bool found = false;
    };
    Differences& differences();
    void go_to_difference(int by);
    /// Puts both files where they differ for the n-th time, from 0.
    void choose_difference(std::size_t n);
    /// The difference that both playheads are at; nothing if they are not where one was gone to.
    std::optional<std::size_t> difference_here();
    /// That difference in words, or how much of the two files agrees.
    std::string difference_words();
    /// What the figures mean, in lines.
    std::vector<std::string> verdict_lines(float width);
    DifferenceView differences_of(std::size_t index);
    /// Whether the files are where the lock has them.
    bool in_step();
    /// All readable files, for the overlay; the index of the active one among them is put into `leader`.
    std::vector<OverlayFile> overlay_files(std::size_t& leader);
    void draw_overlay(Rect area);
    /// Leaves out the lanes that do not differ, or shows them again.
    void apply_same();
    const std::vector<OverlayMatch>& matches();
    /// What the mouse did to the file at `deed.file` of the readable ones.
    void take_deed(const OverlayDeed& deed);
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
    std::vector<double> step_key_;  ///< the places for which in_step_ was found
    bool in_step_ = true;
    bool overlay_ = false;    ///< side by side: one row a coroutine
    bool fold_same_ = false;  ///< lanes that do not differ are left out
    std::vector<OverlayMatch> matches_;
    std::optional<PlotScales> plot_scales_;
    OverlayPanel overlay_panel_;
    SearchOverlay search_;
    LanesOverlay lanes_;
    SourceOverlay source_;
    UntilOverlay until_;
    Predict predict_;
    bool table_ = false;  ///< the table and the histograms are shown
    bool plots_ = false;  ///< the lengths of the sets are plotted
    RecentOverlay recent_;
    Settings settings_;
    std::vector<std::pair<std::string_view, Rect>> panels_;
    std::string wanted_panel_;
    bool present_ = false, wants_picture_ = false, wants_svg_ = false, new_names_ = false;
    float usual_em_, zoom_ = 1;
    std::string said_;
};

}  // namespace fiberscope::viewer
