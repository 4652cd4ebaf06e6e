// An open file: its trace, or the reason why there is none.
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
    /// No file: not readable, but without an error.
    Document() = default;
    bool none() const noexcept { return !readable() && !loading() && error_.empty(); }
    /// Opens `file`. Does not throw if its content is invalid; see error().
    explicit Document(std::filesystem::path file);
    /// Opens it in the background (Loading): until poll() has shown it, it is not readable and has no error.
    struct Later {};
    Document(std::filesystem::path file, Later);
    /// Shows a trace in memory.
    explicit Document(trace::Trace trace);

    /// Why there is nothing to show, in one sentence; else empty.
    std::string error() const;
    /// The missing part of a truncated file; empty if it is complete.
    std::string warning() const;
    /// The condition of the file that error() and warning() describe.
    trace::Condition condition() const noexcept { return condition_; }
    bool live() const noexcept { return condition_ == trace::Condition::live; }
    /// Whether a live file is paused: by hold_or_follow(), or because its playhead is not at the end.
    bool held() const noexcept { return live() && readable() && (held_ || selection_.playhead != replay_->size()); }
    /// How much of a live file is available, and whether it is paused or followed; empty if it is not live.
    std::string live_words() const;
    /// Pauses a live file, or goes to its end and follows it again.
    void hold_or_follow();
    /// The language of all these and of lecture().
    void set_language(Language language) noexcept { language_ = language; }
    /// The file's name for the tab.
    const std::string& title() const noexcept { return title_; }
    /// Whether the file is being read, for the first time or again, and the progress from 0 to 1.
    bool loading() const noexcept { return loading_ != nullptr; }
    double share() const noexcept { return loading_ ? loading_->share() : 1; }
    /// Shows the file once it has been read; returns whether it did so in this call.
    bool poll();
    /// Whether a file that was live, truncated or unreadable has grown and should be read again. A complete recording
    /// stays as it was read, even if its file changes; see disk_words().
    bool changed() const;
    /// Checks whether the file of a recording was overwritten or removed; returns whether that is new.
    bool look_at_disk();
    bool written_again() const noexcept { return on_disk_ == OnDisk::written_again; }
    /// Describes that change; empty if the file is as it was read.
    std::string disk_words() const;
    /// Reads the file again. Keeps the playhead (at the end if it was at the end) and the selection.
    void reload();
    /// The same in the background; the old content stays until poll() shows the new one.
    void reload_later();
    /// The notes of the trace, from the file beside it, in the document's language if there is one. Edits are kept when
    /// the trace is read again.
    Lecture& lecture() noexcept {
        return language_ == Language::chinese && chinese_lecture_.found() ? chinese_lecture_ : lecture_;
    }
    const Lecture& lecture() const noexcept { return const_cast<Document*>(this)->lecture(); }
    /// By language.
    std::array<Lecture*, 2> lectures() noexcept { return {&lecture_, &chinese_lecture_}; }
    /// Whether there are unsaved edits of a lecture in any language.
    bool unsaved() const { return lecture_.changed() || chinese_lecture_.changed(); }
    bool readable() const noexcept { return index_ != nullptr; }

    // These require readable().
    const trace::Replay& replay() const noexcept { return *replay_; }
    /// The replay, for temporary moves; sync() restores its position.
    trace::Replay& replay_to_move() noexcept { return *replay_; }
    const TraceIndex& index() const noexcept { return *index_; }
    Selection& selection() noexcept { return selection_; }
    const Selection& selection() const noexcept { return selection_; }
    Playback& playback() noexcept { return playback_; }
    const Playback& playback() const noexcept { return playback_; }

    // These are no-ops if the document is not readable.
    void apply(Action action);
    const std::filesystem::path& file() const noexcept { return file_; }
    /// Plays for `seconds` and moves the replay to the playhead. Called once per frame, before drawing.
    void advance(double seconds);
    /// Moves the replay to the playhead.
    void sync();

  private:
    enum class OnDisk : std::uint8_t { as_read, written_again, gone };
    /// Whether to keep the content read although the file has changed.
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
    std::size_t whole_events_ = 0;  ///< up to which the parts of all machines are complete
    std::string title_, error_;
    std::unique_ptr<trace::Trace> trace_;
    std::unique_ptr<trace::Replay> replay_;
    std::unique_ptr<TraceIndex> index_;
    Selection selection_;
    Playback playback_;
    std::unique_ptr<Loading> loading_;
};

}  // namespace fiberscope::viewer
