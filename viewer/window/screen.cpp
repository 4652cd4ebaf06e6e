#include "viewer/window/screen.h"

#include <imgui.h>

#include <GLFW/glfw3.h>

#include "viewer/window/display.h"

namespace fiberscope::viewer {

Screen::Screen(int width, int height, const char* title) {
    if (glfwInit() != GLFW_TRUE) throw ScreenError(mark("Cannot open a display ({0})."), display_error());
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;  // creates no file
    try {
        window_ = open_display(width, height, title);
    } catch (...) {
        ImGui::DestroyContext();
        glfwTerminate();
        throw;
    }
}

Screen::~Screen() {
    close_display(window_);
    ImGui::DestroyContext();
    glfwTerminate();
}

float Screen::content_scale() const noexcept { return display_scale(window_); }

void Screen::renew_fonts() { renew_letters(); }

void Screen::begin_frame() {
    begin_display_frame();
    ImGui::NewFrame();
}

void Screen::end_frame(int width, int height, Color ground) {
    ImGui::Render();
    draw_lists(width, height, ground);
}

}  // namespace fiberscope::viewer
