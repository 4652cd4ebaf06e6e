#include "viewer/panels/over/lecture_player.h"

#include <algorithm>

#include "traces/read/printable.h"
#include "traces/words/names.h"
#include "traces/words/words.h"

namespace fiberscope::viewer {

namespace fs = std::filesystem;

bool LecturePlayer::apply(Action action) {
    switch (action) {
    case Action::next_note: go_on(false); return true;
    case Action::previous_note: go_on(true); return true;
    case Action::play_lecture: play(); return true;
    case Action::record_note: record(); return true;
    case Action::save_lecture: save(lecture()); return true;
    case Action::undo_note:
        if (!lecture().undo()) state_.said = state_.style.says("No edit of the lecture to undo.");
        return true;
    default: return false;
    }
}

Document& LecturePlayer::document() const {
    if (state_.files.side_by_side())
        for (const Tab& tab : state_.files.tabs())
            if (tab.document.get() == document_ && tab.readable()) return *document_;
    return state_.files.document();
}

void LecturePlayer::go_on(bool back) {
    Document& its = document();
    if (!its.readable()) return;
    Lecture& told = its.lecture();
    const std::size_t playhead = its.selection().playhead;
    const auto here = told.here(playhead);
    if (!back && here && told.hidden(*here) && !state_.lecture) {
        told.reveal(*here);
        return predicting_.end_once();
    }
    if (const auto to = back ? told.previous(playhead) : told.next(playhead)) return tell(*to);
    if (!back && told.size() == 0)
        state_.said = state_.style.says("{0} has no lecture: Shift N adds the first note.", its.title());
    if (!back) told.stop();
}

void LecturePlayer::play() {
    Lecture& told = lecture();
    if (!document().readable() || told.size() == 0) return go_on(false);
    state_.lecture = false;
    predicting_.forget();
    told.play();
    tell(0);
}

void LecturePlayer::tell(std::size_t n) {
    predicting_.end_once();
    asking_.reset();
    document_ = &document();
    document_->lecture().go(n);
    document_->playback().playing = false;
    pending_ = n;
    arrive();
}

bool LecturePlayer::arrive() {
    const Lecture& told = lecture();
    const std::size_t n = *pending_;
    if (n >= told.size()) {
        pending_.reset();
        return true;
    }
    const trace::Note& note = told[n];
    const LinkedPlace place = read_place(note.place.bytes());
    if (!open_beside(place)) return false;
    pending_.reset();
    Document& its = document();
    const bool asks = !note.question.empty() && note.answer != trace::Answer::aloud && !state_.lecture;
    const std::uint32_t kept = note.place.empty() ? its.selection().chosen : trace::kNone;
    state_.files.go(std::min(note.event, its.replay().size()), asks ? trace::kNone : place.chosen.value_or(kept),
                    place.visible, note.place.empty() ? nullptr : &place.pins);
    if (asks && predicting_.ask_once(note.answer == trace::Answer::set)) asking_ = n;
    return true;
}

void LecturePlayer::advance() {
    if (pending_) arrive();
    if (!asking_) return;
    const Predict& predict = predicting_.predict();
    Document& its = document();
    Lecture& told = its.lecture();
    const std::size_t playhead = its.selection().playhead;
    if (!predict.once() || *asking_ >= told.size()) {
        asking_.reset();
    } else if (!predict.asks() && told.hidden(*asking_)) {
        told.reveal(*asking_);
        told.follow(playhead);
    } else if (!predict.asks() && told.here(playhead) != asking_) {
        predicting_.end_once();
        asking_.reset();
    }
}

std::string LecturePlayer::words() const {
    const Document& its = document();
    const Style& style = state_.style;
    if (!its.readable()) return {};
    const Lecture& told = its.lecture();
    if (!told.error().empty()) return formatted(told.error(), style.language);
    const auto here = state_.lecture ? std::nullopt : told.here(its.selection().playhead);
    if (!here) return {};
    const trace::Note& note = told[*here];
    const std::string title = trace::printable(told.notes().title), question = trace::printable(note.question),
                      text = trace::printable(note.text);
    std::string said = title.empty() ? style.says("Note {0} of {1}.", *here + 1, told.size())
                                     : style.says("{0}: note {1} of {2}.", title, *here + 1, told.size());
    if (!question.empty()) said += " " + question;
    if (!told.hidden(*here)) return said + " " + text;
    return predicting_.predict().asks() ? said : said + " " + style.says("], or a click or tap here, shows its text.");
}

// ---- the files of a note

void LecturePlayer::close_others(const std::vector<fs::path>& wanted) {
    OpenFiles& files = state_.files;
    for (std::size_t i = files.tabs().size(); i-- > 0;) {
        const fs::path file = files.tabs()[i].document->file();
        const auto ours = std::find(others_.begin(), others_.end(), file);
        if (ours == others_.end() || std::find(wanted.begin(), wanted.end(), file) != wanted.end()) continue;
        others_.erase(ours);
        if (files.tabs()[i].document->unsaved() || i == files.active()) continue;
        if (files.side_by_side()) files.toggle_side_by_side();
        files.close(i);
        comparing_.forget();
    }
}

bool LecturePlayer::open_beside(const LinkedPlace& place) {
    OpenFiles& files = state_.files;
    Document& its = document();
    std::vector<fs::path> wanted;
    for (const std::string& name : place.files) wanted.push_back(its.file().parent_path() / (name + ".json"));
    const auto tab_of = [&](const auto& is) {
        const auto tabs = files.tabs();
        return static_cast<std::size_t>(std::find_if(tabs.begin(), tabs.end(), is) - tabs.begin());
    };
    const auto activate_own = [&] {
        files.activate(tab_of([&](const Tab& tab) { return tab.document.get() == &its; }));
    };
    activate_own();
    close_others(wanted);
    bool beside = false, waits = false;
    for (const fs::path& file : wanted) {
        std::error_code ignored;
        std::size_t tab = tab_of([&](const Tab& t) { return t.document->file() == file; });
        if (tab == files.tabs().size() && !fs::exists(file, ignored)) {
            state_.said = state_.style.says("{0} is not in the directory of {1}, so the note is shown without it.",
                                            trace::printable(file.filename().string()), its.title());
            continue;
        }
        if (tab == files.tabs().size()) {
            if (files.side_by_side()) files.toggle_side_by_side();
            files.open(file.string(), state_.style.language);
            others_.push_back(file);
            comparing_.forget();
            activate_own();
        }
        waits = waits || (!files.tabs()[tab].readable() && files.tabs()[tab].document->loading());
        beside = beside || files.tabs()[tab].readable();
    }
    if (waits) return false;
    put_beside(place, beside);
    return true;
}

void LecturePlayer::put_beside(const LinkedPlace& place, bool beside) {
    OpenFiles& files = state_.files;
    const bool ends = !beside && paired_ && files.side_by_side();
    if (beside != files.side_by_side() && (beside || ends)) files.toggle_side_by_side();
    paired_ = beside;
    for (std::size_t i = 0; beside && files.lock() != place.lock && i < 2 * kLocks; ++i) files.change_lock();
    if (beside) {
        state_.beside_sets = place.sets.value_or(false);
    } else if (place.visible) {
        state_.settings.sets = place.sets.value_or(true);
    }
}

// ---- recording and saving

trace::Note LecturePlayer::note_here() const {
    const Document& its = document();
    const Selection& selection = its.selection();
    trace::Note note;
    note.event = selection.playhead;
    if (note.event > 0) note.says = trace::ForeignText(trace::describe(its.replay().trace(), note.event - 1));
    LinkedPlace place;
    place.beside = state_.files.side_by_side();
    place.visible = selection.visible;
    place.pins = selection.lanes.pins;
    if (selection.chosen != trace::kNone) place.chosen = selection.chosen;
    if (place.beside) {
        for (const Document* other : state_.files.readable())
            if (other != &its) place.files.push_back(other->file().stem().string());
        place.lock = state_.files.lock();
        if (state_.beside_sets) place.sets = true;
    } else if (!state_.settings.sets) {
        place.sets = false;
    }
    note.place = trace::ForeignText(write_note_place(place));
    return note;
}

void LecturePlayer::record() {
    if (!document().readable()) return;
    Lecture& told = lecture();
    document().playback().playing = false;
    if (!told.add(note_here())) {
        state_.lecture = true;  // shows the error
        return;
    }
    asking_.reset();
    predicting_.end_once();
    state_.lecture = recorded_ = true;
}

void LecturePlayer::put_here(std::size_t n) {
    Lecture& told = lecture();
    trace::Note note = note_here();
    note.question = told[n].question;
    note.answer = told[n].answer;
    note.text = told[n].text;
    if (told.set(n, std::move(note))) told.go(n);
}

void LecturePlayer::go_to_question(std::size_t n) {
    Document& its = document();
    trace::Note note = lecture()[n];
    if (note.answer == trace::Answer::aloud) return;
    const auto place = place_of_question(its.replay(), its.index(), note.event, note.answer == trace::Answer::set);
    if (!place || *place == note.event) return;
    note.event = *place;
    note.says = trace::ForeignText(trace::describe(its.replay().trace(), *place - 1));
    lecture().set(n, std::move(note));
    const Selection before = its.selection();
    set_playhead(*place, its.replay(), its.index(), its.selection());
    state_.files.follow(its, before);
    its.sync();
    state_.said = state_.style.says(
        "The note is now at event {0}, where this is asked; “move it here” moves it elsewhere.", *place);
}

void LecturePlayer::save(Lecture& told) {
    const Style& style = state_.style;
    const std::string name = trace::printable(told.file().filename().string());
    switch (told.save()) {
    case Lecture::Saved::yes:
        saved_.push_back(told.file());
        state_.said = style.says("The lecture is saved as {0}.", name);
        break;
    case Lecture::Saved::nowhere:
        state_.said = told.error().empty() ? style.says("The recording has no file, so its lecture cannot be saved.")
                                           : formatted(told.error(), style.language);
        break;
    case Lecture::Saved::overtaken:
        state_.said = style.says("Another program has changed {0}: press Ctrl Enter again to overwrite it.", name);
        break;
    case Lecture::Saved::refused: state_.said = style.says("Cannot write {0}.", trace::printable(told.file().string()));
    }
}

std::string LecturePlayer::unsaved() const {
    std::string names;
    for (const Tab& tab : state_.files.tabs())
        if (tab.document->unsaved()) names += (names.empty() ? "" : ", ") + tab.document->title();
    return names;
}

void LecturePlayer::save_all() {
    for (const Tab& tab : state_.files.tabs())
        for (Lecture* told : tab.document->lectures())
            if (told->changed()) save(*told);
}

}  // namespace fiberscope::viewer
