// A window with ImGui upon it.
#pragma once

#include "languages/spoken_error.h"
#include "viewer/layout/base/look.h"

struct GLFWwindow;

namespace fiberscope::viewer {

/// There is no display, or none that can draw; in one sentence.
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
    /// How much larger than usual the display wants its text.
    float content_scale() const noexcept;

    /// Uploads the fonts of ImGui's atlas again. Outside of a frame.
    void renew_fonts();
    /// Begins an ImGui frame.
    void begin_frame();
    /// Draws what the frame holds over a ground of one colour into the window, which is `width` by `height` pixels.
    void end_frame(int width, int height, Color ground);

  private:
    GLFWwindow* window_ = nullptr;
};

}  // namespace fiberscope::viewer
