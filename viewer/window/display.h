// The platform-dependent part of a window: display_glfw.cpp for GLFW with OpenGL, display_page.cpp for a browser. No
// other code depends on the platform.
#pragma once

#include <string>

#include "viewer/layout/base/look.h"

struct GLFWwindow;

namespace fiberscope::viewer {

/// Opens a window in which ImGui's lists can be drawn; requires an ImGui context and an initialized GLFW. Throws
/// ScreenError.
GLFWwindow* open_display(int width, int height, const char* title);
void close_display(GLFWwindow* window);
/// The error of the last GLFW call.
std::string display_error();
/// Text scale of the display, from 1 to 4.
float display_scale(GLFWwindow* window) noexcept;
/// Uploads ImGui's atlas after its glyphs have changed. Must not be called within a frame.
void renew_letters();
void begin_display_frame();
/// Draws the output of ImGui::Render on a background of one colour.
void draw_lists(int width, int height, Color ground);

}  // namespace fiberscope::viewer
