#include "viewer/model/document.h"

#include <algorithm>
#include <exception>

#include "traces/read/reader.h"
#include "viewer/layout/base/scale.h"

namespace fiberscope::viewer {

namespace {

/// Why `file` is nothing to read a trace from; empty if it is. Reading a FIFO or a device might never end.
std::string no_regular_file(const std::filesystem::path& file) {
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (error || !std::filesystem::exists(status) || std::filesystem::is_regular_file(status)) return {};
    return file.string() + " is " + (std::filesystem::is_directory(status) ? "a directory" : "no regular file") +
           "; give the file of a trace.";
}

}  // namespace

Document::Document(std::filesystem::path file) : file_(std::move(file)), title_(file_.filename().string()) { load(); }

void Document::load() {
    error_ = no_regular_file(file_);
    if (!error_.empty()) return;
    stamp_ = stamp();
    try {
        show(trace::read(file_));
    } catch (const trace::ReadError& error) {
        error_ = error.what();
    } catch (const std::exception& error) {
        error_ = file_.string() + ": cannot be read: " + error.what();
    }
    try {
        const std::filesystem::path beside = trace::notes_file(file_);
        notes_ = beside.empty() ? trace::Notes() : trace::read_notes(beside);
    } catch (const trace::ReadError& error) {
        notes_ = {"", {{selection_.playhead, error.what(), ""}}};  // the one who wrote it must see it
    }
}

Document::Stamp Document::stamp() const {
    std::error_code size_error, time_error;
    const auto size = std::filesystem::file_size(file_, size_error);
    const auto time = std::filesystem::last_write_time(file_, time_error);
    return size_error || time_error ? stamp_ : Stamp{size, time};
}

bool Document::changed() const { return !file_.empty() && stamp() != stamp_; }

void Document::reload() {
    const Selection before = selection_;
    const bool was_readable = readable();
    const std::size_t size = was_readable ? replay_->size() : 0;
    const std::uint64_t duration = was_readable ? index_->duration() : 0;
    index_.reset();
    replay_.reset();
    load();
    if (!readable() || !was_readable) return;
    selection_ = before;
    selection_.playhead = before.playhead == size ? replay_->size() : std::min(before.playhead, replay_->size());
    if (before.visible.to >= static_cast<double>(duration)) selection_.visible.to = whole(axis_end(*index_, before)).to;
    if (selection_.chosen >= replay_->coroutines()) selection_.chosen = trace::kNone;
    sync();
}

const trace::Note* Document::note_here() const noexcept {
    for (const trace::Note& note : notes_.notes)
        if (note.event == selection_.playhead) return &note;
    return nullptr;
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
    if (action == Action::next_note || action == Action::previous_note) {
        const auto& notes = notes_.notes;
        const bool next = action == Action::next_note;
        const std::size_t at = selection_.playhead;
        const auto after = std::find_if(notes.begin(), notes.end(),
                                        [&](const trace::Note& n) { return next ? n.event > at : n.event >= at; });
        if (next ? after == notes.end() : after == notes.begin()) return;
        playback_.playing = false;
        set_playhead((next ? after : after - 1)->event, *replay_, *index_, selection_);
        return sync();
    }
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
