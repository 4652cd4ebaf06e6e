#include "viewer/panels/files/open_files.h"

#include <algorithm>

namespace fiberscope::viewer {

const MatrixRun& Tab::matrix() {
    const std::string& file = document->title();
    const std::string name = file.ends_with(".json") ? file.substr(0, file.size() - 5) : file;
    if (!matrix_) matrix_ = std::make_unique<MatrixRun>(matrix_run(document->replay(), document->index(), name));
    return *matrix_;
}

void Tab::forget() {
    matrix_.reset();
    table = {};
    region = {};
    states = {};
}

OpenFiles::OpenFiles(std::vector<std::unique_ptr<Document>> documents, Language language) {
    for (auto& document : documents) {
        document->set_language(language);
        tabs_.emplace_back(std::move(document));
    }
    if (tabs_.empty()) tabs_.emplace_back(std::make_unique<Document>());
}

Documents OpenFiles::readable() const {
    Documents documents;
    for (const Tab& tab : tabs_)
        if (tab.readable()) documents.push_back(tab.document.get());
    return documents;
}

void OpenFiles::open(const std::string& file, Language language) {
    if (document().none()) tabs_.clear();
    tabs_.emplace_back(std::make_unique<Document>(file, Document::Later()));
    tabs_.back().document->set_language(language);
    activate(tabs_.size() - 1);
}

void OpenFiles::close(std::size_t tab) {
    tabs_.erase(tabs_.begin() + static_cast<std::ptrdiff_t>(tab));
    if (active_ > tab) --active_;
}

bool OpenFiles::refresh() {
    bool any = false;
    for (Tab& tab : tabs_) {
        if (!tab.document->loading()) {
            any = tab.document->look_at_disk() || any;
            if (tab.document->changed()) tab.document->reload_later();
        }
        if (!tab.document->poll()) continue;
        tab.forget();
        any = true;
    }
    return any;
}

bool OpenFiles::reload() {
    bool any = false;
    for (Tab& tab : tabs_)
        if (tab.document->written_again() && !tab.document->loading()) {
            tab.document->reload_later();
            any = true;
        }
    return any;
}

bool OpenFiles::loading() const noexcept {
    return std::any_of(tabs_.begin(), tabs_.end(),
                       [](const Tab& tab) { return tab.document->loading() && !tab.readable(); });
}

bool OpenFiles::live() const noexcept {
    return std::any_of(tabs_.begin(), tabs_.end(), [](const Tab& tab) { return tab.document->live(); });
}

void OpenFiles::activate(std::size_t tab) {
    if (tab == active_) return;
    if (side_by_side_) document().playback().playing = false;
    active_ = tab;
}

void OpenFiles::activate_next(bool backward) {
    std::size_t next = active_;
    do next = (next + (backward ? tabs_.size() - 1 : 1)) % tabs_.size();
    while (side_by_side_ && !tabs_[next].readable());
    activate(next);
}

bool OpenFiles::toggle_side_by_side() {
    const Documents documents = readable();
    if (!side_by_side_ && (documents.size() < 2 || !document().readable())) return false;
    side_by_side_ = !side_by_side_;
    if (side_by_side_)
        begin_side_by_side(documents, document(), lock_);
    else
        end_side_by_side(documents);
    return true;
}

void OpenFiles::change_lock() {
    if (!side_by_side_ || in_step()) lock_ = static_cast<Lock>((static_cast<std::size_t>(lock_) + 1) % kLocks);
    if (side_by_side_) lock_by(readable(), document(), lock_);
}

bool OpenFiles::in_step() {
    const Documents documents = readable();
    std::vector<double> key{static_cast<double>(lock_), static_cast<double>(active_)};
    for (const Document* document : documents) {
        key.push_back(static_cast<double>(document->selection().playhead));
        key.push_back(document->selection().moment.value_or(-1));
        key.push_back(static_cast<double>(document->replay().size()));
    }
    if (key != step_key_) {
        step_key_ = std::move(key);
        in_step_ = lock_holds(documents, document(), lock_);
    }
    return in_step_;
}

void OpenFiles::put(std::size_t playhead) {
    Document& active = document();
    const Selection before = active.selection();
    set_playhead(playhead, active.replay(), active.index(), active.selection());
    follow(active, before);
    active.sync();
}

void OpenFiles::go(std::optional<std::size_t> at, std::uint32_t chosen, const std::optional<Range>& visible,
                   const Pins* pins) {
    Document& active = document();
    if (!active.readable()) return;
    const Selection before = active.selection();
    if (at) set_playhead(*at, active.replay(), active.index(), active.selection());
    active.selection().chosen = chosen < active.replay().coroutines() ? chosen : trace::kNone;
    if (visible) active.selection().visible = *visible;
    if (pins != nullptr) active.selection().lanes.pins = *pins;
    follow(active, before);
    active.sync();
}

void OpenFiles::apply(Action action) {
    if (side_by_side_)
        apply_side_by_side(action, readable(), document(), lock_);
    else
        document().apply(action);
}

void OpenFiles::advance(double seconds) {
    if (side_by_side_)
        advance_side_by_side(seconds, readable(), document(), lock_);
    else
        document().advance(seconds);
}

void OpenFiles::follow(Document& document, const Selection& before) {
    if (side_by_side_) viewer::follow(readable(), document, before, lock_);
}

}  // namespace fiberscope::viewer
