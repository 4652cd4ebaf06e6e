// The viewer in the browser. The script page/page.js writes recordings into this program's file system, sets the place
// to show, and requests a frame after each event. It also queries the viewer's place for the URL.
#include <emscripten/emscripten.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#define GLFW_INCLUDE_GLEXT
#include <GLFW/glfw3.h>

#include "viewer/layout/trace_facts/sentence.h"
#include "viewer/model/place.h"
#include "viewer/window/input.h"
#include "viewer/window/opening.h"
#include "viewer/window/screen.h"

namespace fiberscope::viewer {
namespace {

/// Where the script writes recordings.
const std::filesystem::path kFolder = "/recordings";
/// Number of frames drawn after an event, since ImGui may need one frame to update the next.
constexpr int kFrames = 3;
/// Seconds between two frames that show the loading progress.
constexpr double kProgress = 0.05;

Options options_of(const LinkedPlace& place) {
    Options options;
    for (const std::string& name : place.files) options.files.push_back((kFolder / (name + ".json")).string());
    options.at = place.at;
    options.chosen = place.chosen;
    options.theme = place.theme;
    options.language = place.language;
    options.side_by_side = place.beside;
    options.lock = place.lock;
    options.present = place.present;
    options.sets = place.sets;
    options.press.insert(options.press.end(), place.press.begin(), place.press.end());
    return options;
}

class Page {
  public:
    /// `glides`: animate set members.
    Page(int width, int height, bool glides) : screen_(width, height, "fiberscope"), glides_(glides) {}

    void resize(int width, int height) {
        glfwSetWindowSize(screen_.window(), width, height);
        pending_ = kFrames;
    }

    /// Starts to read the recordings of `place`, and goes there once they are read.
    void show(const LinkedPlace& place) {
        Options options = options_of(place);
        glfwGetWindowSize(screen_.window(), &options.width, &options.height);
        const Style style = style_for(options, screen_.content_scale());
        const bool first = !workspace_;
        if (!first && !workspace_->unsaved().empty()) {  // the page's file system keeps them
            workspace_->save_lectures();
            workspace_->take_saved();
            kept_ = true;
        }
        workspace_.emplace(begin_documents(options), style);  // at the same address, which the callbacks use
        if (glides_) workspace_->let_glide();
        workspace_->offer({recordings_, {}}, [this](const std::string& file) { wish_ = file; });
        if (first)
            listen(screen_, *workspace_);
        else
            screen_.renew_fonts();
        shown_ = place;
        begun_ = false;
        pending_ = kFrames;
    }

    /// Goes to another place in the open recordings.
    void go(const LinkedPlace& place) {
        pending_ = kFrames;
        if (begun_)
            workspace_->go(place.at, place.chosen.value_or(trace::kNone), place.visible, place.pins);
        else
            shown_ = place;
    }

    /// Sets the names of the recordings that the page can fetch, separated by slashes.
    void offer(std::string_view names) {
        recordings_.clear();
        for (std::size_t end = 0; !names.empty(); names.remove_prefix(std::min(names.size(), end + 1))) {
            end = std::min(names.find('/'), names.size());
            recordings_.push_back(kFolder / (std::string(names.substr(0, end)) + ".json"));
        }
    }
    /// The place with the clicked recording in the first tab, once: the page must fetch it. Empty if there is none.
    std::string take_wish() {
        const std::string file = std::exchange(wish_, {});
        if (file.empty()) return {};
        LinkedPlace open = read_place(place()), wanted;
        const std::string name = std::filesystem::path(file).stem().string();
        std::erase(open.files, name);
        wanted.files = std::move(open.files);
        wanted.files.insert(wanted.files.begin(), name);
        wanted.present = open.present;
        wanted.language = open.language;
        wanted.theme = open.theme;
        return write_place(wanted);
    }

    bool loading() const { return workspace_ && !begun_; }

    /// Of files in tabs, the active one is the first.
    std::string place() const {
        LinkedPlace place = shown_;
        if (!workspace_) return {};
        if (!begun_) return write_place(place);
        const Workspace& workspace = *workspace_;
        place.theme = workspace.theme();
        place.lock = workspace.lock();
        place.beside = workspace.side_by_side();
        place.present = workspace.presenting();
        place.files.clear();
        for (std::size_t i = 0; i < workspace.size(); ++i)
            if (!workspace.document(i).none()) place.files.push_back(workspace.document(i).file().stem().string());
        if (!place.beside && !place.files.empty()) std::swap(place.files[0], place.files[workspace.active()]);
        const Document& document = workspace.document();
        if (!document.readable()) return write_place(place);
        const Selection& selection = document.selection();
        place.at = selection.playhead;
        place.chosen = selection.chosen == trace::kNone ? std::nullopt : std::optional(selection.chosen);
        place.visible = selection.visible;
        place.pins = selection.lanes.pins;
        return write_place(place);
    }

    /// Draws a frame if needed. Returns whether another one is needed at once.
    bool frame(bool happened) {
        if (!workspace_) return false;
        if (happened) pending_ = kFrames;
        if (!begun_)
            read_on();
        else if (workspace_->loading())  // files that a note shows beside its recording
            read_beside();
        const bool plays = workspace_->document().readable() && workspace_->document().playback().playing;
        const bool playing = plays || workspace_->busy();
        if (!playing && pending_ == 0) return false;
        const double now = glfwGetTime();
        if (loading() && now - drawn_ < kProgress) return true;
        show_frame(screen_, *workspace_, plays ? now - last_ : 0);
        last_ = now;
        drawn_ = glfwGetTime();
        pending_ = std::max(0, pending_ - 1);
        return playing || pending_ > 0;
    }

