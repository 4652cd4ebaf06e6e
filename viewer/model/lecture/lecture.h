// The lecture of a recording: its notes as they are told, one after the other, and as they are edited.
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
    /// Of a trace that is in no file: nothing can be saved.
    Lecture() = default;
    /// The notes of the file `trace` in a language, as trace::notes_file() finds them. If they cannot be read, error()
    /// says why, and there are none.
    Lecture(const std::filesystem::path& trace, std::string_view language);

    const trace::Notes& notes() const noexcept { return notes_; }
    std::size_t size() const noexcept { return notes_.notes.size(); }
    const trace::Note& operator[](std::size_t n) const noexcept { return notes_.notes[n]; }
    /// Why the file cannot be read, in one English sentence; then nothing is edited, so that it is not overwritten.
    const std::string& error() const noexcept { return error_; }
    /// Where save() writes; empty if nowhere.
    const std::filesystem::path& file() const noexcept { return file_; }

    /// Whether there is a file of notes, be it broken.
    bool found() const noexcept { return !bytes_.empty() || !error_.empty(); }
    /// Whether the file of `other` says the same as the one of this.
    bool reads_as(const Lecture& other) const;
    /// All that is said, for the fonts.
    std::string texts() const;

    // LecturePlayer. A place in the recording is a playhead.

    /// The note that is told at `playhead`: the one that was gone to last, or the first of that event.
    std::optional<std::size_t> here(std::size_t playhead) const noexcept;
    /// The note after the one that is told, or that was told last; the first one at the beginning. Nothing at the end.
    std::optional<std::size_t> next(std::size_t playhead) const noexcept;
    /// The note before; the one that was told last if the playhead has left it.
    std::optional<std::size_t> previous(std::size_t playhead) const noexcept;
    /// Note `n` is told now.
    void go(std::size_t n) noexcept;
    /// The playhead was moved to `playhead` by the answer to the note's question: the note is still told.
    void follow(std::size_t playhead) noexcept { at_ = playhead; }
    /// Begins before the first note; from now on every text is hidden until it is revealed, not only behind questions.
    void play() noexcept;
    bool playing() const noexcept { return playing_; }
    void stop() noexcept { playing_ = false; }
    bool hidden(std::size_t n) const noexcept;
    void reveal(std::size_t n) noexcept { revealed_ = n; }

    // Editing. Each returns whether it has changed something. Edits of one note, one after the other, are undone
    // together.

    /// Puts `note` behind the one that was told last, or at the end; it is told now.
    bool add(trace::Note note);
    bool set(std::size_t n, trace::Note note);
    bool set_title(std::string title);
    /// Moves a note by -1 or 1; it is told now.
    bool move(std::size_t n, int by);
    bool remove(std::size_t n);
    /// Takes the last edit back.
    bool undo();
    /// Whether there are edits that no file has.
    bool changed() const;

    enum class Saved : std::uint8_t {
        yes,
        nowhere,    ///< the trace is in no file, or its notes cannot be read
        overtaken,  ///< the file was written by another program meanwhile; the next call overwrites it
        refused     ///< the file cannot be written
    };
    /// Writes the file, whole or not at all.
    Saved save();

  private:
    static constexpr std::size_t kNone = SIZE_MAX;
    /// Remembers the notes as they are before an edit of `what`, unless the last edit was of the same.
    bool begin_edit(std::size_t what);

    std::filesystem::path file_;
    std::string bytes_;  ///< of the file as it was read or written last
    std::string error_;
    trace::Notes notes_;
    std::string saved_ = trace::notes_as_json({});  ///< the notes that the file has, as JSON
    std::vector<trace::Notes> before_;              ///< each edit
    std::size_t edited_ = kNone;                    ///< what the last edit was of
    std::size_t now_ = kNone;                       ///< the note that was told last
    std::size_t at_ = kNone;                        ///< the playhead at which it is told
    std::size_t revealed_ = kNone;
    bool playing_ = false;
};

}  // namespace fiberscope::viewer
