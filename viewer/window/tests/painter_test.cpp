// What the page's painter draws, without a screen; and that it draws what OpenGL does.
#include <imgui.h>

#include <cstdlib>
#include <functional>

#include "viewer/tests/stage/stage.h"
#include "viewer/window/painter.h"

using namespace fiberscope;
using namespace fiberscope::viewer;
using namespace fiberscope::viewer::tests;

namespace {

constexpr int kSide = 40;
constexpr Color kGround{10, 20, 30};

/// A picture of what `draw` puts into a list.
std::vector<std::uint32_t> painted(const std::function<void(ImDrawList&)>& draw) {
    ImGuiContext* before = ImGui::GetCurrentContext();
    ImGuiContext* context = ImGui::CreateContext();
    ImGui::SetCurrentContext(context);
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = {kSide, kSide};
    ImGui::GetIO().Fonts->Build();
    ImGui::NewFrame();
    draw(*ImGui::GetBackgroundDrawList());
    ImGui::Render();
    Painter painter;
    painter.paint(*ImGui::GetDrawData(), kSide, kSide, kGround);
    ImGui::DestroyContext(context);
    ImGui::SetCurrentContext(before);
    return painter.pixels();
}

std::uint32_t at(const std::vector<std::uint32_t>& pixels, int x, int y) {
    return pixels[static_cast<std::size_t>(y * kSide + x)];
}

}  // namespace

TEST_CASE("the painter fills just the pixels whose middle a rectangle covers") {
    const auto pixels = painted([](ImDrawList& list) { list.AddRectFilled({5.4F, 6}, {9.6F, 8}, IM_COL32_WHITE); });
    for (int y = 0; y < kSide; ++y)
        for (int x = 0; x < kSide; ++x) {
            CAPTURE(x, y);
            CHECK(at(pixels, x, y) == (x >= 5 && x < 10 && y >= 6 && y < 8 ? IM_COL32_WHITE : packed(kGround)));
        }
}

TEST_CASE("the painter draws no pixel twice where two triangles meet") {
    const auto pixels = painted([](ImDrawList& list) {
        list.Flags = ImDrawListFlags_None;
        list.AddTriangleFilled({3, 2}, {37, 7.3F}, {31, 38}, IM_COL32(200, 100, 50, 128));
        list.AddTriangleFilled({3, 2}, {31, 38}, {5, 29}, IM_COL32(200, 100, 50, 128));
    });
    const std::uint32_t half = IM_COL32(105, 60, 40, 255);
    std::size_t covered = 0;
    for (const std::uint32_t pixel : pixels) {
        CHECK((pixel == half || pixel == packed(kGround)));
        covered += pixel == half;
    }
    CHECK(covered > 800);
}

TEST_CASE("the painter keeps within what it may touch, however far a shape reaches") {
    const auto pixels = painted([](ImDrawList& list) {
        list.PushClipRect({10, 10}, {20, 20});
        list.AddRectFilled({-1e9F, -50}, {1e9F, 5000}, IM_COL32_WHITE);
        list.PopClipRect();
    });
    CHECK(at(pixels, 9, 15) == packed(kGround));
    CHECK(at(pixels, 10, 10) == IM_COL32_WHITE);
    CHECK(at(pixels, 19, 19) == IM_COL32_WHITE);
    CHECK(at(pixels, 20, 19) == packed(kGround));
}

TEST_CASE("the painter draws what OpenGL draws", "[screen]") {
    for (const char* name : {"04_mixed", "03_owners_2"}) {
        Options options;
        options.width = 1280;
        options.height = 720;
        options.files = {std::string(FIBERSCOPE_ROOT) + "/traces/samples/" + name + ".json"};
        Stage stage(open_documents(options), options);
        const Picture picture = stage.draw();
        Painter painter;
        painter.paint(*ImGui::GetDrawData(), 1280, 720, palette(options.theme).background);
        std::size_t other = 0;
        for (std::size_t i = 0; i < painter.pixels().size(); ++i)
            for (std::size_t channel = 0; channel < 3; ++channel) {
                const int mine = static_cast<int>((painter.pixels()[i] >> (8 * channel)) & 0xFFU);
                if (std::abs(mine - static_cast<int>(picture.rgb[3 * i + channel])) > 40) ++other;
            }
        CAPTURE(name, other);
        CHECK(other < painter.pixels().size() / 500);
    }
}