    /// Why the first recording cannot be shown; empty if there is no error.
    std::string error() const { return workspace_ ? workspace_->document().error() : std::string(); }

    /// The sentences at the playhead; empty if no recording is open.
    std::string sentences() const {
        if (!workspace_ || !workspace_->document().readable()) return {};
        const Document& document = workspace_->document();
        return copied_sentences(document.replay(), document.index(), document.selection(), workspace_->language());
    }

    /// The texts drawn in a frame: position, height in pixels, and text, one per line.
    std::string words() {
        std::vector<Written> written;
        workspace_->note_written(&written);
        show_frame(screen_, *workspace_, 0);
        workspace_->note_written(nullptr);
        std::string lines;
        for (const Written& text : written) {
            const Rect& r = text.rect;
            if (!text.clip.contains({r.middle_x(), r.middle_y()})) continue;
            for (const float number : {r.middle_x(), r.middle_y(), r.height()}) lines += std::to_string(number) + " ";
            lines += text.text + "\n";
        }
        return lines;
    }

    /// Whether unsaved edits of a lecture would be lost with the page.
    bool unsaved() const { return kept_ || (workspace_ && !workspace_->unsaved().empty()); }

    /// The files of lectures saved since the last call, one per line: the page offers them as downloads.
    std::string saved() {
        std::string files;
        if (workspace_)
            for (const std::filesystem::path& file : workspace_->take_saved()) files += file.string() + "\n";
        kept_ = kept_ && files.empty();
        return files;
    }

  private:
    void read_beside() {
        workspace_->refresh();
        pending_ = kFrames;
    }

    /// Reads a slice; after the last one goes to the requested place.
    void read_on() {
        pending_ = kFrames;
        workspace_->refresh();
        if (workspace_->loading()) return;
        begun_ = true;
        go(shown_);
        set_up(*workspace_, options_of(shown_));
        if (shown_.beside && shown_.press.empty()) go(shown_);  // side by side starts with the whole range of time
    }

    Screen screen_;
    bool glides_;
    std::optional<Workspace> workspace_;
    LinkedPlace shown_;
    std::vector<std::filesystem::path> recordings_;
    std::string wish_;    ///< the clicked recording
    bool begun_ = false;  ///< all recordings are read
    bool kept_ = false;   ///< a lecture was edited, and other recordings were shown before it was saved
    int pending_ = 0;
    double last_ = 0, drawn_ = 0;  ///< time of the last frame, and of the last drawn one, seconds
};

std::unique_ptr<Page>& page() {
    static std::unique_ptr<Page> the;
    return the;
}

const char* kept(std::string text) {
    static std::string last;
    last = std::move(text);
    return last.c_str();
}

}  // namespace
}  // namespace fiberscope::viewer

using namespace fiberscope::viewer;

// Functions called by page.js. A returned text is valid until the next call.
extern "C" {

/// Starts with a canvas of this many pixels. `still`: the user prefers reduced motion.
EMSCRIPTEN_KEEPALIVE void viewer_begin(int width, int height, int still) {
    page() = std::make_unique<Page>(width, height, still == 0);
}

EMSCRIPTEN_KEEPALIVE void viewer_resize(int width, int height) { page()->resize(width, height); }

/// Starts to read the recordings named by `fragment` from /recordings/NAME.json, a slice in each frame.
EMSCRIPTEN_KEEPALIVE void viewer_show(const char* fragment) { page()->show(read_place(fragment)); }

/// Sets the names of the recordings that the page can fetch, separated by slashes. Called before viewer_show().
EMSCRIPTEN_KEEPALIVE void viewer_offer(const char* names) { page()->offer(names); }

/// The place to go to after a click on a recording, once; else empty.
EMSCRIPTEN_KEEPALIVE const char* viewer_wish() { return kept(page()->take_wish()); }

EMSCRIPTEN_KEEPALIVE int viewer_loading() { return page()->loading() ? 1 : 0; }

/// The error of the first recording, once it is read; else empty.
EMSCRIPTEN_KEEPALIVE const char* viewer_error() { return kept(page()->error()); }

/// Goes to another place in the open recordings.
EMSCRIPTEN_KEEPALIVE void viewer_go(const char* fragment) { page()->go(read_place(fragment)); }

/// Movement of the wheel in notches, to the right and up.
EMSCRIPTEN_KEEPALIVE void viewer_wheel(double right, double up) {
    ImGui::GetIO().MouseWheelH += static_cast<float>(right);
    ImGui::GetIO().MouseWheel += static_cast<float>(up);
}

EMSCRIPTEN_KEEPALIVE const char* viewer_place() { return kept(page()->place()); }

/// For screen readers.
EMSCRIPTEN_KEEPALIVE const char* viewer_sentences() { return kept(page()->sentences()); }

/// For tests: the visible texts.
EMSCRIPTEN_KEEPALIVE const char* viewer_words() { return kept(page()->words()); }

EMSCRIPTEN_KEEPALIVE int viewer_unsaved() { return page()->unsaved() ? 1 : 0; }
EMSCRIPTEN_KEEPALIVE const char* viewer_saved() { return kept(page()->saved()); }

EMSCRIPTEN_KEEPALIVE int viewer_frame(int happened) { return page()->frame(happened != 0) ? 1 : 0; }
}
