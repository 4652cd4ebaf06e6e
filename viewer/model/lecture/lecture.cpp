#include "viewer/model/lecture/lecture.h"

#include <algorithm>
#include <utility>

#include "traces/read/reader.h"
#include "viewer/model/place.h"
#include "viewer/model/whole_file.h"

namespace fiberscope::viewer {
namespace {

constexpr std::size_t kMostUndone = 200;
/// Arguments of begin_edit() other than the number of a note.
constexpr std::size_t kOfTitle = SIZE_MAX - 1, kOfOrder = SIZE_MAX;

}  // namespace

Lecture::Lecture(const std::filesystem::path& trace, std::string_view language)
    : file_(trace::notes_file(trace, language)) {
    if (file_.empty()) {
        file_ = trace.parent_path() / (trace.stem().string() + ".notes.json");
        saved_ = trace::notes_as_json({});
        return;
    }
    try {
        bytes_ = trace::bytes_of_notes(file_);
        notes_ = trace::parse_notes(bytes_, file_);
        for (const trace::Note& note : notes_.notes)
            if (const std::string_view wrong = wrong_part(note.place.bytes()); !wrong.empty())
                trace::refuse_place(file_, note.line, wrong);
    } catch (const trace::ReadError& error) {
        error_ = error.message();
        notes_ = {};
    }
    saved_ = trace::notes_as_json(notes_);
}

std::optional<std::size_t> Lecture::here(std::size_t playhead) const noexcept {
    if (now_ < size() && at_ == playhead) return now_;
    for (std::size_t n = 0; n < size(); ++n)
        if (notes_.notes[n].event == playhead) return n;
    return std::nullopt;
}

std::optional<std::size_t> Lecture::next(std::size_t playhead) const noexcept {
    const std::optional<std::size_t> now = here(playhead);
    const std::size_t next = now ? *now + 1 : now_ < size() ? now_ + 1 : 0;
    return next < size() ? std::optional(next) : std::nullopt;
}

std::optional<std::size_t> Lecture::previous(std::size_t playhead) const noexcept {
    const std::optional<std::size_t> now = here(playhead);
    if (!now) return now_ < size() ? std::optional(now_) : std::nullopt;
    return *now > 0 ? std::optional(*now - 1) : std::nullopt;
}

void Lecture::go(std::size_t n) noexcept {
    if (n >= size()) return;
    now_ = n;
    at_ = notes_.notes[n].event;
    revealed_ = edited_ = kNone;
}

void Lecture::play() noexcept {
    now_ = at_ = revealed_ = kNone;
    playing_ = size() > 0;
}

bool Lecture::hidden(std::size_t n) const noexcept {
    return revealed_ != n && (playing_ || !notes_.notes[n].question.empty());
}

bool Lecture::begin_edit(std::size_t what) {
    if (!error_.empty()) return false;
    if (what == kOfOrder || what != edited_) {
        if (before_.size() == kMostUndone) before_.erase(before_.begin());
        before_.push_back(notes_);
    }
    edited_ = what;
    playing_ = false;
    return true;
}

bool Lecture::add(trace::Note note) {
    if (!begin_edit(kOfOrder)) return false;
    const std::size_t n = now_ < size() ? now_ + 1 : size();
    notes_.notes.insert(notes_.notes.begin() + static_cast<std::ptrdiff_t>(n), std::move(note));
    go(n);
    return true;
}

bool Lecture::set(std::size_t n, trace::Note note) {
    if (n >= size() || !begin_edit(n)) return false;
    if (at_ == notes_.notes[n].event) at_ = note.event;
    notes_.notes[n] = std::move(note);
    return true;
}

bool Lecture::set_title(std::string title) {
    if (!begin_edit(kOfTitle)) return false;
    notes_.title = trace::ForeignText(std::move(title));
    return true;
}

bool Lecture::move(std::size_t n, int by) {
    const std::size_t to = n + static_cast<std::size_t>(by);  // wraps around below 0
    if (n >= size() || to >= size() || !begin_edit(kOfOrder)) return false;
    std::swap(notes_.notes[n], notes_.notes[to]);
    go(to);
    return true;
}

bool Lecture::remove(std::size_t n) {
    if (n >= size() || !begin_edit(kOfOrder)) return false;
    notes_.notes.erase(notes_.notes.begin() + static_cast<std::ptrdiff_t>(n));
    go(n == size() && n > 0 ? n - 1 : n);
    return true;
}

bool Lecture::undo() {
    if (before_.empty()) return false;
    notes_ = std::move(before_.back());
    before_.pop_back();
    edited_ = revealed_ = kNone;
    if (now_ >= size()) now_ = at_ = kNone;
    return true;
}

bool Lecture::changed() const { return trace::notes_as_json(notes_) != saved_; }

bool Lecture::reads_as(const Lecture& other) const {
    return file_ == other.file_ && saved_ == other.saved_ && error_ == other.error_;
}

std::string Lecture::texts() const {
    std::string texts(notes_.title.bytes());
    for (const trace::Note& note : notes_.notes) texts.append(note.question.bytes()).append(note.text.bytes());
    return texts;
}

Lecture::Saved Lecture::save() {
    if (file_.empty() || !error_.empty()) return Saved::nowhere;
    if (std::string now = trace::bytes_of_notes(file_); now != bytes_) {
        bytes_ = std::move(now);
        return Saved::overtaken;
    }
    std::string text = trace::notes_as_json(notes_);
    if (!write_whole(file_, text)) return Saved::refused;
    bytes_ = saved_ = std::move(text);
    edited_ = kNone;
    return Saved::yes;
}

}  // namespace fiberscope::viewer
