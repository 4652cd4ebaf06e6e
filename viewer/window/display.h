// What shows a window and draws into it, where GLFW with OpenGL and a browser differ: display_glfw.cpp and
// display_page.cpp. Nothing else knows which of them it is.
#pragma once

#include <string>

#include "viewer/layout/base/look.h"

struct GLFWwindow;

namespace fiberscope::viewer {

/// Opens a window in which ImGui's lists can be drawn; a context of ImGui is there already, and GLFW has begun. Throws
/// ScreenError.
GLFWwindow* open_display(int width, int height, const char* title);
void close_display(GLFWwindow* window);
/// Why the last call of GLFW failed.
std::string display_error();
/// How much larger than usual the display wants its text, from 1 to 4.
float display_scale(GLFWwindow* window) noexcept;
/// ImGui's atlas has other letters than before. Outside of a frame.
void renew_letters();
void begin_display_frame();
/// Draws what ImGui::Render has left, over a ground of one colour.
void draw_lists(int width, int height, Color ground);

}  // namespace fiberscope::viewer
