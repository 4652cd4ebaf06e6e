// Whether all that the window writes can be read: all samples, three sizes, two themes, two languages. The whole window
// is drawn, without a screen, and asked for every text.
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "testing/catch.h"
#include "viewer/panels/workspace.h"

using namespace fiberscope;
using namespace fiberscope::viewer;

namespace {

std::vector<std::filesystem::path> all_samples() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(FIBERSCOPE_ROOT "/traces/samples"))
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// A context of ImGui that draws nowhere.
class Nowhere {
  public:
    Nowhere() : context_(ImGui::CreateContext()) {
        ImGui::GetIO().IniFilename = nullptr;
        ImGui::GetIO().MousePos = {-1000, -1000};
    }
    ~Nowhere() { ImGui::DestroyContext(context_); }
    Nowhere(const Nowhere&) = delete;
    Nowhere& operator=(const Nowhere&) = delete;

    static void build_fonts() {
        unsigned char* pixels = nullptr;
        int width = 0, height = 0;
        ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
    }

    static void draw(Workspace& workspace, float width, float height) {
        ImGui::GetIO().DisplaySize = {width, height};
        ImGui::GetIO().DeltaTime = 0.02F;
        ImGui::NewFrame();
        workspace.draw(width, height, 0);
        ImGui::Render();
    }

  private:
    ImGuiContext* context_;
};

struct Look3 {
    int width, height;
    float em;
};
constexpr std::array kSizes{Look3{1280, 720, 15}, Look3{1600, 900, 17}, Look3{2560, 1440, 17}};

std::string place(const Written& text) {
    return " at " + std::to_string(static_cast<int>(text.rect.x0)) + "," +
           std::to_string(static_cast<int>(text.rect.y0));
}

/// Texts that are cut with an ellipsis, or by the edge of their panel.
void find_cut(const std::vector<Written>& all, std::map<std::string, std::string>& found, const std::string& where) {
    for (const Written& text : all) {
        const Rect r = text.rect, c = text.clip;
        if (r.x1 <= c.x0 || r.x0 >= c.x1 || r.y1 <= c.y0 || r.y0 >= c.y1) continue;  // scrolled away
        const float slack = 0.2F * (r.y1 - r.y0);
        if (text.cut) found.try_emplace("cut: " + text.text, where + place(text));
        if (r.x1 > c.x1 + slack || r.y1 > c.y1 + slack || r.y0 < c.y0 - slack)
            found.try_emplace("beyond its panel: " + text.text, where + place(text));
    }
}

Rect seen(const Written& text) {
    return {std::max(text.rect.x0, text.clip.x0), std::max(text.rect.y0, text.clip.y0),
            std::min(text.rect.x1, text.clip.x1), std::min(text.rect.y1, text.clip.y1)};
}

void find_overlaps(const std::vector<Written>& all, std::map<std::string, std::string>& found,
                   const std::string& where) {
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = i + 1; j < all.size(); ++j) {
            const Rect a = seen(all[i]), b = seen(all[j]);
            const float wide = std::min(a.x1, b.x1) - std::max(a.x0, b.x0),
                        high = std::min(a.y1, b.y1) - std::max(a.y0, b.y0);
            if (a.empty() || b.empty() || wide < 2 || high < 0.25F * std::min(a.height(), b.height())) continue;
            found.try_emplace("overlap: " + all[i].text + " / " + all[j].text, where + place(all[i]) + place(all[j]));
        }
}

}  // namespace

TEST_CASE("nothing is clipped and nothing overlaps: all samples, three sizes, two themes, two languages") {
    std::map<std::string, std::string> found;
    const Nowhere nowhere;
    for (const Language language : {Language::english, Language::chinese})
        for (const Look3& size : kSizes) {
            std::vector<Written> written;
            Style style;
            style.em = size.em;
            style.language = language;
            style.fonts = load_fonts(style.em, {}, language);
            style.written = &written;
            Nowhere::build_fonts();
            for (const auto& file : all_samples())
                for (const Theme theme : {Theme::dark, Theme::light}) {
                    style.theme = theme;
                    std::vector<std::unique_ptr<Document>> documents;
                    documents.push_back(std::make_unique<Document>(file));
                    Workspace workspace(std::move(documents), style);
                    Document& document = workspace.document();
                    for (const std::size_t part : {1U, 2U, 3U}) {
                        document.selection().playhead = document.replay().size() * part / 3;
                        document.sync();
                        for (int settle = 0; settle < 3; ++settle) {
                            written.clear();
                            Nowhere::draw(workspace, static_cast<float>(size.width), static_cast<float>(size.height));
                        }
                        const std::string where = file.stem().string() + " " + std::to_string(size.width) + " " +
                                                  std::to_string(document.selection().playhead);
                        find_cut(written, found, where);
                        find_overlaps(written, found, where);
                    }
                }
        }
    std::string all;
    for (const auto& [what, where] : found) all += what + "  (" + where + ")\n";
    INFO(all);
    CHECK(found.empty());
}
