// Positions of the panels in the window.
#pragma once

#include <cstddef>

#include "viewer/layout/base/geometry.h"

namespace fiberscope::viewer {

/// The places of the panels, side by side and without overlap:
///
///     ┌─────────── sentence ───────────────────┐
///     │ timeline               │ states        │
///     │                        │               │
///     ├─ legend ───────────────┤               │
///     │ sets                   ├───────────────┤
///     │ events    │ registers  │ shared stacks │
///     └─────────── playback ───────────────────┘
///
/// A window too narrow for two columns, as on a phone, has the sentence, the lanes, the sets or else the states, and
/// the playback, one below the other.
struct Frame {
    Rect sentence, timeline, legend, states, stacks, events, registers, playback;
    Rect table;  ///< all coroutines; replaces the sets, events and registers
    Rect sets;   ///< above the events and registers, or in their place if not all fit
};

/// The preferred heights of the panels in pixels, and which panels exist.
struct Wishes {
    float timeline = 0;
    float legend = 0;
    float states = 0;
    float stacks = 0;          ///< 0: no shared stacks, Frame::stacks is empty
    float stacks_low = 0;      ///< minimum height if there is little room
    bool registers = false;    ///< whether the trace has any
    float sets = 0;            ///< for their largest content; 0: none are drawn, Frame::sets is empty
    float least_timeline = 0;  ///< minimum at which all lanes are visible
    bool table = false;        ///< show the table
    bool present = false;      ///< presentation: sentence, lanes and sets use the whole window
    bool sets_first = false;   ///< in a presentation: the sets come before the lanes
};

/// Divides `area`. `em` is the font height.
Frame layout_frame(Rect area, float em, const Wishes& wishes);

/// Whether `area` is too narrow for two columns.
bool is_narrow(Rect area, float em) noexcept;

/// Width of the legend and the timeline in `area`.
float left_width(Rect area, float em) noexcept;

}  // namespace fiberscope::viewer
