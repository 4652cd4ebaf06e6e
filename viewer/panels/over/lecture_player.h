// Presents the lecture of a file: goes from note to note, opens the files that a note shows beside it, asks its
// question, and records and saves notes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "viewer/model/place.h"
#include "viewer/panels/compare/comparing.h"
#include "viewer/panels/files/window_state.h"
#include "viewer/panels/over/predicting.h"

namespace fiberscope::viewer {

class LecturePlayer {
  public:
    LecturePlayer(WindowState& state, Predicting& predicting, Comparing& comparing) noexcept
        : state_(state), predicting_(predicting), comparing_(comparing) {}

    /// Executes an action on the lecture; false if `action` is not one.
    bool apply(Action action);
    /// Goes to a note once its files have been read, and reveals answered questions. Called once per frame, before
    /// drawing.
    void advance();
    /// The note at the playhead, or its question while the text is hidden; empty if there is none, or while the lecture
    /// is edited, since the editor shows the note.
    std::string words() const;

    /// The document of the lecture: the active file, or the one whose note shows others beside it.
    Document& document() const;
    /// Goes to note `n`.
    void tell(std::size_t n);
    /// Moves note `n` to the current place of the viewer.
    void put_here(std::size_t n);
    /// Moves note `n` and the playhead forward to the place at which its question is asked: before the next decision.
    void go_to_question(std::size_t n);
    bool recorded() const noexcept { return recorded_; }
    /// Whether a note was recorded since the last call.
    bool take_recorded() noexcept { return std::exchange(recorded_, false); }

    /// Names of the files of lectures with unsaved edits, separated by commas; empty if there are none.
    std::string unsaved() const;
    /// Saves all of them.
    void save_all();
    /// The files saved since the last call.
    std::vector<std::filesystem::path> take_saved() { return std::exchange(saved_, {}); }

  private:
    Lecture& lecture() const { return document().lecture(); }
    void go_on(bool back);
    void play();
    void record();
    void save(Lecture& lecture);
    trace::Note note_here() const;
    /// Shows the pending note; false while its files are being read.
    bool arrive();
    /// Opens the files of `place` side by side; false while they are being read.
    bool open_beside(const LinkedPlace& place);
    void close_others(const std::vector<std::filesystem::path>& wanted);
    void put_beside(const LinkedPlace& place, bool beside);

    WindowState& state_;
    Predicting& predicting_;
    Comparing& comparing_;
    Document* document_ = nullptr;               ///< document of the last shown note
    std::vector<std::filesystem::path> others_;  ///< files opened by a note
    bool paired_ = false;                        ///< a note has put files side by side
    bool recorded_ = false;
    std::optional<std::size_t> pending_;  ///< the note whose files are being read
    std::optional<std::size_t> asking_;   ///< the note whose question was asked last
    std::vector<std::filesystem::path> saved_;
};

}  // namespace fiberscope::viewer
