#include "viewer/model/document.h"

#include <exception>

#include "traces/read/reader.h"

namespace fiberscope::viewer {

Document::Document(std::filesystem::path file) : title_(file.filename().string()) {
    try {
        show(trace::read(file));
    } catch (const trace::ReadError& error) {
        error_ = error.what();
    } catch (const std::exception& error) {
        error_ = file.string() + ": cannot be read: " + error.what();
    }
}

Document::Document(trace::Trace trace) : title_(trace.file.filename().string()) { show(std::move(trace)); }

void Document::show(trace::Trace trace) {
    trace.number_namesakes();
    trace_ = std::make_unique<trace::Trace>(std::move(trace));
    if (trace_->size() == 0) {
        error_ = trace_->file.string() + ": the trace has no events; record it again.";
        if (!trace_->missing.empty()) error_ += " (" + trace_->missing + ")";
        return;
    }
    replay_ = std::make_unique<trace::Replay>(*trace_);
    index_ = std::make_unique<TraceIndex>(*trace_, *replay_);
    selection_ = first_selection(*replay_, *index_);
    sync();
}

std::string Document::warning() const {
    if (!trace_) return {};
    std::string text = trace_->missing;
    if (trace_->dropped != 0) {
        if (!text.empty()) text += " ";
        text += std::to_string(trace_->dropped) + " events were dropped by the recorder.";
    }
    return text;
}

void Document::apply(Action action) {
    if (!readable()) return;
    viewer::apply(action, *replay_, *index_, selection_, playback_);
    sync();
}

void Document::advance(double seconds) {
    if (!readable()) return;
    viewer::advance(seconds, *replay_, *index_, selection_, playback_);
    sync();
}

void Document::sync() {
    if (!readable()) return;
    if (replay_->at() != selection_.playhead) replay_->seek(selection_.playhead);
    replay_->look_at(selection_.moment ? static_cast<std::uint64_t>(*selection_.moment) : trace::Replay::kNoMoment);
}

}  // namespace fiberscope::viewer
