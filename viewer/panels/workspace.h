// The content of the window: the tabs, and the panels of each file. Independent of the drawing target (a window, a
// file, a test).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "viewer/model/find/offers.h"
#include "viewer/panels/compare/comparing.h"
#include "viewer/panels/compare/matrix_panel.h"
#include "viewer/panels/file_rows.h"
#include "viewer/panels/files/one_file.h"
#include "viewer/panels/files/window_state.h"
#include "viewer/panels/over/lecture_panel.h"
#include "viewer/panels/over/predicting.h"

namespace fiberscope::viewer {

class Workspace {
  public:
    /// `style` must have its fonts loaded.
    Workspace(std::vector<std::unique_ptr<Document>> documents, const Style& style);
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    /// Reloads the fonts if the window needs another text size, or if there are new names; returns whether it did. Must
    /// not be called within a frame.
    bool renew_fonts(float width, float height);
    /// Opens another file in its own tab, and shows it.
    void open(const std::string& file);
    /// Sets the recordings offered by Ctrl O and by a window without a file, instead of those in the tree; `fetch`
    /// opens the clicked one.
    void offer(Recordings recordings, std::function<void(const std::string& file)> fetch);
    /// Takes over files read in the background, and starts to reread changed ones. Returns whether the display has
    /// changed.
    bool refresh();
    /// Whether a file is being read that is not visible yet, or a demo is being run again.
    bool loading() const noexcept { return state_.files.loading() || state_.overlays.knobs.busy(); }
    /// Whether it needs another frame without any input.
    bool busy() const noexcept;
    /// Enables the animation of set members; by default they move at once, as in a picture.
    void let_glide() { state_.glides = true; }
    /// Reads the files that a note shows, and goes to the note.
    void settle();
    /// Whether any file is being recorded.
    bool live() const noexcept { return state_.files.live(); }
    /// The panels of the last frame.
    const std::vector<NotedPanel>& panels() const noexcept { return state_.panels; }
    /// Restores the last session; returns the settings to save.
    void restore(const Settings& settings);
    Settings remembered() const;
    /// Shows a message until the next key.
    void say(std::string words) { said_ = std::move(words); }
    /// Appends the texts of all further frames to `written`; null: none.
    void note_written(std::vector<Written>* written) noexcept { style_.written = written; }
    const std::string& said() const noexcept { return said_; }

    /// Names of the recordings whose lectures have unsaved edits; empty if there are none.
    std::string unsaved() const { return player_.unsaved(); }
    void save_lectures() { player_.save_all(); }
    /// The files of lectures saved since the last call.
    std::vector<std::filesystem::path> take_saved() { return player_.take_saved(); }

    /// Draws a frame of `width` by `height` pixels between ImGui::NewFrame and ImGui::Render, `seconds` after the last
    /// one.
    void draw(float width, float height, double seconds);
    void apply(Action action);
    /// Whether a text field has the keyboard focus, or was opened and is about to get it: keys are not shortcuts.
    bool writes() const;
    /// Queues a typed character until the field has the focus.
    void keep_typed(unsigned character) { typed_.push_back(character); }

    /// Moves the active file to an event, selects `chosen` (kNone: none), shows `visible` and pins lanes, each if the
    /// file has it; side by side the others follow.
    void go(std::optional<std::size_t> at, std::uint32_t chosen, const std::optional<Range>& visible,
            const Pins& pins) {
        state_.files.go(at, chosen, visible, &pins);
    }

