#include "viewer/model/document.h"

#include <algorithm>
#include <utility>

#include "languages/message.h"
#include "traces/read/printable.h"
#include "viewer/layout/base/scale.h"

namespace fiberscope::viewer {

namespace {

/// Replaces `mine` by the lecture read again if it differs and `mine` has no unsaved edits.
void take_lecture(Lecture& mine, Lecture read) {
    if (!mine.changed() && !mine.reads_as(read)) mine = std::move(read);
}

}  // namespace

Document::Document(std::filesystem::path file)
    : file_(std::move(file)), title_(trace::printable(file_.filename().string())) {
    take(Opening(file_).finish());
}

Document::Document(std::filesystem::path file, Later)
    : file_(std::move(file)), title_(trace::printable(file_.filename().string())) {
    reload_later();
}

Document::Document(trace::Trace trace) : title_(trace::printable(trace.file.filename().string())) {
    show(Opening(std::move(trace)).finish());
}

bool Document::changed() const {
    if (file_.empty()) return false;
    const std::optional<FileStamp> now = stamp_of(file_);
    if (!now) return false;
    if (live() && !trace::is_being_recorded(file_)) return true;
    return now != stamp_ && !held() && !keeps(*now);
}

bool Document::keeps(const FileStamp& now) const noexcept {
    return readable() && stamp_ && (condition_ == trace::Condition::whole || now.number != stamp_->number);
}

bool Document::look_at_disk() {
    OnDisk now = OnDisk::as_read;
    if (readable() && !file_.empty()) {
        const std::optional<FileStamp> stamp = stamp_of(file_);
        if (!stamp)
            now = OnDisk::gone;
        else if (stamp != stamp_ && keeps(*stamp))
            now = OnDisk::written_again;
    }
    return std::exchange(on_disk_, now) != now;
}

std::string Document::disk_words() const {
    if (on_disk_ == OnDisk::as_read) return {};
    return say(language_,
               on_disk_ == OnDisk::gone
                   ? mark("{0} no longer exists. The window shows the content read before.")
                   : mark("{0} has changed on disk. The window shows the old content; Shift R reloads the file."),
               title_);
}

void Document::reload() { take(Opening(file_).finish()); }

void Document::reload_later() { loading_ = std::make_unique<Loading>(file_); }

bool Document::poll() {
    std::optional<Opened> opened = loading_ ? loading_->take() : std::nullopt;
    if (!opened) return false;
    loading_.reset();
    take(std::move(*opened));
    return true;
}

void Document::take(Opened opened) {
    const Selection before = selection_;
    const bool was_readable = readable();
    const std::size_t size = was_readable ? replay_->size() : 0;
    const std::uint64_t duration = was_readable ? index_->duration() : 0;
    if (opened.stamp) stamp_ = opened.stamp;
    on_disk_ = OnDisk::as_read;
    show(std::move(opened));
    if (!readable() || !was_readable) return;
    selection_ = before;
    selection_.playhead = before.playhead == size ? replay_->size() : std::min(before.playhead, replay_->size());
    if (before.visible.to >= static_cast<double>(duration)) selection_.visible.to = whole(axis_end(*index_, before)).to;
    if (selection_.chosen >= replay_->coroutines()) selection_.chosen = trace::kNone;
    sync();
}

void Document::show(Opened opened) {
    error_ = std::move(opened.error);
    index_ = std::move(opened.index);
    replay_ = std::move(opened.replay);  // before the trace that it refers to
    trace_ = std::move(opened.trace);
    take_lecture(lecture_, std::move(opened.lecture));
    take_lecture(chinese_lecture_, std::move(opened.chinese_lecture));
    condition_ = opened.condition;
    whole_events_ = opened.whole_events;
    if (readable()) selection_ = first_selection(*index_);
    if (readable() && live()) selection_.playhead = replay_->size();
    sync();
}

std::string Document::error() const { return formatted(error_, language_); }

std::string Document::warning() const {
    if (!trace_) return {};
    std::string text = live() ? std::string() : formatted(trace_->missing, language_);
    if (condition_ == trace::Condition::cut && whole_events_ < trace_->size())
        text += (language_ == Language::english ? ". " : "。") +
                say(language_, "The parts of all machines are complete up to event {0}; after it some are missing.",
                    whole_events_);
    if (trace_->dropped != 0) {
        if (!text.empty()) text += " ";
        text += say(language_, "{0} events were dropped by the recorder.", trace_->dropped);
    }
    return text;
}

std::string Document::live_words() const {
    if (!live() || !readable()) return {};
    return say(
        language_,
        held() ? mark("Live, paused: {0}. Press Shift L to follow it again.") : mark("Live: {0}. Shift L pauses it."),
        formatted(trace_->missing, language_));
}

void Document::hold_or_follow() {
    if (!live() || !readable()) return;
    held_ = !held();
    if (!held_) set_playhead(replay_->size(), *replay_, *index_, selection_);
    sync();
}

void Document::apply(Action action) {
    if (action == Action::live) return hold_or_follow();
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
