// Software renderer for ImGui's lists with the results of OpenGL: for pictures, which need no display, and for the
// browser, which may have no graphics processor (an emulated one takes about 15 ns per pixel). Most of a frame is
// rectangles of one colour, which are filled at memory speed.
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
    /// Draws the lists on a background of one colour. They must not use any texture except that of ImGui's glyphs.
    void paint(const ImDrawData& data, int width, int height, Color ground);
    /// The last frame: rows from the top, pixels as from packed() (in memory red, green, blue, 255).
    const std::vector<std::uint32_t>& pixels() const noexcept { return pixels_; }

  private:
    /// Red, green, blue, alpha, and the coordinates in the glyph texture in texels.
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
    /// Coverage of the glyph texture at (u, v), interpolated between the four nearest texels; 0 to 255.
    std::uint32_t coverage(int u, int v) const noexcept;
    std::uint32_t* row(int y) noexcept { return pixels_.data() + static_cast<std::ptrdiff_t>(y) * width_; }

    int width_ = 0;
    std::vector<std::uint32_t> pixels_;
    const unsigned char* letters_ = nullptr;  ///< of the atlas
    int letters_width_ = 0, letters_height_ = 0;
    int x0_ = 0, y0_ = 0, x1_ = 0, y1_ = 0;  ///< clip rectangle of the command
};

}  // namespace fiberscope::viewer
