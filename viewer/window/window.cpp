#include "viewer/window/window.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "viewer/layout/page/sets_svg.h"
#include "viewer/model/keys.h"
#include "viewer/window/png.h"

namespace fiberscope::viewer {
namespace {

/// Text is this high in a window of the usual size, and somewhat smaller in a small one.
constexpr float kText = 17, kSmallText = 15;
/// Seconds between looks at the files of a window that lies still; a playing one is drawn at every turn of the display.
constexpr double kRest = 0.5;
/// Seconds between two pictures of how much of a file has been read.
constexpr double kProgress = 0.05;
/// After something happened so many frames are drawn: ImGui learns in one what it shows in the next.
constexpr int kFrames = 3;
/// A wait that ends so much of its time early was ended by an event, and not by a clock that is not exact.
constexpr double kNearly = 0.98;

Workspace& workspace_of(GLFWwindow* window) { return *static_cast<Workspace*>(glfwGetWindowUserPointer(window)); }

void on_key(GLFWwindow* window, int key, int what, int modifiers) {
    constexpr int kForeign = GLFW_MOD_ALT | GLFW_MOD_SUPER;
    if (what == GLFW_RELEASE || (modifiers & kForeign) != 0) return;
    const bool control = (modifiers & GLFW_MOD_CONTROL) != 0, writes = ImGui::GetIO().WantTextInput;
    if (writes && !control && key != GLFW_KEY_ESCAPE) return;  // into the field of the search
    if (const auto action = action_of_key(key, what == GLFW_REPEAT, control)) workspace_of(window).apply(*action);
}

void on_character(GLFWwindow* window, unsigned character) {
    if (ImGui::GetIO().WantTextInput) return;
    if (const auto action = action_of_character(character)) workspace_of(window).apply(*action);
}

void draw_one(Screen& screen, Workspace& workspace, double seconds) {
    int width = 0, height = 0;
    glfwGetFramebufferSize(screen.window(), &width, &height);
    if (workspace.renew_fonts(static_cast<float>(height))) screen.renew_fonts();
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
    style.language = can_draw(options.language) ? options.language : Language::english;
    style.fonts = load_fonts(style.em, texts, style.language);
    if (style.language != options.language) style.fonts.missing = say(style.language, OfferedText::font_missing_for_us);
    return style;
}

std::string texts_of(const std::vector<std::unique_ptr<Document>>& documents) {
    std::string texts;
    for (const auto& document : documents)
        if (document->readable()) {
            texts += document->replay().trace().texts();
            for (const trace::Note& note : document->notes().notes) texts += note.text.bytes();
            texts += document->notes().title.bytes();
        }
    return texts;
}

namespace {

/// --at and --select must be there in the first file; in the others, side by side, they need not.
void check_places(const Options& options, const Document& document) {
    if (options.files.empty() || document.file() != std::filesystem::path(options.files.front())) return;
    const std::size_t size = document.replay().size(), coroutines = document.replay().coroutines();
    constexpr std::size_t kEnd = SIZE_MAX;
    if (options.at && *options.at != kEnd && *options.at > size)
        throw UsageError(say(options.language, TypedText::o_bad_at, *options.at, document.title(), size));
    if (options.chosen && *options.chosen >= coroutines)
        throw UsageError(say(options.language, TypedText::o_bad_select, *options.chosen, document.title(), coroutines,
                             coroutines - 1));
}

}  // namespace

void put_places(const Options& options, Document& document) {
    if (!document.readable()) return;
    Selection& selection = document.selection();
    check_places(options, document);
    if (options.at) selection.playhead = std::min(*options.at, document.replay().size());
    if (options.chosen && *options.chosen < document.replay().coroutines()) selection.chosen = *options.chosen;
    document.sync();
}

std::vector<std::unique_ptr<Document>> open_documents(const Options& options) {
    std::vector<std::unique_ptr<Document>> documents;
    for (const std::string& file : options.files) {
        documents.push_back(std::make_unique<Document>(file));
        documents.back()->set_language(options.language);
        put_places(options, *documents.back());
    }
    return documents;
}

std::vector<std::unique_ptr<Document>> begin_documents(const Options& options) {
    std::vector<std::unique_ptr<Document>> documents;
    for (const std::string& file : options.files)
        documents.push_back(std::make_unique<Document>(file, Document::Later()));
    return documents;
}

void set_up(Workspace& workspace, const Options& options) {
    while (workspace.lock() != options.lock) workspace.apply(Action::lock_by);
    if (options.side_by_side) workspace.apply(Action::side_by_side);
    if (options.present) workspace.apply(Action::present);
    if (options.sets && *options.sets != workspace.sets()) workspace.apply(Action::sets);
    for (const Action action : options.press) workspace.apply(action);
}

Window::Window(const Options& options)
    : screen_(options.width, options.height, "fiberscope", true),
      options_(options),
      workspace_(begin_documents(options), style_for(options, screen_)),
      last_(glfwGetTime()) {
    restore(options);
    glfwSetWindowUserPointer(screen_.window(), &workspace_);
    // ImGui has its callbacks in place already: ours call them first.
    static GLFWkeyfun imgui_key = nullptr;
    static GLFWcharfun imgui_char = nullptr;
    imgui_key = glfwSetKeyCallback(screen_.window(), [](GLFWwindow* w, int key, int code, int what, int modifiers) {
        if (imgui_key != nullptr) imgui_key(w, key, code, what, modifiers);
        on_key(w, key, what, modifiers);
    });
    glfwSetDropCallback(screen_.window(), [](GLFWwindow* w, int count, const char** files) {
        for (int i = 0; i < count; ++i) workspace_of(w).open(files[i]);
    });
    imgui_char = glfwSetCharCallback(screen_.window(), [](GLFWwindow* w, unsigned character) {
        if (imgui_char != nullptr) imgui_char(w, character);
        on_character(w, character);
    });
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

void Window::write_svgs() {
    const Document& document = workspace_.document();
    if (!document.readable()) return;
    const std::string name =
        std::filesystem::path(document.title()).stem().string() + "-" + std::to_string(document.selection().playhead);
    const SvgRequest request{document.replay(),  document.index(),     document.selection(), 1600, 900, 16,
                             workspace_.theme(), workspace_.language()};
    std::ofstream lanes(name + "-lanes.svg"), sets(name + "-sets.svg");
    lanes << svg_of(request) << std::flush;
    sets << sets_svg_of(request) << std::flush;
    const std::string folder = std::filesystem::absolute(".").parent_path().string();
    const Language language = workspace_.language();
    workspace_.say(lanes && sets ? say(language, OfferedText::svgs_are, name + "-lanes.svg", name + "-sets.svg", folder)
                                 : say(language, OfferedText::cannot_be_written, folder));
    pending_ = kFrames;
}

void Window::write_picture() {
    int width = 0, height = 0;
    glfwGetFramebufferSize(screen_.window(), &width, &height);
    std::filesystem::path file = std::filesystem::path(workspace_.document().title()).stem();
    file += "-" + std::to_string(workspace_.document().selection().playhead);
    const std::string panel = workspace_.take_panel_wish();
    file += (panel.empty() ? "" : "-" + panel) + ".png";
    try {
        const Framebuffer framebuffer(width, height);
        draw_frames(screen_, workspace_, width, height, 1, 0);
        const Picture picture = framebuffer.read();
        write_png(file, panel.empty() ? picture : picture_of_panel(picture, workspace_, panel));
        workspace_.say(say(workspace_.language(), OfferedText::picture_is, std::filesystem::absolute(file).string()));
    } catch (const SpokenError& error) {
        workspace_.say(error.in(workspace_.language()));
    } catch (const std::exception& error) {
        workspace_.say(error.what());
    }
    pending_ = kFrames;
}

bool Window::frame(double rest) {
    const bool playing = workspace_.document().readable() && workspace_.document().playback().playing;
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
    if (waited && pending_ == 0 && !loads) return glfwWindowShouldClose(screen_.window()) == GLFW_FALSE;
    pending_ = std::max(0, pending_ - 1);
    draw_one(screen_, workspace_, playing ? now - last_ : 0);
    if (workspace_.take_picture_wish()) write_picture();
    if (workspace_.take_svg_wish()) write_svgs();
    last_ = now;
    return glfwWindowShouldClose(screen_.window()) == GLFW_FALSE;
}

void show_window(const Options& options) {
    Window window(options);
    while (window.frame(kRest)) {
    }
    window.remember();
}

}  // namespace fiberscope::viewer
