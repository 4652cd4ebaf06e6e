#include <algorithm>
#include <array>

#define GLFW_INCLUDE_GLEXT
#include <GLFW/glfw3.h>

#include "viewer/window/display.h"

namespace fiberscope::viewer {

std::span<const GlVersion> gl_versions() noexcept {
    // 3.2 draws long vertex lists; old computers have only 3.0.
    static constexpr std::array kVersions{GlVersion{3, 2, "#version 150"}, GlVersion{3, 0, "#version 130"}};
    return kVersions;
}

void hint_window(const GlVersion& version, bool shown) {
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, version.major);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, version.minor);
    if (version.major * 10 + version.minor >= 32) glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_VISIBLE, shown ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_TRUE);
}

std::string display_error() {
    const char* words = nullptr;
    glfwGetError(&words);
    return words == nullptr ? "unknown reason" : words;
}

float display_scale(GLFWwindow* window) noexcept {
    float x = 1, y = 1;
    glfwGetWindowContentScale(window, &x, &y);
    return std::clamp(std::max(x, y), 1.0F, 4.0F);
}

}  // namespace fiberscope::viewer
