// A window with an ImGui context.
#pragma once

#include "languages/spoken_error.h"
#include "viewer/layout/base/look.h"

struct GLFWwindow;

namespace fiberscope::viewer {

/// There is no usable display; a one-sentence message.
class ScreenError : public SpokenError {
    using SpokenError::SpokenError;
};

class Screen {
  public:
    /// Opens a window of `width` by `height` pixels. Throws ScreenError. At most one at a time.
    Screen(int width, int height, const char* title);
    ~Screen();
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    GLFWwindow* window() const noexcept { return window_; }
    /// Text scale of the display.
    float content_scale() const noexcept;

    /// Uploads the fonts of ImGui's atlas again. Must not be called within a frame.
    void renew_fonts();
    /// Begins an ImGui frame.
    void begin_frame();
    /// Draws the frame on a background of one colour into the window, which is `width` by `height` pixels.
    void end_frame(int width, int height, Color ground);

  private:
    GLFWwindow* window_ = nullptr;
};

}  // namespace fiberscope::viewer
