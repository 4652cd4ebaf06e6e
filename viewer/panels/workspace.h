// All that stands in the window: the tabs, and for each file its panels. It draws; where the picture goes (a window, a
// file, a test) is not its business.
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
    /// `style` with its fonts loaded.
    Workspace(std::vector<std::unique_ptr<Document>> documents, const Style& style);
    Workspace(const Workspace&) = delete;
    Workspace& operator=(const Workspace&) = delete;

    /// Loads the fonts anew if a window of `height` pixels wants text of another size, or if there are new names;
    /// whether it did. Outside of a frame.
    bool renew_fonts(float width, float height);
    /// Opens another file, in a tab of its own, and shows it.
    void open(const std::string& file);
    /// What Ctrl O and a window without a file offer: these, and not those of the tree; `fetch` opens what is clicked.
    void offer(Recordings recordings, std::function<void(const std::string& file)> fetch);
    /// Takes the files that have been read meanwhile, and begins to read those again that have changed. Whether there
    /// is something new to see.
    bool refresh();
    /// Whether a file is being read that is not seen yet, or a demo runs again.
    bool loading() const noexcept { return state_.files.loading() || state_.overlays.knobs.busy(); }
    /// Whether it has something to do in the next frame, although nothing happens.
    bool busy() const noexcept;
    /// Members of sets glide from now on; without it they are at their new place at once, as in a picture.
    void let_glide() { state_.glides = true; }
    /// Reads what a note shows beside its recording, and goes to the note.
    void settle();
    /// Whether a file is being recorded meanwhile.
    bool live() const noexcept { return state_.files.live(); }
    /// The panels as they were drawn last, by the names that --panel knows.
    const std::vector<std::pair<std::string_view, Rect>>& panels() const noexcept { return state_.panels; }
    /// Begins as the last window ended; what that is now.
    void restore(const Settings& settings);
    Settings remembered() const;
    /// Shows a message until the next key.
    void say(std::string words) { said_ = std::move(words); }
    /// Notes the text of all frames from now on behind what `written` has; null: nowhere.
    void note_written(std::vector<Written>* written) noexcept { style_.written = written; }
    const std::string& said() const noexcept { return said_; }

    /// The recordings whose lectures have edits that no file has, in words; empty if there are none.
    std::string unsaved() const { return player_.unsaved(); }
    void save_lectures() { player_.save_all(); }
    /// The files of lectures that were saved since the last call.
    std::vector<std::filesystem::path> take_saved() { return player_.take_saved(); }

    /// Draws one frame of `width` by `height` pixels between ImGui::NewFrame and ImGui::Render. `seconds` passed since
    /// the last one.
    void draw(float width, float height, double seconds);
    void apply(Action action);
    /// Whether what is typed goes into a field: it is no key of the viewer then.
    bool writes() const;
    /// A field was opened by a key and does not take text yet: what is typed is for it, not for keys.
    bool awaits_field() const noexcept { return awaited_ > 0; }
    /// Keeps a character that was typed meanwhile, until the field takes it.
    void keep_typed(unsigned character) { typed_.push_back(character); }

    /// Puts the active file at an event, follows `chosen` (kNone: none), shows `visible` and pins lanes, each as far as
    /// the file has it; side by side the others follow.
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
    /// Whether the mode that an action begins and ends is on, and is seen.
    bool on(Action action) const;
    bool side_by_side() const noexcept { return state_.files.side_by_side(); }
    bool sets() const noexcept { return side_by_side() ? state_.beside_sets : state_.settings.sets; }
    bool matrix() const noexcept { return state_.matrix; }
    bool table() const noexcept { return state_.settings.table; }
    bool presenting() const noexcept { return state_.present; }
    Lock lock() const noexcept { return state_.files.lock(); }
    const Overlays& overlays() const noexcept { return state_.overlays; }
    const Predict& predict() const noexcept { return predicting_.predict(); }
    /// What is told above the panels.
    const std::string& told() const noexcept { return state_.told; }
    Comparing& comparing() noexcept { return comparing_; }

    // What was drawn last, for tests that look at the picture.
    const Timeline& drawn_timeline() const noexcept { return drawn_timeline(active()); }
    const Timeline& drawn_timeline(std::size_t tab) const noexcept { return state_.files.tabs()[tab].timeline.drawn(); }
    const Sets& drawn_sets() const noexcept { return state_.files.tabs()[active()].sets.drawn(); }
    const SharedStacks& drawn_stacks() const noexcept { return state_.files.tabs()[active()].stacks.drawn(); }
    /// The table side by side; without rows if it is hidden.
    const Matrix& drawn_matrix() const noexcept { return matrix_.drawn(); }

  private:
    // Each carries out some of the actions; false if `action` is none of them.
    bool apply_to_look(Action action);
    bool apply_to_overlays(Action action);
    bool apply_to_files(Action action);
    bool apply_to_lecture(Action action);
    void apply_theme(Theme theme);
    /// Whether it could.
    bool toggle_side_by_side();
    void toggle_matrix();
    void copy();
    /// The source of what chose the coroutine that was entered last; closes it if it is shown already.
    void show_source();
    void find_offers();
    void take_offer(const std::string& file);
    /// A demo that ran again has ended: begins to read its recording. Whether there is something new to see.
    bool take_again();
    /// Once it has been read: shows it beside the recording that was shown then.
    void show_again();

    void give_typed();
    /// Returns the height that the tabs took.
    float draw_tabs(float width);
    void draw_file_tabs(Rect area);
    /// At the right end of `area`, if there is room; returns where it begins.
    float draw_lock_button(Rect area);
    /// Where the card of a difference has all the room, what lies over the panels.
    void draw_all_over_card(Rect area);
    /// The room of what lies beside the panels, and not over them.
    void take_docks(Rect& area);
    /// Returns what was clicked below the lanes.
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
    std::optional<Recordings> recordings_;  ///< none: not looked for yet
    std::vector<OfferGroup> offers_;
    std::function<void(const std::string&)> fetch_;
    int awaited_ = 0;  ///< frames in which a field may still begin to take text
    std::vector<unsigned> typed_;
    /// The tab of a recording that is being read, and of the one that it is to be shown beside.
    std::optional<std::pair<std::size_t, std::size_t>> again_;
    bool leaves_field_ = false;  ///< Esc was pressed while one writes
    bool new_names_ = false;     ///< the fonts may lack characters of a file that was opened
    float usual_em_;
};

}  // namespace fiberscope::viewer
