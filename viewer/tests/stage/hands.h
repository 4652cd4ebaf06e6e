// The real window, operated like a user: xdotool presses keys and moves the mouse under Xvfb.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "testing/catch.h"
#include "viewer/panels/widgets.h"
#include "viewer/tests/made/made_traces.h"
#include "viewer/window/window.h"

namespace fiberscope::viewer::tests {

/// A window on a generated trace, and simulated input.
class Hands {
  public:
    /// `other`: the file of the second tab.
    explicit Hands(const std::string& other = "no/such/file.json") : Hands(write_trace(), other) {}
    /// `file`: the file of the first tab, removed at the end; `other`: that of the second tab.
    Hands(const std::filesystem::path& file, const std::string& other)
        : state_(state_folder()), file_(file), window_(options_for(file_, other)) {
        REQUIRE(until([&] { return !workspace().loading(); }));
        frames(5);
        move(500, 250);
    }
    /// A window with the files named by `options`, which are kept.
    explicit Hands(const Options& options) : state_(state_folder()), window_(options) {
        REQUIRE(until([&] { return !workspace().loading(); }));
        frames(5);
    }
    ~Hands() {
        std::filesystem::remove(file_);
        std::filesystem::remove_all(state_);
    }

    void act(const std::string& command) {
        REQUIRE(std::system(("xdotool " + command).c_str()) == 0);
        frames(3);
        for (int i = 0; i < 1000 && input_is_queued(); ++i) frames(1);
    }
    void move(float x, float y) {
        act("mousemove " + std::to_string(static_cast<int>(x)) + " " + std::to_string(static_cast<int>(y)));
    }
    /// Draws until `wish` is true, at most for some seconds, since the computer may be busy.
    bool until(const std::function<bool()>& wish) {
        for (int i = 0; i < 200 && !wish(); ++i) frames(1);
        return wish();
    }
    void frames(int count) {
        for (int i = 0; i < count; ++i) REQUIRE(window_.frame(0.02));
    }
    Workspace& workspace() { return window_.workspace(); }
    void remember() { window_.remember(); }
    /// Simulates closing the window; returns whether it stays open.
    bool close() {
        glfwSetWindowShouldClose(glfwGetCurrentContext(), GLFW_TRUE);
        return window_.frame(0);
    }
    Selection& selection() { return workspace().document().selection(); }
    const Timeline& timeline() { return workspace().drawn_timeline(); }

  private:
    static std::filesystem::path write_trace() {
        const auto file = std::filesystem::temp_directory_path() / "fiberscope-viewer-window.json";
        std::ofstream(file) << round_robin(20, 8);
        return file;
    }
    static Options options_for(const std::filesystem::path& file, const std::string& other) {
        Options options;
        options.files = {file.string(), other};
        options.width = 1000;
        options.height = 640;
        options.scale = 1;
        return options;
    }
    /// The directory for the window's settings, instead of the user's own.
    static std::filesystem::path state_folder() {
        const auto folder = std::filesystem::temp_directory_path() / "fiberscope-viewer-state";
        setenv("XDG_STATE_HOME", folder.c_str(), 1);
        return folder;
    }
    std::filesystem::path state_, file_;
    Window window_;
};

}  // namespace fiberscope::viewer::tests
