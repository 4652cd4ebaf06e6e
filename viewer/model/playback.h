// The actions of the viewer, triggered by keys, buttons or tests, and their effect on the selection.
#pragma once

#include <array>
#include <cstdint>

#include "traces/replay/replay.h"
#include "viewer/layout/base/scale.h"

namespace fiberscope::viewer {

enum class Action : std::uint8_t {
    play_pause,
    step,
    step_back,
    next_of_chosen,
    previous_of_chosen,
    next_decision,
    previous_decision,
    home,
    end,
    faster,
    slower,
    zoom_in,
    zoom_out,
    pan_left,
    pan_right,
    focus,
    fit,
    choose_next,
    choose_previous,
    choose_none,
    theme,
    help,
    side_by_side,
    sets,
    matrix,
    lock_by,
    next_note,
    previous_note,
    play_lecture,
    record_note,
    lecture,
    save_lecture,
    undo_note,
    next_difference,
    previous_difference,
    search,
    present,
    larger,
    smaller,
    predict,
    copy,
    until,
    order_lanes,
    group_lanes,
    hide_dead,
    fold,
    pin,
    pin_machines,
    filter_lanes,
    mark_region,
    zoom_region,
    table,
    maximize,
    source,
    recent,
    again,
    next_tab,
    previous_tab,
    live,
    palette,
    reload,
};

/// Playing advances the playhead by a number of events per second, regardless of the time between them.
struct Playback {
    static constexpr std::array kSpeeds{1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 1000.0, 10000.0, 100000.0};

    bool playing = false;
    std::size_t speed = 3;               ///< index into kSpeeds
    std::uint32_t until = trace::kNone;  ///< plays until this coroutine is entered or left, or a fault
    double pending = 0;                  ///< accumulated fraction of an event

    double events_per_second() const noexcept { return kSpeeds[speed]; }
};

/// Duration of a set member's animation in seconds: most of the time between two events, at most 200 ms; 0 if playing
/// is too fast to see it.
double glide_seconds(const Playback& playback) noexcept;

/// Applies `action` to a trace. Actions that concern the window (theme, help, tabs) are no-ops here.
void apply(Action action, const trace::Replay& replay, const TraceIndex& index, Selection& selection,
           Playback& playback);

/// The playhead after the first event in [from, to) that enters or leaves the coroutine `until`, or is a fault; `to` if
/// there is none, or if `until` is kNone.
std::size_t stop_before(const trace::Trace& trace, std::uint32_t until, std::size_t from, std::size_t to) noexcept;

/// Plays for `seconds`; stops at the end of the trace.
void advance(double seconds, const trace::Replay& replay, const TraceIndex& index, Selection& selection,
             Playback& playback);

/// Moves the playhead to `to` (clamped), and the visible range if needed.
void set_playhead(std::size_t to, const trace::Replay& replay, const TraceIndex& index, Selection& selection);

/// The time of the event at the playhead, ns; 0 at the start.
double playhead_time(const trace::Replay& replay, std::size_t playhead) noexcept;

/// The initial selection of an opened trace: all of it is visible, the playhead at the start.
Selection first_selection(const TraceIndex& index);

}  // namespace fiberscope::viewer
