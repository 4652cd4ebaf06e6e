#include "viewer/window/opening.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace fiberscope::viewer {
namespace {

/// Text height in a window of the default size, and in a small one.
constexpr float kText = 17, kSmallText = 15;

}  // namespace

Style style_for(const Options& options, float display, std::string_view texts) {
    const float scale = options.scale > 0 ? options.scale : display;
    const bool small =
        static_cast<float>(options.width) < 1400 * scale || static_cast<float>(options.height) < 800 * scale;
    Style style;
    style.theme = options.theme;
    style.em = std::round((small ? kSmallText : kText) * scale);
    style.language = can_draw(options.language) ? options.language : Language::english;
    style.fonts = load_fonts(style.em, texts, style.language);
    if (style.language != options.language)
        style.fonts.missing = say(style.language,
                                  "Shown in English, because no installed font has Chinese characters: install one, "
                                  "for instance the package fonts-noto-cjk.");
    return style;
}

std::string texts_of(const std::vector<std::unique_ptr<Document>>& documents) {
    std::string texts;
    for (const auto& document : documents)
        if (document->readable()) {
            texts += document->replay().trace().texts();
            texts += document->lecture().texts();
        }
    return texts;
}

namespace {

/// --at and --select must exist in the first file; in the others, side by side, they need not.
void check_places(const Options& options, const Document& document) {
    if (options.files.empty() || document.file() != std::filesystem::path(options.files.front())) return;
    const std::size_t size = document.replay().size(), coroutines = document.replay().coroutines();
    constexpr std::size_t kEnd = SIZE_MAX;
    if (options.at && *options.at != kEnd && *options.at > size)
        throw UsageError(say(options.language, "--at: {0} is out of range; {1} has {2} events: give 0 to {2}, or end.",
                             *options.at, document.title(), size));
    if (options.chosen && *options.chosen >= coroutines)
        throw UsageError(say(options.language, "--select: {0} is out of range; {1} has {2} coroutines: give 0 to {3}.",
                             *options.chosen, document.title(), coroutines, coroutines - 1));
}

}  // namespace

void put_places(const Options& options, Document& document) {
    if (!document.readable()) return;
    Selection& selection = document.selection();
    check_places(options, document);
    const std::size_t size = document.replay().size();
    if (options.at)
        selection.playhead = std::min(*options.at, size);
    else if (!options.render.empty())
        selection.playhead = (size + 1) / 2;  // a picture of the start has empty sets
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
    if (options.matrix) workspace.apply(Action::matrix);
    if (options.present) workspace.apply(Action::present);
    workspace.say({});  // clears the hint on how to end a presentation, since it was requested on the command line
    if (options.sets && *options.sets != workspace.sets()) workspace.apply(Action::sets);
    for (const Action action : options.press) {
        workspace.apply(action);
        workspace.settle();
    }
}

}  // namespace fiberscope::viewer
