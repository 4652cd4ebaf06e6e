// Handles input for a workspace (keyboard, mouse, dropped files), and draws its frames on the screen.
#pragma once

#include "viewer/panels/workspace.h"
#include "viewer/window/screen.h"

namespace fiberscope::viewer {

/// Delivers the window's events to `workspace`, which must outlive it. Called before the first frame.
void listen(Screen& screen, Workspace& workspace);

/// Draws one frame and shows it. `seconds`: time since the last one while playing; else 0.
void show_frame(Screen& screen, Workspace& workspace, double seconds);

}  // namespace fiberscope::viewer
