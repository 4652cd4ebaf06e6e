// One file that the viewer has open: its trace, or in words why there is none.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "viewer/layout/base/index.h"
#include "viewer/layout/base/selection.h"
#include "viewer/model/loading.h"
#include "viewer/model/playback.h"

namespace fiberscope::viewer {

class Document {
  public:
    /// No file: not readable, and nothing is wrong.
    Document() = default;
    bool none() const noexcept { return !readable() && !loading() && error_.empty(); }
    /// Opens `file`. Never throws for what is in the file: error() says it then.
    explicit Document(std::filesystem::path file);
    /// Opens it meanwhile (Loading): until poll() has shown it, it is not readable and has no error.
    struct Later {};
    Document(std::filesystem::path file, Later);
    /// Shows a trace that is in memory already.
    explicit Document(trace::Trace trace);

    /// Why there is nothing to show, in one sentence; empty if there is.
    std::string error() const;
    /// What is missing of a file that was cut short; empty if nothing is.
    std::string warning() const;
    /// What the file is: what error() and warning() say of it.
    trace::Condition condition() const noexcept { return condition_; }
    bool live() const noexcept { return condition_ == trace::Condition::live; }
    /// Whether a live file is not read on: it was held by hold_or_follow(), or its playhead is not at the end.
    bool held() const noexcept { return live() && readable() && (held_ || selection_.playhead != replay_->size()); }
    /// How much of a live file is there, and whether it is held or followed, in a sentence; empty if it is not live.
    std::string live_words() const;
    /// Holds a live file, or goes to its end and follows it again.
    void hold_or_follow();
    /// The language of all these and of lecture().
    void set_language(Language language) noexcept { language_ = language; }
    /// The file's name for the tab.
    const std::string& title() const noexcept { return title_; }
    /// Whether the file is being read, for the first time or again, and how much of that is done, from 0 to 1.
    bool loading() const noexcept { return loading_ != nullptr; }
    double share() const noexcept { return loading_ ? loading_->share() : 1; }
    /// Shows the file once it has been read; returns whether it did so now.
    bool poll();
    /// Whether there is more of a file that was live, cut short or unreadable: it is to be read again. A whole
    /// recording stays as it was read, whatever becomes of its file; disk_words() tells that.
    bool changed() const;
    /// Looks whether the file of a recording was written again, or is gone; whether that is new.
    bool look_at_disk();
    bool written_again() const noexcept { return on_disk_ == OnDisk::written_again; }
    /// Says that in a sentence; empty if the file is as it was read.
    std::string disk_words() const;
    /// Reads the file again; the playhead stays where it is, at the end if it was at the end, and so does what is
    /// chosen.
    void reload();
    /// The same meanwhile; what is shown stays until poll() shows the new.
    void reload_later();
    /// What is told about the trace, from the file beside it, in the language if there is such a file. Edits stay when
    /// the trace is read again.
    Lecture& lecture() noexcept {
        return language_ == Language::chinese && chinese_lecture_.found() ? chinese_lecture_ : lecture_;
    }
    const Lecture& lecture() const noexcept { return const_cast<Document*>(this)->lecture(); }
    /// Of each language.
    std::array<Lecture*, 2> lectures() noexcept { return {&lecture_, &chinese_lecture_}; }
    /// Whether there are edits of a lecture that no file has, in any language.
    bool unsaved() const { return lecture_.changed() || chinese_lecture_.changed(); }
    bool readable() const noexcept { return index_ != nullptr; }

    // These need readable().
    const trace::Replay& replay() const noexcept { return *replay_; }
    /// The replay, to look elsewhere for a moment; sync() brings it back.
    trace::Replay& replay_to_move() noexcept { return *replay_; }
    const TraceIndex& index() const noexcept { return *index_; }
    Selection& selection() noexcept { return selection_; }
    const Selection& selection() const noexcept { return selection_; }
    Playback& playback() noexcept { return playback_; }
    const Playback& playback() const noexcept { return playback_; }

    // These do nothing if the document is not readable.
    void apply(Action action);
    const std::filesystem::path& file() const noexcept { return file_; }
    /// Plays for `seconds` and brings the replay to the playhead. Once a frame, before drawing.
    void advance(double seconds);
    /// Brings the replay to the playhead.
    void sync();

  private:
    enum class OnDisk : std::uint8_t { as_read, written_again, gone };
    /// Whether what was read stays although the file is another one now.
    bool keeps(const FileStamp& now) const noexcept;
    void take(Opened opened);
    void show(Opened opened);

    std::filesystem::path file_;  ///< empty: a trace in memory
    std::optional<FileStamp> stamp_;
    Lecture lecture_, chinese_lecture_;
    Language language_ = Language::english;
    trace::Condition condition_ = trace::Condition::whole;
    bool held_ = false;
    OnDisk on_disk_ = OnDisk::as_read;
    std::size_t whole_events_ = 0;  ///< up to which every machine's part is there
    std::string title_, error_;
    std::unique_ptr<trace::Trace> trace_;
    std::unique_ptr<trace::Replay> replay_;
    std::unique_ptr<TraceIndex> index_;
    Selection selection_;
    Playback playback_;
    std::unique_ptr<Loading> loading_;
};

}  // namespace fiberscope::viewer
