// A framebuffer that lies in no window, to draw a picture into and read it back.
#pragma once

#include <cstdint>
#include <vector>

#include "viewer/layout/base/geometry.h"

namespace fiberscope::viewer {

/// A picture in memory: rows from the top, three bytes a pixel (red, green, blue).
struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;

    const std::uint8_t* at(int x, int y) const noexcept {
        return rgb.data() +
               (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) * 3;
    }
};

/// As much of a part of a picture as there is.
Picture cropped(const Picture& picture, Rect part);

class Framebuffer {
  public:
    /// Needs a current OpenGL context and is bound from here on. Throws ScreenError.
    Framebuffer(int width, int height);
    ~Framebuffer();
    Framebuffer(const Framebuffer&) = delete;
    Framebuffer& operator=(const Framebuffer&) = delete;

    Picture read() const;

  private:
    int width_, height_;
    unsigned framebuffer_ = 0, texture_ = 0;
};

}  // namespace fiberscope::viewer
