#include "viewer/window/framebuffer.h"

#include <algorithm>
#include <string>

#define GLFW_INCLUDE_GLEXT
#include <GLFW/glfw3.h>

#include "viewer/window/screen.h"

namespace fiberscope::viewer {
namespace {

/// The functions that OpenGL 3 added; the system's library need not export them by name.
template <class Function>
Function entry(const char* name) {
    const auto function = reinterpret_cast<Function>(glfwGetProcAddress(name));
    if (function == nullptr) throw ScreenError(mark("The display offers no framebuffers ({0})."), name);
    return function;
}

}  // namespace

Picture cropped(const Picture& picture, Rect part) {
    const int x0 = std::clamp(static_cast<int>(part.x0), 0, picture.width),
              y0 = std::clamp(static_cast<int>(part.y0), 0, picture.height);
    Picture out{std::clamp(static_cast<int>(part.x1), x0, picture.width) - x0,
                std::clamp(static_cast<int>(part.y1), y0, picture.height) - y0,
                {}};
    for (int y = y0; y < y0 + out.height; ++y)
        out.rgb.insert(out.rgb.end(), picture.at(x0, y),
                       picture.at(x0, y) + static_cast<std::ptrdiff_t>(out.width) * 3);
    return out;
}

Framebuffer::Framebuffer(int width, int height) : width_(width), height_(height) {
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    if (std::max(width, height) > most)
        throw ScreenError(mark("The picture is too large: this display draws at most {0} pixels a side."), most);
    glGenTextures(1, &texture_);
    glBindTexture(GL_TEXTURE_2D, texture_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    entry<PFNGLGENFRAMEBUFFERSPROC>("glGenFramebuffers")(1, &framebuffer_);
    entry<PFNGLBINDFRAMEBUFFERPROC>("glBindFramebuffer")(GL_FRAMEBUFFER, framebuffer_);
    entry<PFNGLFRAMEBUFFERTEXTURE2DPROC>("glFramebufferTexture2D")(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
                                                                   texture_, 0);
    if (entry<PFNGLCHECKFRAMEBUFFERSTATUSPROC>("glCheckFramebufferStatus")(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        throw ScreenError(mark("The display cannot draw into a picture."));
}

Framebuffer::~Framebuffer() {
    if (framebuffer_ != 0) entry<PFNGLDELETEFRAMEBUFFERSPROC>("glDeleteFramebuffers")(1, &framebuffer_);
    glDeleteTextures(1, &texture_);
}

Picture Framebuffer::read() const {
    Picture picture{width_, height_, {}};
    const auto row = static_cast<std::size_t>(width_) * 3;
    const auto height = static_cast<std::size_t>(height_);
    picture.rgb.resize(row * height);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width_, height_, GL_RGB, GL_UNSIGNED_BYTE, picture.rgb.data());
    for (std::size_t y = 0; y < height / 2; ++y)  // OpenGL counts rows from below
        std::swap_ranges(picture.rgb.begin() + static_cast<std::ptrdiff_t>(y * row),
                         picture.rgb.begin() + static_cast<std::ptrdiff_t>((y + 1) * row),
                         picture.rgb.begin() + static_cast<std::ptrdiff_t>((height - 1 - y) * row));
    return picture;
}

}  // namespace fiberscope::viewer
