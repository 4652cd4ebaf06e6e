// What a window asks of the library that shows it, where GLFW's and the browser's differ: display_glfw.cpp and
// display_page.cpp. Nothing else knows which of them it is.
#pragma once

#include <span>
#include <string>

struct GLFWwindow;

namespace fiberscope::viewer {

struct GlVersion {
    int major, minor;
    const char* glsl;
};
/// The versions of OpenGL to try, the best first.
std::span<const GlVersion> gl_versions() noexcept;

/// Sets what a new window of this version begins with.
void hint_window(const GlVersion& version, bool shown);
/// Why the last call failed.
std::string display_error();
/// How much larger than usual the display wants its text, from 1 to 4.
float display_scale(GLFWwindow* window) noexcept;

}  // namespace fiberscope::viewer
