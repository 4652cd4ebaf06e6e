#include <emscripten/html5.h>

#include <algorithm>
#include <array>

#define GLFW_INCLUDE_GLEXT
#include <GLFW/glfw3.h>

#include "viewer/window/display.h"

namespace fiberscope::viewer {

std::span<const GlVersion> gl_versions() noexcept {
    static constexpr std::array kVersions{GlVersion{3, 0, "#version 300 es"}};  // WebGL 2
    return kVersions;
}

void hint_window(const GlVersion&, bool) { glfwDefaultWindowHints(); }

std::string display_error() { return "this browser gives no WebGL 2"; }

float display_scale(GLFWwindow*) noexcept {
    return std::clamp(static_cast<float>(emscripten_get_device_pixel_ratio()), 1.0F, 4.0F);
}

}  // namespace fiberscope::viewer
