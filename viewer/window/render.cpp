#include "viewer/window/render.h"

#include <imgui.h>

#include <algorithm>
#include <stdexcept>

#include "viewer/window/opening.h"
#include "viewer/window/painter.h"

namespace fiberscope::viewer {
namespace {

Workspace workspace_of(std::vector<std::unique_ptr<Document>> documents, const Options& options) {
    // Larger than for a Full HD screen: for a screen with smaller pixels.
    const float scale = std::min(static_cast<float>(options.width) / 1920, static_cast<float>(options.height) / 1080);
    const Style style = style_for(options, std::clamp(scale, 1.0F, 4.0F), texts_of(documents));
    return {std::move(documents), style};
}

std::vector<std::unique_ptr<Document>> readable_documents(const Options& options) {
    std::vector<std::unique_ptr<Document>> documents = open_documents(options);
    for (const auto& document : documents)
        if (!document->readable()) throw std::runtime_error(document->error());
    return documents;
}

void frame(Workspace& workspace, double seconds) {
    ImGui::NewFrame();
    workspace.draw(ImGui::GetIO().DisplaySize.x, ImGui::GetIO().DisplaySize.y, seconds);
    ImGui::Render();
}

/// The last drawn position of a panel; the whole window if the name is empty.
Rect place_of_panel(const Workspace& workspace, std::string_view name) {
    if (name.empty()) return {0, 0, ImGui::GetIO().DisplaySize.x, ImGui::GetIO().DisplaySize.y};
    std::string names;
    for (const auto& [its, r, part, file] : workspace.panels()) {
        names += (names.empty() ? "" : ", ") + std::string(its);
        if (its == name) return r;
    }
    throw std::runtime_error(
        say(workspace.language(), "--panel: {0} is not in this window; expected one of {1}.", name, names));
}

}  // namespace

Stage::Context::Context() {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;  // creates no file
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
}

Stage::Context::~Context() { ImGui::DestroyContext(); }

Stage::Stage(std::vector<std::unique_ptr<Document>> documents, const Options& options)
    : width_(static_cast<float>(options.width)),
      height_(static_cast<float>(options.height)),
      workspace_(workspace_of(std::move(documents), options)) {}

void Stage::pass(double seconds, int frames) {
    ImGui::GetIO().DisplaySize = {width_, height_};
    for (int i = 0; i < frames; ++i) {
        workspace_.renew_fonts(width_, height_);
        if (!ImGui::GetIO().Fonts->IsBuilt()) ImGui::GetIO().Fonts->Build();
        frame(workspace_, seconds);
    }
}

Picture Stage::draw(int frames, double seconds) {
    pass(seconds, frames);
    return picture_of_frame(workspace_, {});
}

Picture picture_of_frame(Workspace& workspace, std::string_view panel) {
    frame(workspace, 0);
    const Rect all = place_of_panel(workspace, {}), part = place_of_panel(workspace, panel);
    const auto width = static_cast<int>(all.x1), height = static_cast<int>(all.y1);
    Painter painter;
    painter.paint(*ImGui::GetDrawData(), width, height, palette(workspace.theme()).background);
    const int x0 = std::clamp(static_cast<int>(part.x0), 0, width),
              x1 = std::clamp(static_cast<int>(part.x1), x0, width),
              y0 = std::clamp(static_cast<int>(part.y0), 0, height),
              y1 = std::clamp(static_cast<int>(part.y1), y0, height);
    Picture picture{x1 - x0, y1 - y0, {}};
    for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) {
            const std::uint32_t pixel = painter.pixels()[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                                                         static_cast<std::size_t>(x)];
            for (const unsigned shift : {0U, 8U, 16U}) picture.rgb.push_back(static_cast<std::uint8_t>(pixel >> shift));
        }
    return picture;
}

Picture render_picture(const Options& options) {
    Stage stage(readable_documents(options), options);
    set_up(stage.workspace(), options);
    stage.pass(0, Stage::kSettling);
    return picture_of_frame(stage.workspace(), options.panel);
}

}  // namespace fiberscope::viewer
