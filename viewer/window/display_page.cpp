#include <emscripten/em_js.h>
#include <emscripten/html5.h>
#include <imgui.h>
#include <imgui_impl_glfw.h>

#include <algorithm>

#include <GLFW/glfw3.h>

#include "viewer/window/display.h"
#include "viewer/window/painter.h"

// `pixels`: RGBA with this width and height, as in ImageData. The canvas is in CPU memory.
EM_JS(void, put_pixels, (const void* pixels, int width, int height), {
    const context = Module.canvas.getContext('2d', ({alpha : false, willReadFrequently : true}));
    const bytes = new Uint8ClampedArray(HEAPU8.buffer, pixels, 4 * width * height);
    context.putImageData(new ImageData(bytes, width, height), 0, 0);
});

namespace fiberscope::viewer {

GLFWwindow* open_display(int width, int height, const char* title) {
    glfwWindowHint(GLFW_CLIENT_API, GLFW_NO_API);
    GLFWwindow* window = glfwCreateWindow(width, height, title, nullptr, nullptr);
    ImGui_ImplGlfw_InitForOther(window, true);
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    return window;
}

void close_display(GLFWwindow* window) {
    ImGui_ImplGlfw_Shutdown();
    glfwDestroyWindow(window);
}

std::string display_error() { return "unknown reason"; }

float display_scale(GLFWwindow*) noexcept {
    return std::clamp(static_cast<float>(emscripten_get_device_pixel_ratio()), 1.0F, 4.0F);
}

void renew_letters() {}  // the painter reads them in each frame

void begin_display_frame() {
    if (!ImGui::GetIO().Fonts->IsBuilt()) ImGui::GetIO().Fonts->Build();
    ImGui_ImplGlfw_NewFrame();
}

void draw_lists(int width, int height, Color ground) {
    static Painter painter;
    painter.paint(*ImGui::GetDrawData(), width, height, ground);
    put_pixels(painter.pixels().data(), width, height);
}

}  // namespace fiberscope::viewer
