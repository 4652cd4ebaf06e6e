// Positions of the panels in the window.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "languages/say.h"
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
/// A window too narrow for two columns, as on a phone, has the sentence, the lanes, tabs for the other panels, one of
/// these, and the playback, one below the other. A window too low for panels below the lanes has the tabs and the other
/// panel at the right of the lanes.
struct Frame {
    Rect sentence, timeline, legend, states, stacks, events, registers, playback;
    Rect table;  ///< all coroutines; replaces the sets, events and registers
    Rect sets;   ///< above the events and registers, or in their place if not all fit
    Rect tabs;   ///< a row for the tabs of the panels that are shown one at a time; else empty
};

/// A panel.
struct FramePart {
    std::string_view name;  ///< for --panel
    Rect Frame::*rect;
    Text tab = Text();  ///< empty: never in a tab
};
std::span<const FramePart> frame_parts() noexcept;

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
    /// The panel that is maximized, if it exists: it gets the room of all others except sentence and playback.
    Rect Frame::*maximized = nullptr;
    /// The panel of the chosen tab, if it exists.
    Rect Frame::*tab = nullptr;

    bool exists(Rect Frame::*part) const noexcept;
};

/// Divides `area`. `em` is the font height.
Frame layout_frame(Rect area, float em, const Wishes& wishes);

/// Whether `area` is too narrow for two columns.
bool is_narrow(Rect area, float em) noexcept;

/// Whether `area` is too small to show all panels at once, as on a phone, which also has no keyboard.
bool is_small(Rect area, float em) noexcept;

/// Width of the legend and the timeline in `area`.
float left_width(Rect area, float em) noexcept;

}  // namespace fiberscope::viewer
