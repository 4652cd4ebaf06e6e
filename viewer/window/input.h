// What the keyboard, the mouse and dropped files do to a workspace, and a frame of it on the screen.
#pragma once

#include "viewer/panels/workspace.h"
#include "viewer/window/screen.h"

namespace fiberscope::viewer {

/// From now on the window's events go to `workspace`, which must outlive it. Before the first frame.
void listen(Screen& screen, Workspace& workspace);

/// Draws one frame and shows it. `seconds` passed since the last one, while it plays; else 0.
void show_frame(Screen& screen, Workspace& workspace, double seconds);

}  // namespace fiberscope::viewer
