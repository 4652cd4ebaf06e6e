// The window while a file is being read: it appears at once, and can be used and closed.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <tuple>

#include "traces/tests/generator.h"
#include "viewer/tests/stage/live_file.h"
#include "viewer/tests/stage/stage.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
namespace made = fiberscope::viewer::tests;

namespace {

/// A file that takes some time to read, and a small one.
class TwoFiles {
  public:
    TwoFiles() {
        setenv("XDG_STATE_HOME", (folder / "state").c_str(), 1);  // not the user's own settings
        std::filesystem::create_directories(folder);
        std::ofstream(large, std::ios::binary)
            << trace::testing::mixed_trace({.seed = 1, .events = 150'000, .coroutines = 500, .registers = false});
        std::ofstream(small) << made::round_robin(20, 8);
    }
    ~TwoFiles() { std::filesystem::remove_all(folder); }
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "fiberscope-viewer-loading",
                                large = folder / "large.json", small = folder / "small.json";
};

Options options_of(const std::filesystem::path& file) {
    Options options;
    options.files = {file.string()};
    options.width = 900;
    options.height = 600;
    options.scale = 1;
    return options;
}

void finish(Window& window) {
    while (window.workspace().loading()) REQUIRE(window.frame(0.02));
    REQUIRE(window.frame(0.02));
}

}  // namespace

TEST_CASE("a file that is being read has a progress bar, and then its lanes") {
    const TwoFiles files;
    std::vector<std::unique_ptr<Document>> documents;
    documents.push_back(std::make_unique<Document>(files.small, Document::Later()));
    Stage stage(std::move(documents), options_of(files.small));
    CHECK(stage.workspace().loading());
    const Picture picture = stage.draw();
    const Palette& colors = palette(Theme::dark);
    const Rect all{0, 0, 900, 600};
    CHECK(made::count_in(picture, all, colors.control) + made::count_in(picture, all, colors.chosen) > 4000);
    CHECK(stage.workspace().drawn_timeline().lanes.empty());
    while (stage.workspace().loading()) static_cast<void>(stage.workspace().refresh());
    stage.draw();
    CHECK(stage.workspace().drawn_timeline().lanes.size() > 5);
}

TEST_CASE("a window is usable while its file is read: it draws, and opens another file", "[window]") {
    const TwoFiles files;
    Options options = options_of(files.large);
    options.at = 100;
    options.press = {Action::table};
    Window window(options);
    Workspace& workspace = window.workspace();
    CHECK(workspace.loading());
    CHECK_FALSE(workspace.document().readable());
    REQUIRE(window.frame(0.01));
    workspace.apply(Action::theme);
    workspace.apply(Action::step);
    workspace.open(files.small.string());
    REQUIRE(window.frame(0.01));
    CHECK(workspace.theme() == Theme::light);
    CHECK(workspace.size() == 2);
    finish(window);
    CHECK(workspace.document(0).replay().size() >= 150'000);
    CHECK(workspace.document(1).readable());
    CHECK(workspace.document(0).selection().playhead == 100);
    CHECK(workspace.table());
}

TEST_CASE("a window can be closed while its file is being read", "[window]") {
    const TwoFiles files;
    for (int frames = 0; frames < 4; ++frames) {
        Window window(options_of(files.large));
        for (int i = 0; i < frames; ++i) CHECK(window.frame(0.01));
    }
}

TEST_CASE("a window reports in a sentence that a file is not a trace, or has no such event", "[window]") {
    const TwoFiles files;
    {
        Window window(options_of(files.folder / "none.json"));
        finish(window);
        CHECK_FALSE(window.workspace().document().readable());
        CHECK(window.workspace().document().error().find("none.json") != std::string::npos);
    }
    Options options = options_of(files.small);
    options.at = 1'000'000;
    Window window(options);
    finish(window);
    CHECK(window.workspace().document().readable());
    CHECK(window.workspace().said().find("--at: 1000000") != std::string::npos);
}

TEST_CASE("messages are green for live files, neutral for empty ones, red only for truncated or broken ones") {
    const Palette& colors = palette(Theme::dark);
    const Rect all{0, 0, 900, 600};
    const auto counts = [&](const std::filesystem::path& file) {
        std::vector<std::unique_ptr<Document>> documents;
        documents.push_back(std::make_unique<Document>(file));
        Stage stage(std::move(documents), options_of(file));
        const Picture picture = stage.draw();
        return std::pair(made::count_in(picture, all, colors.live), made::count_in(picture, all, colors.warning));
    };
    made::LiveFile file("fiberscope-live-window.json");
    auto [green, red] = counts(file.path);
    CHECK(green > 4000);
    CHECK(red == 0);
    file.write(made::LiveFile::head() + made::LiveFile::notes(0, 4) + made::LiveFile::mark(3));
    std::tie(green, red) = counts(file.path);
    CHECK(green > 4000);
    CHECK(red == 0);
    file.kill();
    std::tie(green, red) = counts(file.path);
    CHECK(green == 0);
    CHECK(red > 4000);
    const TwoFiles files;
    std::ofstream(files.large, std::ios::trunc) << "";
    std::tie(green, red) = counts(files.large);
    CHECK(green + red == 0);
    std::ofstream(files.large, std::ios::trunc) << "{}";
    std::tie(green, red) = counts(files.large);
    CHECK(green == 0);
    CHECK(red > 4000);
}
