// Where each panel lies in the window.
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
    Rect table;  ///< of all coroutines: in the place of the sets, events and registers
    Rect sets;   ///< above the events and registers; in their place where not all have room
};

/// The heights in pixels that the panels would like, and which there are at all.
struct Wishes {
    float timeline = 0;
    float legend = 0;
    float states = 0;
    float stacks = 0;          ///< 0: the trace has no shared stacks, and Frame::stacks is empty
    float stacks_low = 0;      ///< what will do for them where there is not so much room
    bool registers = false;    ///< whether the trace has any
    float sets = 0;            ///< for their fullest moment; 0: none are drawn, and Frame::sets is empty
    float least_timeline = 0;  ///< at which all lanes are seen, if only just
    bool table = false;        ///< the table is wanted
    bool present = false;      ///< a presentation: the sentence, the lanes and the sets get the whole window
};

/// Divides `area`. `em` is the height of the font.
Frame layout_frame(Rect area, float em, const Wishes& wishes);

/// Whether `area` has no room for two columns.
bool is_narrow(Rect area, float em) noexcept;

/// The width that the legend and the timeline get in `area`.
float left_width(Rect area, float em) noexcept;

}  // namespace fiberscope::viewer
