#include <imgui.h>
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <array>

#define GLFW_INCLUDE_GLEXT
#include <GLFW/glfw3.h>

#include "viewer/window/display.h"
#include "viewer/window/screen.h"

namespace fiberscope::viewer {
namespace {

struct GlVersion {
    int major, minor;
    const char* glsl;
};

/// In order of preference: 3.2 draws long vertex lists; old computers have only 3.0.
constexpr std::array kVersions{GlVersion{3, 2, "#version 150"}, GlVersion{3, 0, "#version 130"}};

void hint_window(const GlVersion& version) {
    glfwDefaultWindowHints();
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, version.major);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, version.minor);
    if (version.major * 10 + version.minor >= 32) glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
    glfwWindowHint(GLFW_FOCUS_ON_SHOW, GLFW_TRUE);
}

}  // namespace

GLFWwindow* open_display(int width, int height, const char* title) {
    std::string reason;
    for (const GlVersion& version : kVersions) {
        hint_window(version);
        GLFWwindow* window = glfwCreateWindow(width, height, title, nullptr, nullptr);
        if (window == nullptr) {
            reason = display_error();
            continue;
        }
        glfwMakeContextCurrent(window);
        glfwSwapInterval(1);
        ImGui_ImplGlfw_InitForOpenGL(window, true);
        ImGui_ImplOpenGL3_Init(version.glsl);
        return window;
    }
    throw ScreenError(mark("The display does not support OpenGL 3 ({0})."), reason);
}

void close_display(GLFWwindow* window) {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    glfwDestroyWindow(window);
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

void renew_letters() {
#if IMGUI_VERSION_NUM < 19200
    ImGui_ImplOpenGL3_DestroyFontsTexture();
    ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
}

void begin_display_frame() {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
}

void draw_lists(int width, int height, Color ground) {
    const auto share = [](std::uint8_t channel) { return static_cast<float>(channel) / 255; };
    glViewport(0, 0, width, height);
    glClearColor(share(ground.r), share(ground.g), share(ground.b), 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace fiberscope::viewer
