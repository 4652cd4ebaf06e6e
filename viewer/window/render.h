// Renders a workspace to a picture: without a window, or from the content of a window.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/model/options.h"
#include "viewer/panels/workspace.h"
#include "viewer/window/png.h"

namespace fiberscope::viewer {

/// A workspace drawn without a window, in its own ImGui context. At most one at a time.
class Stage {
  public:
    /// Number of frames until scrolling and measures are stable; a picture is the next one.
    static constexpr int kSettling = 3;

    /// With the size and look requested by `options`; their other requests are handled by set_up().
    explicit Stage(std::vector<std::unique_ptr<Document>> documents, const Options& options = {});

    Workspace& workspace() noexcept { return workspace_; }
    /// Draws `frames` frames, `seconds` apart.
    void pass(double seconds = 0, int frames = 1);
    /// Draws `frames` frames, `seconds` apart, and returns the next one.
    Picture draw(int frames = kSettling, double seconds = 0);

  private:
    struct Context {
        Context();
        ~Context();
        Context(const Context&) = delete;
        Context& operator=(const Context&) = delete;
    } context_;
    float width_, height_;
    Workspace workspace_;
};

/// A frame of `workspace` with the size of the previous one, drawn in software; only the named panel unless `panel` is
/// empty. Throws std::runtime_error that lists the panels.
Picture picture_of_frame(Workspace& workspace, std::string_view panel);

/// The content of the window. Throws std::runtime_error that names an unreadable file.
Picture render_picture(const Options& options);

}  // namespace fiberscope::viewer
