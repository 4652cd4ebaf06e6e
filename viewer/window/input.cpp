#include "viewer/window/input.h"

#define GLFW_INCLUDE_GLEXT
#include <GLFW/glfw3.h>

#include <utility>
#include <vector>

#include "viewer/model/keys.h"

namespace fiberscope::viewer {
namespace {

Workspace& workspace_of(GLFWwindow* window) { return *static_cast<Workspace*>(glfwGetWindowUserPointer(window)); }

void on_key(GLFWwindow* window, int key, int what, int modifiers) {
    constexpr int kForeign = GLFW_MOD_ALT | GLFW_MOD_SUPER;
    if (what == GLFW_RELEASE || (modifiers & kForeign) != 0) return;
    const bool control = (modifiers & GLFW_MOD_CONTROL) != 0, writes = workspace_of(window).writes();
    if (const auto action = action_of_key(key, what == GLFW_REPEAT, control, writes))
        workspace_of(window).apply(*action);
}

void on_character(GLFWwindow* window, unsigned character) {
    if (const auto action = action_of_character(character)) workspace_of(window).apply(*action);
}

#if IMGUI_VERSION_NUM < 18700
struct Release {
    int key, code, modifiers;
};

/// Key releases since the last frame. Dear ImGui before 1.87 has no key queue and misses a press shorter than a frame.
std::vector<Release>& releases() {
    static std::vector<Release> all;
    return all;
}
#endif

GLFWkeyfun imgui_key = nullptr;

void pass_key(GLFWwindow* window, int key, int code, int what, int modifiers) {
#if IMGUI_VERSION_NUM < 18700
    if (what == GLFW_RELEASE) return releases().push_back({key, code, modifiers});
#endif
    if (imgui_key != nullptr) imgui_key(window, key, code, what, modifiers);
}

/// Forwards the releases that were delayed until after the frame of the press.
void pass_releases([[maybe_unused]] GLFWwindow* window) {
#if IMGUI_VERSION_NUM < 18700
    for (const auto& [key, code, modifiers] : std::exchange(releases(), {}))
        if (imgui_key != nullptr) imgui_key(window, key, code, GLFW_RELEASE, modifiers);
#endif
}

}  // namespace

void listen(Screen& screen, Workspace& workspace) {
    glfwSetWindowUserPointer(screen.window(), &workspace);
    // ImGui's callbacks are already installed; ours call them first.
    static GLFWcharfun imgui_char = nullptr;
    imgui_key = glfwSetKeyCallback(screen.window(), [](GLFWwindow* w, int key, int code, int what, int modifiers) {
        pass_key(w, key, code, what, modifiers);
        on_key(w, key, what, modifiers);
    });
    glfwSetDropCallback(screen.window(), [](GLFWwindow* w, int count, const char** files) {
        for (int i = 0; i < count; ++i) workspace_of(w).open(files[i]);
    });
    imgui_char = glfwSetCharCallback(screen.window(), [](GLFWwindow* w, unsigned character) {
        Workspace& its = workspace_of(w);
        // Dear ImGui may queue a character for later frames if the shortcut has opened a text field.
        if (!its.writes()) return on_character(w, character);
        if (!ImGui::GetIO().WantTextInput) return its.keep_typed(character);
        if (imgui_char != nullptr) imgui_char(w, character);
    });
}

void show_frame(Screen& screen, Workspace& workspace, double seconds) {
    int width = 0, height = 0;
    glfwGetFramebufferSize(screen.window(), &width, &height);
    if (workspace.renew_fonts(static_cast<float>(width), static_cast<float>(height))) screen.renew_fonts();
    screen.begin_frame();
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    workspace.draw(size.x, size.y, seconds);
    screen.end_frame(width, height, palette(workspace.theme()).background);
    glfwSwapBuffers(screen.window());
    pass_releases(screen.window());
}

}  // namespace fiberscope::viewer
