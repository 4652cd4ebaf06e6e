// The two ways to see a workspace: in a window, and as a picture.
#pragma once

#include "viewer/model/options.h"
#include "viewer/model/settings.h"
#include "viewer/panels/workspace.h"
#include "viewer/window/framebuffer.h"
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
    void write_picture(const PictureWish& wish);
    void restore(const Options& options);

    int pending_ = 3;  ///< frames that are still to be drawn after something happened
    double last_ = 0;  ///< when the last frame was drawn, seconds
};

/// Shows a window until it is closed. Throws ScreenError.
void show_window(const Options& options);

/// Where a panel of `workspace` was drawn last. Throws std::runtime_error that names the panels that there are.
Rect place_of_panel(const Workspace& workspace, std::string_view name);

/// Draws what the window would show. Throws ScreenError.
Picture render_picture(const Options& options);
/// The same as SVG, without a screen. Throws std::runtime_error that names a file that cannot be read.
std::string render_svg(const Options& options);

/// Draws `frames` frames of `workspace` into the bound framebuffer, `seconds` apart.
void draw_frames(Screen& screen, Workspace& workspace, int width, int height, int frames, double seconds);
/// The same, and none of them is drawn.
void drop_frames(Screen& screen, Workspace& workspace, int width, int height, int frames, double seconds);
/// A frame of the window as SVG.
std::string svg_of_frame(Screen& screen, Workspace& workspace, int width, int height);

}  // namespace fiberscope::viewer
