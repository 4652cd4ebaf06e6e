#include "viewer/window/window.h"

#include <algorithm>
#include <cmath>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "viewer/model/keys.h"

namespace fiberscope::viewer {
namespace {

/// Text is this high in a window of the usual size, and somewhat smaller in a small one.
constexpr float kText = 17, kSmallText = 15;
/// Seconds between frames of a window that lies still; a playing one is drawn at every turn of the display.
constexpr double kRest = 0.25;

Workspace& workspace_of(GLFWwindow* window) { return *static_cast<Workspace*>(glfwGetWindowUserPointer(window)); }

void on_key(GLFWwindow* window, int key, int what, int modifiers) {
    constexpr int kForeign = GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER;
    if (what == GLFW_RELEASE || (modifiers & kForeign) != 0) return;
    if (const auto action = action_of_key(key, what == GLFW_REPEAT)) workspace_of(window).apply(*action);
}

void on_character(GLFWwindow* window, unsigned character) {
    if (const auto action = action_of_character(character)) workspace_of(window).apply(*action);
}

void draw_one(Screen& screen, Workspace& workspace, double seconds) {
    int width = 0, height = 0;
    glfwGetFramebufferSize(screen.window(), &width, &height);
    screen.begin_frame();
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    workspace.draw(size.x, size.y, seconds);
    const Color ground = palette(workspace.theme()).background;
    screen.end_frame(width, height, static_cast<float>(ground.r) / 255, static_cast<float>(ground.g) / 255,
                     static_cast<float>(ground.b) / 255);
    glfwSwapBuffers(screen.window());
}

}  // namespace

Style style_for(const Options& options, const Screen& screen, std::string_view texts) {
    const float scale = options.scale > 0 ? options.scale : options.render.empty() ? screen.content_scale() : 1.0F;
    const bool small =
        static_cast<float>(options.width) < 1400 * scale || static_cast<float>(options.height) < 800 * scale;
    Style style;
    style.theme = options.theme;
    style.em = std::round((small ? kSmallText : kText) * scale);
    style.fonts = load_fonts(style.em, texts);
    return style;
}

std::string texts_of(const std::vector<std::unique_ptr<Document>>& documents) {
    std::string texts;
    for (const auto& document : documents)
        if (document->readable()) texts += document->replay().trace().texts();
    return texts;
}

std::vector<std::unique_ptr<Document>> open_documents(const Options& options) {
    std::vector<std::unique_ptr<Document>> documents;
    for (const std::string& file : options.files) {
        auto document = std::make_unique<Document>(file);
        if (document->readable()) {
            Selection& selection = document->selection();
            const std::size_t size = document->replay().size();
            if (options.at) selection.playhead = std::min(*options.at, size);
            if (options.chosen && *options.chosen < document->replay().coroutines()) selection.chosen = *options.chosen;
            document->sync();
        }
        documents.push_back(std::move(document));
    }
    return documents;
}

void set_up(Workspace& workspace, const Options& options) {
    while (workspace.lock() != options.lock) workspace.apply(Action::lock_by);
    if (options.side_by_side) workspace.apply(Action::side_by_side);
    if (options.sets && *options.sets != workspace.sets()) workspace.apply(Action::sets);
}

Window::Window(const Options& options) : Window(options, open_documents(options)) {}

Window::Window(const Options& options, std::vector<std::unique_ptr<Document>> documents)
    : screen_(options.width, options.height, "fiberscope", true),
      texts_(texts_of(documents)),
      workspace_(std::move(documents), style_for(options, screen_, texts_)),
      last_(glfwGetTime()) {
    set_up(workspace_, options);
    glfwSetWindowUserPointer(screen_.window(), &workspace_);
    // ImGui has its callbacks in place already: ours call them first.
    static GLFWkeyfun imgui_key = nullptr;
    static GLFWcharfun imgui_char = nullptr;
    imgui_key = glfwSetKeyCallback(screen_.window(), [](GLFWwindow* w, int key, int code, int what, int modifiers) {
        if (imgui_key != nullptr) imgui_key(w, key, code, what, modifiers);
        on_key(w, key, what, modifiers);
    });
    imgui_char = glfwSetCharCallback(screen_.window(), [](GLFWwindow* w, unsigned character) {
        if (imgui_char != nullptr) imgui_char(w, character);
        on_character(w, character);
    });
}

bool Window::frame(double rest) {
    const bool playing = workspace_.document().readable() && workspace_.document().playback().playing;
    if (playing)
        glfwPollEvents();
    else
        glfwWaitEventsTimeout(rest);
    const double now = glfwGetTime();
    draw_one(screen_, workspace_, playing ? now - last_ : 0);
    last_ = now;
    return glfwWindowShouldClose(screen_.window()) == GLFW_FALSE;
}

void show_window(const Options& options) {
    Window window(options);
    while (window.frame(kRest)) {
    }
}

}  // namespace fiberscope::viewer
