#include "viewer/model/side_by_side.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "viewer/layout/base/scale.h"

namespace fiberscope::viewer {
namespace {

/// Selects the coroutine of the same name in the other documents, if they have it.
void choose_namesakes(const Documents& documents, const Document& leader) {
    const std::uint32_t chosen = leader.selection().chosen;
    for (Document* document : documents)
        if (document != &leader) document->selection().chosen = namesake(leader, chosen, *document);
}

std::vector<std::uint32_t> namesakes(const Document& leader, const std::vector<std::uint32_t>& all,
                                     const Document& document) {
    std::vector<std::uint32_t> others;
    for (const std::uint32_t co : all)
        if (const std::uint32_t other = namesake(leader, co, document); other != trace::kNone) others.push_back(other);
    return others;
}

/// Copies order, filter, folded and pinned lanes to the other documents, by name.
void share_lanes(const Documents& documents, const Document& leader) {
    for (Document* document : documents) {
        if (document == &leader) continue;
        LaneWishes& lanes = document->selection().lanes;
        lanes = leader.selection().lanes;
        lanes.folded = namesakes(leader, lanes.folded, *document);
        lanes.pins.coroutines = namesakes(leader, lanes.pins.coroutines, *document);
    }
}

/// Copies the visible range, the region and the chosen coroutine (by name) to the other documents.
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
    leader.playback().until = trace::kNone;
}

}  // namespace

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
    switch (action) {
    case Action::play_pause: return toggle_playing(documents, leader, lock);
    case Action::step:
    case Action::step_back:
        leader.playback().playing = false;
        if (!lock_holds(documents, leader, lock)) go_to_leader(documents, leader, lock);
        action == Action::step ? step_forward(documents, leader, lock) : step_back(documents, leader, lock);
        return;
    case Action::home:
    case Action::end:
        leader.playback().playing = false;
        return go_to_ends(documents, leader, action == Action::end, lock);
    default: break;
    }
    const Selection before = leader.selection();
    leader.apply(action);
    follow(documents, leader, before, lock);
}

namespace {

/// Where the leader stops.
std::size_t place_of(std::uint32_t until, const Document& leader) {
    if (until == trace::kNone) return SIZE_MAX;
    return stop_before(leader.replay().trace(), until, leader.selection().playhead, leader.replay().size());
}

void play_on(double seconds, const Documents& documents, Document& leader, Lock lock, std::size_t place) {
    Playback& playback = leader.playback();
    playback.pending += seconds * playback.events_per_second();
    const double events = std::floor(playback.pending);
    playback.pending -= events;
    if (!lock_holds(documents, leader, lock)) go_to_leader(documents, leader, lock);
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
    playback.until = trace::kNone;
    const Selection before = now;
    set_playhead(place, leader.replay(), leader.index(), now);
    if (now.playhead != before.playhead) follow(documents, leader, before, lock);
}

void follow(const Documents& documents, Document& leader, const Selection& before, Lock lock) {
    Selection& now = leader.selection();
    if (now.lanes != before.lanes) share_lanes(documents, leader);
    if (lock == Lock::number) {
        if (now.playhead != before.playhead) go_to_number(documents, leader, now.playhead);
    } else if (now.playhead != before.playhead || now.moment != before.moment) {
        if (now.moment == before.moment || !now.moment) now.moment = time_of(leader);
        go_to_time(documents, leader, *now.moment);
    }
    const bool moved = now.visible.from != before.visible.from || now.visible.to != before.visible.to ||
                       differs(now.region, before.region);
    if (moved || now.chosen != before.chosen) share_view(documents, leader);
}

}  // namespace fiberscope::viewer
