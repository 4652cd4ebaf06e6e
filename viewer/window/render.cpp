#include "viewer/window/window.h"

#include <imgui.h>

#include <stdexcept>

#include "viewer/window/svg.h"

namespace fiberscope::viewer {
namespace {

/// Lists scroll and measures settle in the first frames; the picture is the one after them.
constexpr int kSettling = 4;

void fill_frame(Screen& screen, Workspace& workspace, int width, int height, double seconds) {
    if (workspace.renew_fonts(static_cast<float>(width), static_cast<float>(height))) screen.renew_fonts();
    screen.begin_frame(width, height);
    workspace.draw(static_cast<float>(width), static_cast<float>(height), seconds);
}

/// While it lives, shapes have no soft edges: an SVG draws its own.
class HardEdges {
  public:
    HardEdges() { set(false); }
    ~HardEdges() { set(soft_); }
    HardEdges(const HardEdges&) = delete;
    HardEdges& operator=(const HardEdges&) = delete;

  private:
    static void set(bool soft) {
        ImGuiStyle& style = ImGui::GetStyle();
        style.AntiAliasedLines = style.AntiAliasedLinesUseTex = style.AntiAliasedFill = soft;
    }
    bool soft_ = ImGui::GetStyle().AntiAliasedFill;
};

/// ImGui without a window.
class NoScreen {
  public:
    NoScreen() {
        ImGui::CreateContext();
        ImGui::GetIO().IniFilename = nullptr;
    }
    ~NoScreen() { ImGui::DestroyContext(); }
    NoScreen(const NoScreen&) = delete;
    NoScreen& operator=(const NoScreen&) = delete;
};

std::string svg_of_lists(const Workspace& workspace, Rect part) {
    return svg_of(*ImGui::GetDrawData(), part, palette(workspace.theme()).background, workspace.style().fonts);
}

std::vector<std::unique_ptr<Document>> readable_documents(const Options& options) {
    std::vector<std::unique_ptr<Document>> documents = open_documents(options);
    for (const auto& document : documents)
        if (!document->readable()) throw std::runtime_error(document->error());
    return documents;
}

}  // namespace

void drop_frames(Screen& screen, Workspace& workspace, int width, int height, int frames, double seconds) {
    for (int i = 0; i < frames; ++i) {
        fill_frame(screen, workspace, width, height, seconds);
        screen.drop_frame();
    }
}

void draw_frames(Screen& screen, Workspace& workspace, int width, int height, int frames, double seconds) {
    drop_frames(screen, workspace, width, height, frames - 1, seconds);
    fill_frame(screen, workspace, width, height, seconds);
    screen.end_frame(width, height, palette(workspace.theme()).background);
}

Rect place_of_panel(const Workspace& workspace, std::string_view name) {
    std::string names;
    for (const auto& [its, r] : workspace.panels()) {
        names += (names.empty() ? "" : ", ") + std::string(its);
        if (its == name) return r;
    }
    throw std::runtime_error(say(workspace.language(), "--panel: {0} is not in this window; it has {1}.", name, names));
}

Picture render_picture(const Options& options) {
    Screen screen(options.width, options.height, "fiberscope", false);
    std::vector<std::unique_ptr<Document>> documents = readable_documents(options);
    const Style style = style_for(options, 1, texts_of(documents));
    Workspace workspace(std::move(documents), style);
    set_up(workspace, options);
    const Framebuffer framebuffer(options.width, options.height);
    draw_frames(screen, workspace, options.width, options.height, kSettling, 0);
    const Picture picture = framebuffer.read();
    return options.panel.empty() ? picture : cropped(picture, place_of_panel(workspace, options.panel));
}

std::string svg_of_frame(Screen& screen, Workspace& workspace, int width, int height) {
    const HardEdges edges;
    drop_frames(screen, workspace, width, height, 1, 0);
    return svg_of_lists(workspace, {0, 0, static_cast<float>(width), static_cast<float>(height)});
}

std::string render_svg(const Options& options) {
    const NoScreen screen;
    std::vector<std::unique_ptr<Document>> documents = readable_documents(options);
    const Style style = style_for(options, 1, texts_of(documents));
    Workspace workspace(std::move(documents), style);
    set_up(workspace, options);
    const HardEdges edges;
    const Rect whole{0, 0, static_cast<float>(options.width), static_cast<float>(options.height)};
    for (int i = 0; i < kSettling; ++i) {
        workspace.renew_fonts(whole.x1, whole.y1);
        unsigned char* letters = nullptr;
        int width = 0, height = 0;
        ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&letters, &width, &height);
        ImGui::GetIO().DisplaySize = {whole.x1, whole.y1};
        ImGui::NewFrame();
        workspace.draw(whole.x1, whole.y1, 0);
        ImGui::Render();
    }
    return svg_of_lists(workspace, options.panel.empty() ? whole : place_of_panel(workspace, options.panel));
}

}  // namespace fiberscope::viewer
