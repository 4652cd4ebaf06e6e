#include "viewer/tests/stage/reader.h"

#include <algorithm>

#include "testing/sanitized.h"

namespace fiberscope::viewer::tests {
namespace {

using Found = std::map<std::string, std::string>;

std::string place(const Written& text) {
    return " at " + std::to_string(static_cast<int>(text.rect.x0)) + "," +
           std::to_string(static_cast<int>(text.rect.y0));
}

Rect seen(const Written& text) {
    return {std::max(text.rect.x0, text.clip.x0), std::max(text.rect.y0, text.clip.y0),
            std::min(text.rect.x1, text.clip.x1), std::min(text.rect.y1, text.clip.y1)};
}

/// Finds texts truncated with an ellipsis, or clipped by the edge of their panel.
void find_cut(const std::vector<Written>& all, Found& found, const std::string& where) {
    for (const Written& text : all) {
        const Rect r = text.rect, c = text.clip;
        const std::string words = text.window + ": " + text.text;
        const bool outside = r.x1 <= c.x0 || r.x0 >= c.x1 || r.y1 <= c.y0 || r.y0 >= c.y1;
        if (outside && text.scrolls) continue;
        if (outside) found.try_emplace("outside: " + words, where + place(text));
        if (outside) continue;
        const float slack = 0.2F * (r.y1 - r.y0);
        if (text.cut) found.try_emplace("cut: " + words, where + place(text));
        const bool below = r.y1 > c.y1 + slack || r.y0 < c.y0 - slack;
        if (text.scrolls) continue;
        if (r.x1 > c.x1 + slack || below) found.try_emplace("beyond its panel: " + words, where + place(text));
    }
}

/// The visible part of a text; `written` must outlive it.
struct Seen {
    Rect rect;
    const Written* written;
};

/// Sorted from the top: a text can overlap only those that begin above its end.
std::vector<Seen> from_top(const std::vector<Written>& all) {
    std::vector<Seen> rows;
    for (const Written& text : all)
        if (const Rect rect = seen(text); !rect.empty()) rows.push_back({rect, &text});
    std::stable_sort(rows.begin(), rows.end(), [](const Seen& a, const Seen& b) { return a.rect.y0 < b.rect.y0; });
    return rows;
}

bool overlap(const Rect& a, const Rect& b) {
    const float wide = std::min(a.x1, b.x1) - std::max(a.x0, b.x0), high = std::min(a.y1, b.y1) - std::max(a.y0, b.y0);
    return wide >= 2 && high >= 0.25F * std::min(a.height(), b.height());
}

void find_overlaps(const std::vector<Written>& all, Found& found, const std::string& where) {
    const std::vector<Seen> rows = from_top(all);
    for (auto a = rows.begin(); a != rows.end(); ++a)
        for (auto b = a + 1; b != rows.end() && b->rect.y0 < a->rect.y1; ++b) {
            if (!overlap(a->rect, b->rect)) continue;
            if (a->written->window != b->written->window) continue;  // overlays hide the panels
            found.try_emplace("overlap: " + a->written->text + " / " + b->written->text,
                              where + place(*a->written) + place(*b->written));
        }
}

/// Without a font for Chinese, makes each of its characters as wide as high, as in all such fonts.
void widen_chinese(ImFont* font) {
#if IMGUI_VERSION_NUM < 19200
    constexpr int kFirst = 0x2E80, kEnd = 0x10000;
    if (font->FindGlyphNoFallback(0x7684) != nullptr) return;
    while (font->IndexAdvanceX.Size < kEnd) font->IndexAdvanceX.push_back(font->FallbackAdvanceX);
    while (font->IndexLookup.Size < kEnd) font->IndexLookup.push_back(static_cast<ImWchar>(-1));
    for (int c = kFirst; c < kEnd; ++c) font->IndexAdvanceX[c] = font->FontSize;
#else
    (void)font;
#endif
}

ImFontAtlas& shared_atlas() {
    static ImFontAtlas atlas;
    return atlas;
}

}  // namespace

std::filesystem::path sample(std::string_view name) {
    return std::filesystem::path(FIBERSCOPE_ROOT "/traces/samples") / (std::string(name) + ".json");
}

std::vector<std::filesystem::path> all_samples() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(FIBERSCOPE_ROOT "/traces/samples"))
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

Reader::Reader(Language language, Screenful screen)
    : atlas_(shared_atlas()), context_(ImGui::CreateContext(&atlas_)), screen_(screen) {
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().MousePos = {-1000, -1000};
    style_.em = screen.em;
    style_.language = language;
    style_.fonts = load_fonts(style_.em, {}, language);
    style_.written = &written_;
    load();
}

Reader::~Reader() { ImGui::DestroyContext(context_); }

void Reader::load() {
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);  // no colours needed
    if (style_.language == Language::chinese)
        for (ImFont* font : ImGui::GetIO().Fonts->Fonts) widen_chinese(font);
}

std::unique_ptr<Workspace> Reader::open(const std::vector<std::filesystem::path>& files) {
    std::vector<std::unique_ptr<Document>> documents;
    for (const auto& file : files) documents.push_back(std::make_unique<Document>(file));
    return std::make_unique<Workspace>(std::move(documents), style_);
}

void Reader::draw(Workspace& workspace) {
    if (workspace.renew_fonts(static_cast<float>(screen_.width), static_cast<float>(screen_.height))) load();
    const auto width = static_cast<float>(screen_.width), height = static_cast<float>(screen_.height);
    ImGui::GetIO().DisplaySize = {width, height};
    ImGui::GetIO().DeltaTime = 0.02F;
    written_.clear();
    ImGui::NewFrame();
    workspace.draw(width, height, 0);
    ImGui::Render();
}

void Reader::look(Workspace& workspace, const std::string& where, Found& found) {
    if (looks_++ % fiberscope::testing::kStride != 0) return draw(workspace);
    for (int settle = 0; settle < 3; ++settle) draw(workspace);
    const std::string all = where + " " + std::to_string(screen_.width) + "x" + std::to_string(screen_.height) +
                            (style_.language == Language::chinese ? " zh" : "");
    find_cut(written_, found, all);
    find_overlaps(written_, found, all);
}

void Reader::look(Workspace& workspace) {
    Found ignored;
    look(workspace, "", ignored);
}

bool Reader::says(std::string_view words) const {
    return std::any_of(written_.begin(), written_.end(),
                       [&](const Written& text) { return text.text.find(words) != std::string::npos; });
}

Drawn::Drawn(std::span<const char* const> samples, Screenful screen, Language language) : reader(language, screen) {
    std::vector<std::filesystem::path> files;
    for (const char* name : samples) files.push_back(sample(name));
    workspace = reader.open(files);
}

std::string in_lines(const Found& found) {
    std::string all;
    for (const auto& [what, where] : found) all += what + "  (" + where + ")\n";
    return all;
}

}  // namespace fiberscope::viewer::tests
