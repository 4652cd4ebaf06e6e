// What a workspace shows, as a picture: without a window, or of what a window has drawn.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/model/options.h"
#include "viewer/panels/workspace.h"
#include "viewer/window/png.h"

namespace fiberscope::viewer {

/// A workspace that is drawn without a window, in a context of ImGui of its own. At most one at a time.
class Stage {
  public:
    /// Frames in which lists scroll and measures settle; a picture is the one after them.
    static constexpr int kSettling = 3;

    /// Of the size and the look that `options` ask for; what else they ask for is set up by set_up().
    explicit Stage(std::vector<std::unique_ptr<Document>> documents, const Options& options = {});

    Workspace& workspace() noexcept { return workspace_; }
    /// Draws so many frames, `seconds` apart.
    void pass(double seconds = 0, int frames = 1);
    /// The frame after so many, `seconds` apart.
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

/// A frame of `workspace`, of the size of the one before it, drawn by the processor; only the panel of this name unless
/// it is empty. Throws std::runtime_error that names the panels that there are.
Picture picture_of_frame(Workspace& workspace, std::string_view panel);

/// What the window would show. Throws std::runtime_error that names a file that cannot be read.
Picture render_picture(const Options& options);

}  // namespace fiberscope::viewer
