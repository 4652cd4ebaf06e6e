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
    /// Opens it at once; the files that `options` name are read meanwhile. Throws ScreenError.
    explicit Window(const Options& options);

    /// Takes what the keyboard and the mouse did, and draws a frame if something has happened or plays; else it waits
    /// up to `rest` seconds for something to happen, and looks whether a file has changed. False once the window was
    /// closed.
    bool frame(double rest);
    Workspace& workspace() noexcept { return workspace_; }
    /// Writes the settings that the next window begins with. A failure to write is ignored.
    void remember() const;

  private:
    /// Whether the window stays open. With edits of a lecture that were not saved it is closed at the second attempt.
    bool stays_open();
    /// What is left to do of the options once all files have been read.
    void begin();

    Screen screen_;
    Options options_;
    bool begun_ = false;
    Workspace workspace_;
    void restore(const Options& options);

    int pending_ = 3;  ///< frames that are still to be drawn after something happened
    double last_ = 0;  ///< when the last frame was drawn, seconds
};

/// Shows a window until it is closed. Throws ScreenError.
void show_window(const Options& options);

}  // namespace fiberscope::viewer
