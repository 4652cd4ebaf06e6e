#include "viewer/window/window.h"

#include <stdexcept>

namespace fiberscope::viewer {
namespace {

/// Lists scroll and measures settle in the first frames; the picture is the one after them.
constexpr int kSettling = 4;

void fill_frame(Screen& screen, Workspace& workspace, int width, int height, double seconds) {
    if (workspace.renew_fonts(static_cast<float>(width), static_cast<float>(height))) screen.renew_fonts();
    screen.begin_frame(width, height);
    workspace.draw(static_cast<float>(width), static_cast<float>(height), seconds);
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

Picture picture_of_panel(const Picture& picture, const Workspace& workspace, std::string_view name) {
    std::string names;
    for (const auto& [its, r] : workspace.panels()) {
        names += (names.empty() ? "" : ", ") + std::string(its);
        if (its == name)
            return cropped(picture, static_cast<int>(r.x0), static_cast<int>(r.y0), static_cast<int>(r.x1),
                           static_cast<int>(r.y1));
    }
    throw std::runtime_error(say(workspace.language(), "--panel: {0} is not in this window; it has {1}.", name, names));
}

Picture render_picture(const Options& options) {
    Screen screen(options.width, options.height, "fiberscope", false);
    std::vector<std::unique_ptr<Document>> documents = open_documents(options);
    for (const auto& document : documents)
        if (!document->readable()) throw std::runtime_error(document->error());
    const Style style = style_for(options, screen, texts_of(documents));
    Workspace workspace(std::move(documents), style);
    set_up(workspace, options);
    const Framebuffer framebuffer(options.width, options.height);
    draw_frames(screen, workspace, options.width, options.height, kSettling, 0);
    const Picture picture = framebuffer.read();
    return options.panel.empty() ? picture : picture_of_panel(picture, workspace, options.panel);
}

}  // namespace fiberscope::viewer
