// Draws ImGui's lists by the processor, as OpenGL would: for a picture, which needs no display, and for a page, since a
// browser need not have a graphics processor, and an emulated one takes some 15 ns for each pixel. Most of a picture
// are rectangles of one colour, which is as fast here as filling memory.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "viewer/layout/base/look.h"

struct ImDrawCmd;
struct ImDrawData;
struct ImDrawList;
struct ImDrawVert;

namespace fiberscope::viewer {

class Painter {
  public:
    /// Draws the lists over a ground of one colour. The only texture they may name is that of ImGui's letters.
    void paint(const ImDrawData& data, int width, int height, Color ground);
    /// What was painted last: rows from the top, pixels as packed() has them (in memory red, green, blue, 255).
    const std::vector<std::uint32_t>& pixels() const noexcept { return pixels_; }

  private:
    /// Red, green, blue, alpha, and the place in the texture of the letters, in points of it.
    using Values = std::array<float, 6>;
    struct Slopes;
    Values values(const ImDrawVert& corner) const noexcept;
    void command(const ImDrawList& list, const ImDrawCmd& command);
    void triangle(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c);
    void fill(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c);
    void write(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c);
    void shade(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c);
    template <class Fill>
    void rows(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, const Fill& fill);
    /// How much the texture of the letters covers at (u, v), between the four nearest of its points; 0 to 255.
    std::uint32_t coverage(int u, int v) const noexcept;
    std::uint32_t* row(int y) noexcept { return pixels_.data() + static_cast<std::ptrdiff_t>(y) * width_; }

    int width_ = 0;
    std::vector<std::uint32_t> pixels_;
    const unsigned char* letters_ = nullptr;  ///< of the atlas
    int letters_width_ = 0, letters_height_ = 0;
    int x0_ = 0, y0_ = 0, x1_ = 0, y1_ = 0;  ///< what the command may touch
};

}  // namespace fiberscope::viewer
