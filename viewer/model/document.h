// One file that the viewer has open: its trace, or in words why there is none.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "viewer/layout/base/index.h"
#include "viewer/layout/base/selection.h"
#include "viewer/model/playback.h"

namespace fiberscope::viewer {

class Document {
  public:
    /// Opens `file`. Never throws for what is in the file: error() says it then.
    explicit Document(std::filesystem::path file);
    /// Shows a trace that is in memory already.
    explicit Document(trace::Trace trace);

    /// Why there is nothing to show, in one sentence; empty if there is.
    const std::string& error() const noexcept { return error_; }
    /// What is missing of a file that was cut short; empty if nothing is.
    std::string warning() const;
    /// The file's name for the tab.
    const std::string& title() const noexcept { return title_; }
    bool readable() const noexcept { return index_ != nullptr; }

    // These need readable().
    const trace::Replay& replay() const noexcept { return *replay_; }
    const TraceIndex& index() const noexcept { return *index_; }
    Selection& selection() noexcept { return selection_; }
    const Selection& selection() const noexcept { return selection_; }
    Playback& playback() noexcept { return playback_; }

    // These do nothing to what is not readable.
    void apply(Action action);
    /// Plays for `seconds` and brings the replay to the playhead. Once a frame, before drawing.
    void advance(double seconds);
    /// Brings the replay to the playhead.
    void sync();

  private:
    void show(trace::Trace trace);

    std::string title_, error_;
    std::unique_ptr<trace::Trace> trace_;
    std::unique_ptr<trace::Replay> replay_;
    std::unique_ptr<TraceIndex> index_;
    Selection selection_;
    Playback playback_;
};

}  // namespace fiberscope::viewer
