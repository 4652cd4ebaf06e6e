#include "viewer/model/side_by_side.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "viewer/layout/base/scale.h"

namespace fiberscope::viewer {
namespace {

std::uint64_t longest(const Documents& documents) {
    std::uint64_t end = 0;
    for (const Document* document : documents) end = std::max(end, document->index().duration());
    return end;
}

double time_of(const Document& document) { return playhead_time(document.replay(), document.selection().playhead); }

/// All show `moment`, and the time axis where it is.
void set_moment(const Documents& documents, double moment) {
    for (Document* document : documents) {
        Selection& selection = document->selection();
        selection.moment = moment;
        selection.visible = following(selection.visible, moment, axis_end(document->index(), selection));
        document->sync();
    }
}

void go_to_time(const Documents& documents, const Document* except, double moment) {
    for (Document* document : documents)
        if (document != except)
            document->selection().playhead = document->replay().index_at_time(static_cast<std::uint64_t>(moment));
    set_moment(documents, moment);
}

/// All show the state after `number` events, or their end; the time axis is where the leader is.
void go_to_number(const Documents& documents, const Document& leader, std::size_t number) {
    for (Document* document : documents) {
        Selection& selection = document->selection();
        selection.moment.reset();
        selection.playhead = std::min(number, document->replay().size());
        document->sync();
    }
    const Range visible =
        following(leader.selection().visible, time_of(leader), axis_end(leader.index(), leader.selection()));
    for (Document* document : documents) document->selection().visible = visible;
}

/// How far those are that still go on.
std::size_t number_of(const Documents& documents) {
    std::size_t number = 0;
    for (const Document* document : documents) number = std::max(number, document->selection().playhead);
    return number;
}

void go_to_ends(const Documents& documents, const Document& leader, bool end, Lock lock) {
    for (Document* document : documents) document->selection().playhead = end ? document->replay().size() : 0;
    if (lock == Lock::number) return go_to_number(documents, leader, number_of(documents));
    if (lock == Lock::part || lock == Lock::turn) {
        std::vector<std::size_t> ends;
        for (const Document* document : documents) ends.push_back(document->selection().playhead);
        return go_to_places(documents, leader, ends);
    }
    set_moment(documents, end ? static_cast<double>(longest(documents)) : 0);
}

/// All show the part of their own time that the leader shows of its own.
void go_to_part(const Documents& documents, const Document& leader) {
    const auto whole_time = static_cast<double>(std::max<std::uint64_t>(1, leader.index().duration()));
    const Selection from = leader.selection();
    const double moment = from.moment.value_or(time_of(leader));
    for (Document* document : documents) {
        Selection& to = document->selection();
        const double factor = static_cast<double>(document->index().duration()) / whole_time;
        to.moment = moment * factor;
        if (document != &leader) {
            to.playhead = document->replay().index_at_time(static_cast<std::uint64_t>(*to.moment));
            to.visible = {from.visible.from * factor, from.visible.to * factor};
        }
        document->sync();
    }
}

/// The switch to a task before `playhead`; none if there is none.
std::optional<std::uint32_t> last_turn(const Document& document, std::size_t playhead) {
    const auto all = document.index().decisions();
    const auto next = std::lower_bound(all.begin(), all.end(), playhead);
    return next == all.begin() ? std::nullopt : std::optional(*(next - 1));
}

/// The number of those switches to `co` that come before event `end`.
std::size_t turns_before(const Document& document, std::uint32_t co, std::size_t end) {
    const trace::Trace& trace = document.replay().trace();
    std::size_t count = 0;
    for (const std::uint32_t n : document.replay().events_of(co))
        if (n < end && trace[n].kind == trace::Kind::switch_ && trace[n].other == co) ++count;
    return count;
}

/// The playhead behind the k-th switch to `co`, from 1; the end if it has fewer.
std::size_t turn_of(const Document& document, std::uint32_t co, std::size_t k) {
    const trace::Trace& trace = document.replay().trace();
    for (const std::uint32_t n : document.replay().events_of(co))
        if (trace[n].kind == trace::Kind::switch_ && trace[n].other == co && --k == 0) return n + std::size_t{1};
    return trace.size();
}

/// Its CoKind as a number; kNone if the trace does not have its spawn.
std::uint32_t kind_of(const Document& document, std::uint32_t co) {
    const std::uint32_t spawn = document.index().spawn(co);
    return spawn == trace::kNone ? trace::kNone
                                 : static_cast<std::uint32_t>(document.replay().trace()[spawn].first<trace::CoKind>());
}

/// The coroutine of the same name and kind as `co` of `from`; kNone if there is none.
std::uint32_t namesake(const Document& from, std::uint32_t co, const Document& in) {
    if (co >= from.replay().coroutines()) return trace::kNone;
    const std::string name = from.replay().trace().name(co);
    const std::uint32_t kind = kind_of(from, co);
    const auto is_it = [&](std::uint32_t other) {
        return in.replay().trace().name(other) == name && kind_of(in, other) == kind;
    };
    if (co < in.replay().coroutines() && is_it(co)) return co;
    for (std::uint32_t other = 0; other < in.replay().coroutines(); ++other)
        if (is_it(other)) return other;
    return trace::kNone;
}

/// All are behind the same turn of the coroutine that runs last at the leader's playhead.
void go_to_turn(const Documents& documents, const Document& leader) {
    const auto last = last_turn(leader, leader.selection().playhead);
    std::vector<std::size_t> playheads;
    for (const Document* document : documents) {
        std::size_t to = document->selection().playhead;
        if (document != &leader && !last) to = 0;
        if (document != &leader && last) {
            const std::uint32_t co = leader.replay().trace()[*last].other, same = namesake(leader, co, *document);
            if (same != trace::kNone) to = turn_of(*document, same, turns_before(leader, co, *last + 1));
        }
        playheads.push_back(to);
    }
    go_to_places(documents, leader, playheads);
}

void go_to_leader(const Documents& documents, const Document& leader, Lock lock) {
    if (lock == Lock::part)
        go_to_part(documents, leader);
    else if (lock == Lock::turn)
        go_to_turn(documents, leader);
    else if (lock == Lock::number)
        go_to_number(documents, leader, leader.selection().playhead);
    else
        go_to_time(documents, &leader, leader.selection().moment.value_or(time_of(leader)));
}

/// The others choose the coroutine of the same name, if they have it.
void choose_namesakes(const Documents& documents, const Document& leader) {
    const std::uint32_t chosen = leader.selection().chosen;
    for (Document* document : documents)
        if (document != &leader) document->selection().chosen = namesake(leader, chosen, *document);
}

/// The others order and filter their lanes in the same way, and fold the namesakes.
void share_lanes(const Documents& documents, const Document& leader) {
    for (Document* document : documents) {
        if (document == &leader) continue;
        LaneWishes& lanes = document->selection().lanes;
        const std::vector<std::uint32_t> same = std::move(lanes.same);
        lanes = leader.selection().lanes;
        lanes.same = same;
        lanes.folded.clear();
        for (const std::uint32_t co : leader.selection().lanes.folded)
            if (const std::uint32_t other = namesake(leader, co, *document); other != trace::kNone)
                lanes.folded.push_back(other);
    }
}

/// The others choose the coroutine of the same name, if they have it, and show the same time.
void share_view(const Documents& documents, const Document& leader) {
    const Selection& from = leader.selection();
    for (Document* document : documents) {
        if (document == &leader) continue;
        document->selection().visible = from.visible;
        document->selection().region = from.region;
    }
    choose_namesakes(documents, leader);
}

bool differs(const std::optional<Range>& a, const std::optional<Range>& b) noexcept {
    if (!a || !b) return a.has_value() != b.has_value();
    return a->from != b->from || a->to != b->to;
}

void toggle_playing(const Documents& documents, Document& leader, Lock lock) {
    const bool playing = !leader.playback().playing;
    const bool ended = std::all_of(documents.begin(), documents.end(), [](const Document* document) {
        return document->selection().playhead >= document->replay().size();
    });
    if (playing && ended) go_to_ends(documents, leader, false, lock);
    leader.playback().playing = playing;
    leader.playback().pending = 0;
    leader.playback().until = {};
}

}  // namespace

OfferedText lock_word(Lock lock) noexcept {
    static constexpr std::array<OfferedText, kLocks> kWords{OfferedText::lock_time, OfferedText::lock_number,
                                                            OfferedText::lock_part, OfferedText::lock_turn};
    return kWords[static_cast<std::size_t>(lock)];
}

void go_to_places(const Documents& documents, const Document& leader, const std::vector<std::size_t>& playheads) {
    for (std::size_t i = 0; i < documents.size(); ++i) {
        Selection& selection = documents[i]->selection();
        selection.moment.reset();
        selection.playhead = std::min(playheads[i], documents[i]->replay().size());
        documents[i]->sync();
    }
    const Range visible =
        following(leader.selection().visible, time_of(leader), axis_end(leader.index(), leader.selection()));
    for (Document* document : documents) document->selection().visible = visible;
}

void begin_side_by_side(const Documents& documents, const Document& leader, Lock lock) {
    const std::uint64_t end = longest(documents);
    for (Document* document : documents) {
        document->selection().horizon = static_cast<double>(end);
        document->selection().visible = whole(end);
        if (document != &leader) document->playback().playing = false;
    }
    go_to_leader(documents, leader, lock);
    share_view(documents, leader);
}

void lock_by(const Documents& documents, const Document& leader, Lock lock) {
    for (Document* document : documents) document->selection().moment.reset();
    go_to_leader(documents, leader, lock);
}

void end_side_by_side(const Documents& documents) {
    for (Document* document : documents) {
        document->selection().horizon = 0;
        document->selection().moment.reset();
        document->selection().visible = whole(document->index().duration());
        document->selection().lanes.same.clear();
        document->playback().playing = false;
    }
}

bool step_forward(const Documents& documents, Document& leader, Lock lock) {
    if (lock == Lock::number) {
        const std::size_t before = number_of(documents);
        go_to_number(documents, leader, before + 1);
        return number_of(documents) > before;
    }
    Document* next = nullptr;
    const auto time = [](const Document& d) { return d.replay().trace()[d.selection().playhead].t; };
    for (Document* document : documents) {
        if (document->selection().playhead >= document->replay().size()) continue;
        if (next == nullptr || time(*document) < time(*next)) next = document;
    }
    if (next == nullptr) return false;
    const auto moment = static_cast<double>(time(*next));
    ++next->selection().playhead;
    set_moment(documents, moment);
    return true;
}

bool step_back(const Documents& documents, Document& leader, Lock lock) {
    if (lock == Lock::number) {
        const std::size_t before = number_of(documents);
        if (before > 0) go_to_number(documents, leader, before - 1);
        return before > 0;
    }
    Document* last = nullptr;
    for (Document* document : documents) {
        if (document->selection().playhead == 0) continue;
        if (last == nullptr || time_of(*document) >= time_of(*last)) last = document;
    }
    if (last == nullptr) return false;
    --last->selection().playhead;
    double moment = 0;
    for (const Document* document : documents) moment = std::max(moment, time_of(*document));
    set_moment(documents, moment);
    return true;
}

void apply_side_by_side(Action action, const Documents& documents, Document& leader, Lock lock) {
    const bool by_leader = lock == Lock::part || lock == Lock::turn;
    switch (action) {
    case Action::play_pause: return toggle_playing(documents, leader, lock);
    case Action::step:
    case Action::step_back:
        leader.playback().playing = false;
        if (by_leader) break;
        action == Action::step ? step_forward(documents, leader, lock) : step_back(documents, leader, lock);
        return;
    case Action::home:
    case Action::end:
        leader.playback().playing = false;
        return go_to_ends(documents, leader, action == Action::end, lock);
    default: break;
    }
    const Selection before = leader.selection();
    if (by_leader) leader.selection().moment.reset();
    leader.apply(action);
    follow(documents, leader, before, lock);
}

namespace {

/// The leader plays until something happens in it: where that is, looked for once.
std::size_t place_of(Until& until, const Document& leader) {
    if (until.what == Break::none) return SIZE_MAX;
    const std::size_t size = leader.replay().size();
    if (until.place == SIZE_MAX) until.place = break_before(leader.replay(), until, leader.selection().playhead, size);
    return until.place;
}

void play_on(double seconds, const Documents& documents, Document& leader, Lock lock, std::size_t place) {
    Playback& playback = leader.playback();
    playback.pending += seconds * playback.events_per_second();
    const double events = std::floor(playback.pending);
    playback.pending -= events;
    if (lock == Lock::part || lock == Lock::turn) {
        if (events < 1) return;
        const std::size_t to = leader.selection().playhead + static_cast<std::size_t>(events);
        leader.selection().moment.reset();
        set_playhead(to, leader.replay(), leader.index(), leader.selection());
        playback.playing = leader.selection().playhead < leader.replay().size();
        return go_to_leader(documents, leader, lock);
    }
    if (lock == Lock::number) {
        const std::size_t before = number_of(documents);
        if (events >= 1) go_to_number(documents, leader, before + static_cast<std::size_t>(events));
        playback.playing = events < 1 || number_of(documents) > before;
        return;
    }
    for (double done = 0; done < events && playback.playing && leader.selection().playhead < place; ++done)
        playback.playing = step_forward(documents, leader, lock);
}

}  // namespace

void advance_side_by_side(double seconds, const Documents& documents, Document& leader, Lock lock) {
    Playback& playback = leader.playback();
    if (!playback.playing) return;
    const std::size_t place = place_of(playback.until, leader);
    play_on(seconds, documents, leader, lock, place);
    Selection& now = leader.selection();
    if (now.playhead < place) return;
    playback.playing = false;
    playback.until = {};
    const Selection before = now;
    set_playhead(place, leader.replay(), leader.index(), now);
    if (now.playhead != before.playhead) follow(documents, leader, before, lock);
}

void follow(const Documents& documents, Document& leader, const Selection& before, Lock lock) {
    Selection& now = leader.selection();
    if (now.lanes != before.lanes) share_lanes(documents, leader);
    if (lock == Lock::part || lock == Lock::turn) {
        if (now.playhead != before.playhead || now.moment != before.moment || now.visible.from != before.visible.from ||
            now.visible.to != before.visible.to) {
            if (now.moment == before.moment) now.moment.reset();
            go_to_leader(documents, leader, lock);
        }
        if (now.chosen != before.chosen) choose_namesakes(documents, leader);
        return;
    }
    if (lock == Lock::number) {
        if (now.playhead != before.playhead) go_to_number(documents, leader, now.playhead);
    } else if (now.playhead != before.playhead || now.moment != before.moment) {
        if (now.moment == before.moment || !now.moment) now.moment = time_of(leader);
        go_to_time(documents, &leader, *now.moment);
    }
    const bool moved = now.visible.from != before.visible.from || now.visible.to != before.visible.to ||
                       differs(now.region, before.region);
    if (moved || now.chosen != before.chosen) share_view(documents, leader);
}

}  // namespace fiberscope::viewer
