// The lecture of a recording: its notes, their presentation in order, and their editing.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/read/notes.h"

namespace fiberscope::viewer {

class Lecture {
  public:
    /// For a trace without a file: nothing can be saved.
    Lecture() = default;
    /// The notes of the file `trace` in a language, as found by trace::notes_file(). If they cannot be read, there are
    /// none, and error() is set.
    Lecture(const std::filesystem::path& trace, std::string_view language);

    const trace::Notes& notes() const noexcept { return notes_; }
    std::size_t size() const noexcept { return notes_.notes.size(); }
    const trace::Note& operator[](std::size_t n) const noexcept { return notes_.notes[n]; }
    /// Why the file cannot be read, in one English sentence; editing is then disabled, so that it is not overwritten.
    const std::string& error() const noexcept { return error_; }
    /// The file written by save(); empty if there is none.
    const std::filesystem::path& file() const noexcept { return file_; }

    /// Whether a file of notes exists, even an invalid one.
    bool found() const noexcept { return !bytes_.empty() || !error_.empty(); }
    /// Whether the file of `other` has the same content.
    bool reads_as(const Lecture& other) const;
    /// All texts, to load the glyphs of the fonts.
    std::string texts() const;

    // LecturePlayer. A position in the recording is a playhead.

    /// The current note at `playhead`: the last one passed to go(), or the first of that event.
    std::optional<std::size_t> here(std::size_t playhead) const noexcept;
    /// The note after the current or last shown one; initially the first. Nothing at the end.
    std::optional<std::size_t> next(std::size_t playhead) const noexcept;
    /// The previous note; if the playhead has left the last shown note, that one.
    std::optional<std::size_t> previous(std::size_t playhead) const noexcept;
    /// Makes note `n` the current one.
    void go(std::size_t n) noexcept;
    /// The answer to the note's question moved the playhead to `playhead`: the note remains the current one.
    void follow(std::size_t playhead) noexcept { at_ = playhead; }
    /// Starts before the first note; from now on every text is hidden until it is revealed, not only those of
    /// questions.
    void play() noexcept;
    bool playing() const noexcept { return playing_; }
    void stop() noexcept { playing_ = false; }
    bool hidden(std::size_t n) const noexcept;
    void reveal(std::size_t n) noexcept { revealed_ = n; }

    // Editing. Each function returns whether it changed anything. Consecutive edits of one note are undone together.

    /// Inserts `note` after the last shown one, or at the end, and makes it current.
    bool add(trace::Note note);
    bool set(std::size_t n, trace::Note note);
    bool set_title(std::string title);
    /// Moves a note by -1 or 1 and makes it current.
    bool move(std::size_t n, int by);
    bool remove(std::size_t n);
    /// Undoes the last edit.
    bool undo();
    /// Whether there are unsaved edits.
    bool changed() const;

    enum class Saved : std::uint8_t {
        yes,
        nowhere,    ///< the trace has no file, or its notes cannot be read
        overtaken,  ///< the file was written by another program in the meantime; the next call overwrites it
        refused     ///< the file cannot be written
    };
    /// Writes the file atomically.
    Saved save();

  private:
    static constexpr std::size_t kNone = SIZE_MAX;
    /// Saves the notes for undo before an edit of `what`, unless the last edit had the same target.
    bool begin_edit(std::size_t what);

    std::filesystem::path file_;
    std::string bytes_;  ///< of the file as last read or written
    std::string error_;
    trace::Notes notes_;
    std::string saved_ = trace::notes_as_json({});  ///< the notes in the file, as JSON
    std::vector<trace::Notes> before_;              ///< one entry per edit
    std::size_t edited_ = kNone;                    ///< target of the last edit
    std::size_t now_ = kNone;                       ///< the last shown note
    std::size_t at_ = kNone;                        ///< the playhead at which it is shown
    std::size_t revealed_ = kNone;
    bool playing_ = false;
};

}  // namespace fiberscope::viewer
