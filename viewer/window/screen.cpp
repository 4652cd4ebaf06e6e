#include "viewer/window/screen.h"

#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <string>

#define GLFW_INCLUDE_GLEXT
#include <GLFW/glfw3.h>

#include "viewer/window/display.h"

namespace fiberscope::viewer {
Screen::Screen(int width, int height, const char* title, bool shown) {
    if (glfwInit() != GLFW_TRUE) throw ScreenError(mark("No display can be opened ({0})."), display_error());
    try {
        open_window(width, height, title, shown);
    } catch (...) {
        glfwTerminate();
        throw;
    }
}

void Screen::open_window(int width, int height, const char* title, bool shown) {
    const char* glsl = nullptr;
    std::string reason;
    for (const GlVersion& version : gl_versions()) {
        hint_window(version, shown);
        window_ = glfwCreateWindow(width, height, title, nullptr, nullptr);
        glsl = version.glsl;
        if (window_ != nullptr) break;
        reason = display_error();
    }
    if (window_ == nullptr) throw ScreenError(mark("The display offers no OpenGL 3 ({0})."), reason);
    glfwMakeContextCurrent(window_);
    glfwSwapInterval(shown ? 1 : 0);
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;  // leaves no file behind
    ImGui_ImplGlfw_InitForOpenGL(window_, true);
    ImGui_ImplOpenGL3_Init(glsl);
}

Screen::~Screen() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    glfwDestroyWindow(window_);
    glfwTerminate();
}

float Screen::content_scale() const noexcept { return display_scale(window_); }

void Screen::renew_fonts() {
#if IMGUI_VERSION_NUM < 19200
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

void Screen::begin_frame(int width, int height) {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGuiIO& io = ImGui::GetIO();
    if (width > 0 && height > 0) {
        io.DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
        io.DisplayFramebufferScale = {1, 1};
    }
    ImGui::NewFrame();
}

void Screen::drop_frame() { ImGui::Render(); }

void Screen::end_frame(int width, int height, float red, float green, float blue) {
    ImGui::Render();
    glViewport(0, 0, width, height);
    glClearColor(red, green, blue, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace fiberscope::viewer
