// The painter's output, without a screen, and its comparison with OpenGL.
#include <imgui.h>

#include <cstdlib>
#include <functional>

#include "viewer/tests/stage/hands.h"
#include "viewer/window/display.h"
#include "viewer/window/painter.h"
#include "viewer/window/render.h"

#include <GL/gl.h>

using namespace fiberscope;
using namespace fiberscope::viewer;
using namespace fiberscope::viewer::tests;

namespace {

constexpr int kSide = 40;
constexpr Color kGround{10, 20, 30};

/// Renders what `draw` adds to a list.
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

TEST_CASE("the painter fills exactly the pixels whose centre a rectangle covers") {
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

TEST_CASE("the painter stays within the clip rectangle, however far a shape extends") {
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

TEST_CASE("the painter draws what OpenGL draws in a window", "[window]") {
    for (const char* name : {"04_mixed", "03_owners_2"}) {
        Options options;
        options.width = 1280;
        options.height = 720;
        options.files = {std::string(FIBERSCOPE_ROOT) + "/traces/samples/" + name + ".json"};
        Hands hands(options);
        const Picture picture = picture_of_frame(hands.workspace(), {});
        REQUIRE(picture.width == 1280);
        REQUIRE(picture.height == 720);
        std::vector<std::uint8_t> shown(picture.rgb.size());
        draw_lists(1280, 720, palette(hands.workspace().theme()).background);
        glReadPixels(0, 0, 1280, 720, GL_RGB, GL_UNSIGNED_BYTE, shown.data());
        std::size_t other = 0;
        for (int y = 0; y < 720; ++y)  // OpenGL counts rows from the bottom
            for (int i = 0; i < 1280 * 3; ++i)
                if (std::abs(picture.at(0, y)[i] - shown[static_cast<std::size_t>((719 - y) * 1280 * 3 + i)]) > 40)
                    ++other;
        CAPTURE(name, other);
        CHECK(other < picture.rgb.size() / 1500);
    }
}
