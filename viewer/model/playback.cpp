#include "viewer/model/playback.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "viewer/layout/timeline/lanes.h"

namespace fiberscope::viewer {
namespace {

constexpr double kZoomStep = 0.8, kPanStep = 0.1;
/// Number of switches around the playhead that `focus` shows.
constexpr std::size_t kFocusSwitches = 24;

/// A range centred on the playhead in which single switches can be distinguished.
Range focused(const trace::Replay& replay, const TraceIndex& index, const Selection& selection) {
    const auto switches = index.switches();
    const double now = playhead_time(replay, selection.playhead);
    const auto here = std::lower_bound(switches.begin(), switches.end(), selection.playhead) - switches.begin();
    const auto place = static_cast<std::size_t>(here);
    const std::size_t first = place > kFocusSwitches / 2 ? place - kFocusSwitches / 2 : 0;
    const std::size_t last = std::min(switches.size(), first + kFocusSwitches);
    if (last <= first + 1) return whole(axis_end(index, selection));
    const trace::Trace& trace = replay.trace();
    const double span = std::max(10.0, static_cast<double>(trace[switches[last - 1]].t - trace[switches[first]].t));
    const Range around{now - span / 2, now + span / 2};
    return panned(around, 0, axis_end(index, selection));
}

bool about_equal(Range a, Range b) noexcept {
    const double small = 1e-6 * b.span();
    return std::abs(a.from - b.from) <= small && std::abs(a.to - b.to) <= small;
}

void zoom(double factor, const trace::Replay& replay, const TraceIndex& index, Selection& selection) {
    const double now = playhead_time(replay, selection.playhead);
    const Range& range = selection.visible;
    const double fixed = range.contains(now) ? now : (range.from + range.to) / 2;
    selection.visible = zoomed(range, fixed, factor, axis_end(index, selection));
}

/// Chooses the lane below or above the chosen one.
void choose(int by, const trace::Replay& replay, const TraceIndex& index, Selection& selection) {
    selection.chosen = neighbour(LaneTable(replay, index, selection.lanes), selection.chosen, by);
}

/// Hides or shows the descendants of the chosen coroutine.
void fold_chosen(const trace::Replay& replay, Selection& selection) {
    if (selection.chosen >= replay.coroutines()) return;
    auto& folded = selection.lanes.folded;
    const auto at = std::find(folded.begin(), folded.end(), selection.chosen);
    if (at == folded.end())
        folded.push_back(selection.chosen);
    else
        folded.erase(at);
}

/// Marks the beginning of a region, then its end, then the beginning of another.
void mark_region(double t, Selection& selection) {
    auto& region = selection.region;
    if (!region || region->span() > 0)
        region = {t, t};
    else if (t == region->from)
        region.reset();
    else
        region = {std::min(t, region->from), std::max(t, region->from)};
}

/// Shows the region with a margin; if that is already visible, the whole trace.
void zoom_to_region(const TraceIndex& index, Selection& selection) {
    if (!selection.region || selection.region->span() <= 0) return;
    const double margin = 0.02 * selection.region->span();
    const Range wanted{selection.region->from - margin, selection.region->to + margin};
    const std::uint64_t end = axis_end(index, selection);
    const Range zoomed_in = zoomed(wanted, wanted.from, 1, end);
    selection.visible = about_equal(selection.visible, zoomed_in) ? whole(end) : zoomed_in;
}

void change_speed(int by, Playback& playback) {
    const int last = static_cast<int>(Playback::kSpeeds.size()) - 1;
    playback.speed = static_cast<std::size_t>(std::clamp(static_cast<int>(playback.speed) + by, 0, last));
}

/// The playhead after the next decision, so that this is the event at the playhead; the end if there is none.
std::size_t next_decision(const TraceIndex& index, std::size_t at) {
    const auto all = index.decisions();
    const auto next = std::lower_bound(all.begin(), all.end(), at);
    return next == all.end() ? std::numeric_limits<std::size_t>::max() : *next + std::size_t{1};
}
std::size_t previous_decision(const TraceIndex& index, std::size_t at) {
    const auto all = index.decisions();
    const auto next = std::lower_bound(all.begin(), all.end(), at == 0 ? 0 : at - 1);
    return next == all.begin() ? 0 : *(next - 1) + std::size_t{1};
}

}  // namespace

double playhead_time(const trace::Replay& replay, std::size_t playhead) noexcept {
    if (playhead == 0 || replay.size() == 0) return 0;
    return static_cast<double>(replay.trace()[std::min(playhead, replay.size()) - 1].t);
}

void set_playhead(std::size_t to, const trace::Replay& replay, const TraceIndex& index, Selection& selection) {
    selection.playhead = std::min(to, replay.size());
    const double now = playhead_time(replay, selection.playhead);
    selection.visible = following(selection.visible, now, axis_end(index, selection));
}

Selection first_selection(const TraceIndex& index) {
    Selection selection;
    selection.visible = whole(axis_end(index, selection));
    return selection;
}

double glide_seconds(const Playback& playback) noexcept {
    constexpr double kLongest = 0.2, kFastest = 10;  // seconds; events per second
    constexpr double kShare = 0.8;                   // of the time between events
    if (!playback.playing) return kLongest;
    const double speed = playback.events_per_second();
    return speed > kFastest ? 0 : std::min(kLongest, kShare / speed);
}

namespace {

/// The playhead after `action`; nothing if `action` does not move it.
std::optional<std::size_t> destination(Action action, const trace::Replay& replay, const TraceIndex& index,
                                       const Selection& selection) {
    const std::size_t at = selection.playhead, before = at == 0 ? 0 : at - 1;
    const bool chosen = selection.chosen < replay.coroutines();
    switch (action) {
    case Action::step: return at + 1;
    case Action::step_back: return before;
    case Action::next_of_chosen: return chosen ? replay.next_of(selection.chosen, at) : at + 1;
    case Action::previous_of_chosen: return chosen ? replay.previous_of(selection.chosen, at) : before;
    case Action::next_decision: return next_decision(index, at);
    case Action::previous_decision: return previous_decision(index, at);
    case Action::home: return 0;
    case Action::end: return replay.size();
    default: return std::nullopt;
    }
}

/// Applies an action that starts or stops playing; returns whether it was one.
bool apply_to_playing(Action action, const trace::Replay& replay, const TraceIndex& index, Selection& selection,
                      Playback& playback) {
    const bool at_end = selection.playhead >= replay.size();
    switch (action) {
    case Action::play_pause:
        if (!playback.playing && at_end) set_playhead(0, replay, index, selection);
        playback.playing = !playback.playing;
        playback.until = trace::kNone;
        break;
    case Action::until:
        playback.playing = selection.chosen < replay.coroutines() && !at_end;
        playback.until = selection.chosen;
        break;
    case Action::faster: change_speed(1, playback); return true;
    case Action::slower: change_speed(-1, playback); return true;
    default: return false;
    }
    playback.pending = 0;
    return true;
}

/// Applies an action that changes the visible range; returns whether it was one.
bool apply_to_view(Action action, const trace::Replay& replay, const TraceIndex& index, Selection& selection) {
    const Range before = selection.visible;
    const std::uint64_t end = axis_end(index, selection);
    switch (action) {
    case Action::zoom_in: zoom(kZoomStep, replay, index, selection); return true;
    case Action::zoom_out: zoom(1 / kZoomStep, replay, index, selection); return true;
    case Action::pan_left: selection.visible = panned(before, -kPanStep * before.span(), end); return true;
    case Action::pan_right: selection.visible = panned(before, kPanStep * before.span(), end); return true;
    case Action::focus:
        selection.visible = focused(replay, index, selection);
        if (about_equal(selection.visible, before)) selection.visible = whole(end);
        return true;
    case Action::fit: selection.visible = whole(end); return true;
    case Action::mark_region: mark_region(playhead_time(replay, selection.playhead), selection); return true;
    case Action::zoom_region: zoom_to_region(index, selection); return true;
    default: return false;
    }
}

/// Applies an action on the lanes or the chosen coroutine.
void apply_to_lanes(Action action, const trace::Replay& replay, const TraceIndex& index, Selection& selection) {
    LaneWishes& lanes = selection.lanes;
    switch (action) {
    case Action::choose_next: choose(1, replay, index, selection); break;
    case Action::choose_previous: choose(-1, replay, index, selection); break;
    case Action::choose_none:
        if (selection.region)
            selection.region.reset();
        else
            selection.chosen = trace::kNone;
        break;
    case Action::order_lanes:
        lanes.order = static_cast<LaneOrder>((static_cast<std::size_t>(lanes.order) + 1) % kLaneOrders);
        break;
    case Action::group_lanes: lanes.groups = !lanes.groups; break;
    case Action::hide_dead: lanes.hides_dead = !lanes.hides_dead; break;
    case Action::fold: fold_chosen(replay, selection); break;
    case Action::pin:
        if (selection.chosen < replay.coroutines()) toggle_coroutine(lanes.pins, selection.chosen);
        break;
    case Action::pin_machines: toggle_machines(lanes.pins, index); break;
    default: break;  // for the window or the document
    }
}

}  // namespace

void apply(Action action, const trace::Replay& replay, const TraceIndex& index, Selection& selection,
           Playback& playback) {
    if (const auto to = destination(action, replay, index, selection)) {
        playback.playing = false;
        set_playhead(*to, replay, index, selection);
    } else if (!apply_to_playing(action, replay, index, selection, playback) &&
               !apply_to_view(action, replay, index, selection)) {
        apply_to_lanes(action, replay, index, selection);
    }
}

std::size_t stop_before(const trace::Trace& trace, std::uint32_t until, std::size_t from, std::size_t to) noexcept {
    for (std::size_t n = from; until != trace::kNone && n < to; ++n) {
        const trace::Event& e = trace[n];
        if (e.kind == trace::Kind::fault) return n + 1;
        if (e.kind == trace::Kind::switch_ && (e.co == until || e.other == until)) return n + 1;
    }
    return to;
}

void advance(double seconds, const trace::Replay& replay, const TraceIndex& index, Selection& selection,
             Playback& playback) {
    if (!playback.playing) return;
    playback.pending += seconds * playback.events_per_second();
    const double whole_events = std::floor(playback.pending);
    playback.pending -= whole_events;
    if (whole_events < 1) return;
    const std::size_t to = std::min(replay.size(), selection.playhead + static_cast<std::size_t>(whole_events));
    const std::size_t stop = stop_before(replay.trace(), playback.until, selection.playhead, to);
    playback.playing = stop == to;
    set_playhead(stop, replay, index, selection);
    if (selection.playhead >= replay.size()) playback.playing = false;
}

}  // namespace fiberscope::viewer