    Document& document() noexcept { return state_.files.document(); }
    const Document& document() const noexcept { return state_.files.document(); }
    Document& document(std::size_t tab) noexcept { return *state_.files.tabs()[tab].document; }
    const Document& document(std::size_t tab) const noexcept { return *state_.files.tabs()[tab].document; }
    std::size_t active() const noexcept { return state_.files.active(); }
    std::size_t size() const noexcept { return state_.files.tabs().size(); }
    Theme theme() const noexcept { return style_.theme; }
    Language language() const noexcept { return style_.language; }
    float em() const noexcept { return style_.em; }
    const Style& style() const noexcept { return style_; }
    /// Whether the mode toggled by an action is on and visible.
    bool on(Action action) const;
    bool side_by_side() const noexcept { return state_.files.side_by_side(); }
    bool sets() const noexcept { return side_by_side() ? state_.beside_sets : state_.settings.sets; }
    bool matrix() const noexcept { return state_.matrix; }
    bool table() const noexcept { return state_.settings.table; }
    bool presenting() const noexcept { return state_.present; }
    Lock lock() const noexcept { return state_.files.lock(); }
    const Overlays& overlays() const noexcept { return state_.overlays; }
    const Predict& predict() const noexcept { return predicting_.predict(); }
    /// The note shown above the panels.
    const std::string& told() const noexcept { return state_.told; }
    Comparing& comparing() noexcept { return comparing_; }

    // The last drawn layouts, for tests.
    const Timeline& drawn_timeline() const noexcept { return drawn_timeline(active()); }
    const Timeline& drawn_timeline(std::size_t tab) const noexcept { return state_.files.tabs()[tab].timeline.drawn(); }
    const Sets& drawn_sets() const noexcept { return state_.files.tabs()[active()].sets.drawn(); }
    const SharedStacks& drawn_stacks() const noexcept { return state_.files.tabs()[active()].stacks.drawn(); }
    /// The matrix; without rows if it is hidden.
    const Matrix& drawn_matrix() const noexcept { return matrix_.drawn(); }

  private:
    // Each handles a group of actions; false if `action` is not in it.
    bool apply_to_look(Action action);
    bool apply_to_overlays(Action action);
    bool apply_to_files(Action action);
    bool apply_to_lecture(Action action);
    void apply_theme(Theme theme);
    /// Returns whether it succeeded.
    bool toggle_side_by_side();
    void toggle_matrix();
    /// Shows the panel under the mouse alone, else the one that shows the last event; or all panels again.
    void toggle_maximized();
    void copy();
    /// Shows the source line that chose the last entered coroutine; closes it if it is shown already.
    void show_source();
    void find_offers();
    void take_offer(const std::string& file);
    /// If a demo that was run again has ended, starts to read its recording. Returns whether the display has changed.
    bool take_again();
    /// Once it has been read, shows it beside the previous recording.
    void show_again();

    void give_typed();
    /// Returns the height of the tabs.
    float draw_tabs(Rect window);
    void draw_file_tabs(Rect area);
    /// At the right end of `area`, if it fits; returns its left end.
    float draw_lock_button(Rect area);
    /// Draws the overlays if the card of a difference uses all the room.
    void draw_all_over_card(Rect area);
    /// Maximizes the panel whose heading was double-clicked: a finger has no keys.
    void take_double_click();
    /// Takes the room of the panels that are docked, not overlaid.
    void take_docks(Rect& area);
    /// Returns the action clicked below the lanes.
    std::optional<Action> draw_files(Rect area);

    WindowState state_;
    Style& style_;
    std::string& said_;
    Predicting predicting_;
    Comparing comparing_;
    LecturePlayer player_;
    LecturePanel lecture_;
    OneFilePanel one_file_;
    FileRowsPanel rows_;
    MatrixPanel matrix_;
    std::optional<Recordings> recordings_;  ///< none: not searched yet
    std::vector<OfferGroup> offers_;
    std::function<void(const std::string&)> fetch_;
    bool opens_field_ = false;  ///< a key has opened a field that is not drawn yet
    std::vector<unsigned> typed_;
    /// The tab of a recording that is being read, and that of the one to show it beside.
    std::optional<std::pair<std::size_t, std::size_t>> again_;
    bool leaves_field_ = false;  ///< Esc was pressed in a text field
    bool new_names_ = false;     ///< the fonts may lack characters of an opened file
    float usual_em_;
};

}  // namespace fiberscope::viewer
