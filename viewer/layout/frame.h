// Where each panel lies in the window.
#pragma once

#include "viewer/layout/geometry.h"

namespace fiberscope::viewer {

/// The places of the panels, side by side and without overlap:
///
///     ┌─────────── sentence ───────────────────┐
///     │ timeline               │ states        │
///     │                        │               │
///     ├─ legend ───────────────┤               │
///     │ events    │ registers  │ (sets: later) │
///     └─────────── playback ───────────────────┘
struct Frame {
    Rect sentence, timeline, legend, states, events, registers, playback;
};

/// Divides `area`. `em` is the height of the font, `timeline_wants` the height that the timeline would like, and
/// `with_registers` whether the trace has any.
Frame layout_frame(Rect area, float em, float timeline_wants, bool with_registers);

}  // namespace fiberscope::viewer
