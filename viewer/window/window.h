// A workspace in a window.
#pragma once

#include "viewer/model/options.h"
#include "viewer/model/settings.h"
#include "viewer/panels/workspace.h"
#include "viewer/window/opening.h"
#include "viewer/window/screen.h"

namespace fiberscope::viewer {

/// A window on the screen, with keyboard and mouse.
class Window {
  public:
    /// Opens it at once; the files named by `options` are read in the background. Throws ScreenError.
    explicit Window(const Options& options);

    /// Handles input, and draws a frame if something has happened or plays; else waits up to `rest` seconds for an
    /// event, and checks whether a file has changed. Returns false once the window was closed.
    bool frame(double rest);
    Workspace& workspace() noexcept { return workspace_; }
    /// Saves the settings for the next window. Errors are ignored.
    void remember() const;

  private:
    /// Whether the window stays open. With unsaved edits of a lecture only the second attempt closes it.
    bool stays_open();
    /// Applies the remaining options once all files have been read.
    void begin();

    Screen screen_;
    Options options_;
    bool begun_ = false;
    Workspace workspace_;
    void restore(const Options& options);

    int pending_ = 3;  ///< number of frames to be drawn after an event
    double last_ = 0;  ///< time of the last frame, seconds
};

/// Shows a window until it is closed. Throws ScreenError.
void show_window(const Options& options);

}  // namespace fiberscope::viewer
