// Tells the lecture of a file: goes from note to note, opens the files that a note shows beside it, asks its question,
// and records and saves notes.
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

    /// Carries out what is about the lecture; false if `action` is not.
    bool apply(Action action);
    /// Goes to a note once its files have been read, and reveals what was answered. Once a frame, before drawing.
    void advance();
    /// The note at the playhead, or its question while its text is hidden; empty if there is none. Empty while the
    /// lecture is edited, for then the note stands there.
    std::string words() const;

    /// Whose lecture it is: the active file's, or the one whose note shows others beside it.
    Document& document() const;
    /// Goes to note `n`.
    void tell(std::size_t n);
    /// Puts note `n` where the viewer is.
    void put_here(std::size_t n);
    bool recorded() const noexcept { return recorded_; }
    /// Whether a note was recorded since the last call.
    bool take_recorded() noexcept { return std::exchange(recorded_, false); }

    /// The lectures with edits that no file has, by the names of their files, with commas; empty if there are none.
    std::string unsaved() const;
    /// Saves all of them.
    void save_all();
    /// The files that were saved since the last call.
    std::vector<std::filesystem::path> take_saved() { return std::exchange(saved_, {}); }

  private:
    Lecture& lecture() const { return document().lecture(); }
    void go_on(bool back);
    void play();
    void record();
    void save(Lecture& lecture);
    trace::Note note_here() const;
    /// Shows the note that was gone to; false while its files are still being read.
    bool arrive();
    /// Opens the files of `place` and puts them side by side; false while they are still being read.
    bool open_beside(const LinkedPlace& place);
    void close_others(const std::vector<std::filesystem::path>& wanted);
    void put_beside(const LinkedPlace& place, bool beside);

    WindowState& state_;
    Predicting& predicting_;
    Comparing& comparing_;
    Document* document_ = nullptr;               ///< whose note was gone to last
    std::vector<std::filesystem::path> others_;  ///< files that a note has opened
    bool paired_ = false;                        ///< a note has put files side by side
    bool recorded_ = false;
    std::optional<std::size_t> pending_;  ///< the note whose files are being read
    std::optional<std::size_t> asking_;   ///< the note whose question is asked, or was answered
    std::vector<std::filesystem::path> saved_;
};

}  // namespace fiberscope::viewer
