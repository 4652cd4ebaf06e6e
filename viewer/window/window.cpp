#include "viewer/window/window.h"

#include <algorithm>

#define GLFW_INCLUDE_GLEXT
#include <GLFW/glfw3.h>

#include "viewer/window/input.h"
#include "viewer/window/render.h"

namespace fiberscope::viewer {
namespace {

/// Seconds between two checks of the files while idle.
constexpr double kRest = 0.5;
/// Seconds between two frames that show the loading progress.
constexpr double kProgress = 0.05;
/// Number of frames drawn after an event, since ImGui may need one frame to update the next.
constexpr int kFrames = 3;
/// A wait shorter than this share of its timeout was ended by an event, not by an inaccurate clock.
constexpr double kNearly = 0.98;

}  // namespace

Window::Window(const Options& options)
    : screen_(options.width, options.height, "fiberscope"),
      options_(options),
      workspace_(begin_documents(options), style_for(options, screen_.content_scale())),
      last_(glfwGetTime()) {
    restore(options);
    workspace_.let_glide();
    listen(screen_, workspace_);
}

void Window::begin() {
    begun_ = true;
    pending_ = kFrames;
    std::string wrong;
    for (std::size_t i = 0; i < options_.files.size(); ++i) try {
            put_places(options_, workspace_.document(i));
        } catch (const UsageError& error) {
            wrong = error.what();
        }
    set_up(workspace_, options_);
    if (!wrong.empty()) workspace_.say(wrong);
}

void Window::restore(const Options& options) {
    Settings settings = read_settings(settings_file());
    if (options.themed) settings.theme = options.theme;
    if (settings.width > 0 && !options.sized) glfwSetWindowSize(screen_.window(), settings.width, settings.height);
    for (auto file = options.files.rbegin(); file != options.files.rend(); ++file) remember_file(settings, *file);
    workspace_.restore(settings);
}

void Window::remember() const {
    Settings settings = workspace_.remembered();
    glfwGetWindowSize(screen_.window(), &settings.width, &settings.height);
    write_settings(settings_file(), settings);
}

bool Window::stays_open() {
    if (glfwWindowShouldClose(screen_.window()) == GLFW_FALSE) return true;
    const std::string files = workspace_.unsaved();
    const std::string warning = say(
        workspace_.language(),
        "The lecture on {0} has unsaved edits: Ctrl Enter saves them. Close the window again to discard them.", files);
    if (files.empty() || workspace_.said() == warning) return false;
    glfwSetWindowShouldClose(screen_.window(), GLFW_FALSE);
    workspace_.say(warning);
    pending_ = kFrames;
    return true;
}

bool Window::frame(double rest) {
    const bool plays = workspace_.document().readable() && workspace_.document().playback().playing;
    const bool playing = plays || workspace_.busy();
    const bool loads = workspace_.loading();
    const double before = glfwGetTime(), wait = loads ? std::min(rest, kProgress) : rest;
    if (playing || pending_ > 0)
        glfwPollEvents();
    else
        glfwWaitEventsTimeout(wait);
    const double now = glfwGetTime();
    const bool waited = !playing && pending_ == 0;
    if ((waited || loads || workspace_.live()) && workspace_.refresh()) pending_ = kFrames;
    if (!begun_ && !workspace_.loading()) begin();
    if (waited && now - before < kNearly * wait) pending_ = kFrames;
    if (waited && pending_ == 0 && !loads) return stays_open();
    pending_ = std::max(0, pending_ - 1);
    show_frame(screen_, workspace_, plays ? now - last_ : 0);
    last_ = now;
    return stays_open();
}

void show_window(const Options& options) {
    Window window(options);
    while (window.frame(kRest)) {
    }
    window.remember();
}

}  // namespace fiberscope::viewer
