#include "viewer/window/painter.h"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "viewer/panels/style.h"

namespace fiberscope::viewer {
namespace {

constexpr std::uint32_t kOpaque = 0xFF000000;

/// Bytes per texel of the glyph texture, of which the last is the coverage. If a format other than that of a window is
/// requested, ImGui 1.92 rebuilds all glyphs.
constexpr int kPoint = IMGUI_VERSION_NUM < 19200 ? 1 : 4;

/// Blends `over` on `under`, both packed, with `alpha` of 255.
std::uint32_t blended(std::uint32_t under, std::uint32_t over, std::uint32_t alpha) noexcept {
    constexpr std::uint32_t kPairs = 0x00FF00FF, kHalf = 0x00800080;  // two channels at once, 16 bits each
    const std::uint32_t rest = 255 - alpha;
    std::uint32_t even = (over & kPairs) * alpha + (under & kPairs) * rest + kHalf;
    std::uint32_t odd = ((over >> 8U) & kPairs) * alpha + ((under >> 8U) & kPairs) * rest + kHalf;
    even = ((even + ((even >> 8U) & kPairs)) >> 8U) & kPairs;
    odd = (odd + ((odd >> 8U) & kPairs)) & ~kPairs;
    return even | odd | kOpaque;
}

/// The first pixel whose centre is at or after `at`.
int pixel_from(float at) noexcept {
    constexpr float kFar = 1e6F;  // shapes may begin far outside
    return static_cast<int>(std::ceil(std::clamp(at, -kFar, kFar) - 0.5F));
}

/// The x at which the edge crosses the middle of row `y`; the same for both triangles of an edge.
float crossing(const ImVec2& upper, const ImVec2& lower, int y) noexcept {
    return upper.x + (static_cast<float>(y) + 0.5F - upper.y) * (lower.x - upper.x) / (lower.y - upper.y);
}

float channel(ImU32 color, unsigned shift) noexcept { return static_cast<float>((color >> shift) & 0xFFU); }

std::uint32_t byte(float value) noexcept { return static_cast<std::uint32_t>(std::clamp(value, 0.0F, 255.0F) + 0.5F); }

/// Scales an alpha of 255 by `of_255` / 255.
std::uint32_t part(std::uint32_t alpha, std::uint32_t of_255) noexcept { return (alpha * of_255 + 127) / 255; }

/// A texture coordinate in texels as 16.16 fixed point.
int fixed(float at) noexcept {
    constexpr float kFar = 16383;  // texels, more than a texture has
    return static_cast<int>(std::floor(std::clamp(at, -kFar, kFar) * 65536 + 0.5F));
}

}  // namespace

/// Linear interpolation of the values in a triangle.
struct Painter::Slopes {
    Values at, right{}, down{};
    ImVec2 origin;

    Slopes(const Painter& painter, const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c)
        : at(painter.values(a)), origin(a.pos) {
        const float bx = b.pos.x - a.pos.x, by = b.pos.y - a.pos.y, cx = c.pos.x - a.pos.x, cy = c.pos.y - a.pos.y;
        const float area = bx * cy - by * cx;
        if (area == 0) return;
        const Values to_b = painter.values(b), to_c = painter.values(c);
        for (std::size_t i = 0; i < at.size(); ++i) {
            const float along_b = to_b[i] - at[i], along_c = to_c[i] - at[i];
            right[i] = (along_b * cy - along_c * by) / area;
            down[i] = (along_c * bx - along_b * cx) / area;
        }
    }
    /// At the centre of a pixel.
    Values in(int x, int y) const noexcept {
        const float dx = static_cast<float>(x) + 0.5F - origin.x, dy = static_cast<float>(y) + 0.5F - origin.y;
        Values out{};
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = at[i] + right[i] * dx + down[i] * dy;
        return out;
    }
};

void Painter::paint(const ImDrawData& data, int width, int height, Color ground) {
    unsigned char* letters = nullptr;
    ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
    if constexpr (kPoint == 1)
        atlas.GetTexDataAsAlpha8(&letters, &letters_width_, &letters_height_);
    else
        atlas.GetTexDataAsRGBA32(&letters, &letters_width_, &letters_height_);
    letters_ = letters + kPoint - 1;
    width_ = width;
    pixels_.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height), packed(ground));
    for (int i = 0; i < data.CmdListsCount; ++i)
        for (const ImDrawCmd& its : data.CmdLists[i]->CmdBuffer) {
            x0_ = std::max(0, static_cast<int>(its.ClipRect.x));
            y0_ = std::max(0, static_cast<int>(its.ClipRect.y));
            x1_ = std::min(width, static_cast<int>(its.ClipRect.z));
            y1_ = std::min(height, static_cast<int>(its.ClipRect.w));
            command(*data.CmdLists[i], its);
        }
}

void Painter::command(const ImDrawList& list, const ImDrawCmd& command) {
    const ImDrawVert* corners = list.VtxBuffer.Data + command.VtxOffset;
    const ImDrawIdx* index = list.IdxBuffer.Data + command.IdxOffset;
    for (unsigned i = 0; i + 2 < command.ElemCount; i += 3)
        triangle(corners[index[i]], corners[index[i + 1]], corners[index[i + 2]]);
}

Painter::Values Painter::values(const ImDrawVert& corner) const noexcept {
    return {channel(corner.col, 0),
            channel(corner.col, 8),
            channel(corner.col, 16),
            channel(corner.col, 24),
            corner.uv.x * static_cast<float>(letters_width_) - 0.5F,
            corner.uv.y * static_cast<float>(letters_height_) - 0.5F};
}

std::uint32_t Painter::coverage(int u, int v) const noexcept {
    const int left = std::clamp(u >> 16, 0, letters_width_ - 2), top = std::clamp(v >> 16, 0, letters_height_ - 2);
    const int right = (u >> 8) & 0xFF, down = (v >> 8) & 0xFF;  // of 256
    const unsigned char* at = letters_ + (static_cast<std::ptrdiff_t>(top) * letters_width_ + left) * kPoint;
    const unsigned char* below = at + static_cast<std::ptrdiff_t>(letters_width_) * kPoint;
    const int upper = (at[0] << 8) + (at[kPoint] - at[0]) * right,
              lower = (below[0] << 8) + (below[kPoint] - below[0]) * right;
    return static_cast<std::uint32_t>((upper << 8) + (lower - upper) * down + 0x8000) >> 16U;
}

/// Calls `fill` with y, the first pixel and the end of each row whose centre is within the triangle.
template <class Fill>
void Painter::rows(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, const Fill& fill) {
    std::array<ImVec2, 3> p{a.pos, b.pos, c.pos};
    std::sort(p.begin(), p.end(), [](const ImVec2& l, const ImVec2& r) { return l.y < r.y; });
    const int end = std::min(y1_, pixel_from(p[2].y));
    for (int y = std::max(y0_, pixel_from(p[0].y)); y < end; ++y) {
        const bool above = static_cast<float>(y) + 0.5F < p[1].y;
        const float one = crossing(p[0], p[2], y), other = above ? crossing(p[0], p[1], y) : crossing(p[1], p[2], y);
        const int from = std::max(x0_, pixel_from(std::min(one, other)));
        const int to = std::min(x1_, pixel_from(std::max(one, other)));
        if (from < to) fill(y, from, to);
    }
}

void Painter::triangle(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c) {
    if (a.col != b.col || a.col != c.col)
        shade(a, b, c);
    else if (a.uv.x != b.uv.x || a.uv.x != c.uv.x || a.uv.y != b.uv.y || a.uv.y != c.uv.y)
        write(a, b, c);
    else
        fill(a, b, c);
}

/// Solid colour.
void Painter::fill(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c) {
    const Values its = values(a);
    const std::uint32_t color = a.col | kOpaque, alpha = part(a.col >> 24U, coverage(fixed(its[4]), fixed(its[5])));
    if (alpha == 255)
        rows(a, b, c, [&](int y, int from, int to) { std::fill(row(y) + from, row(y) + to, color); });
    else if (alpha > 0)
        rows(a, b, c, [&](int y, int from, int to) {
            for (std::uint32_t* at = row(y) + from; at != row(y) + to; ++at) *at = blended(*at, color, alpha);
        });
}

/// A part of a glyph in one colour.
void Painter::write(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c) {
    const Slopes slopes(*this, a, b, c);
    const auto across = static_cast<unsigned>(fixed(slopes.right[4])),
               down = static_cast<unsigned>(fixed(slopes.right[5]));
    rows(a, b, c, [&](int y, int from, int to) {
        const Values begin = slopes.in(from, y);
        auto u = static_cast<unsigned>(fixed(begin[4])), v = static_cast<unsigned>(fixed(begin[5]));  // may wrap
        for (std::uint32_t* at = row(y) + from; at != row(y) + to; ++at, u += across, v += down)
            if (const std::uint32_t covered = coverage(static_cast<int>(u), static_cast<int>(v)); covered > 0)
                *at = blended(*at, a.col, part(a.col >> 24U, covered));
    });
}

/// A colour gradient, usually an antialiased edge.
void Painter::shade(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c) {
    const Slopes slopes(*this, a, b, c);
    rows(a, b, c, [&](int y, int from, int to) {
        Values now = slopes.in(from, y);
        for (std::uint32_t* at = row(y) + from; at != row(y) + to; ++at) {
            const std::uint32_t color = byte(now[0]) | byte(now[1]) << 8U | byte(now[2]) << 16U;
            *at = blended(*at, color, part(byte(now[3]), coverage(fixed(now[4]), fixed(now[5]))));
            for (std::size_t i = 0; i < now.size(); ++i) now[i] += slopes.right[i];
        }
    });
}

}  // namespace fiberscope::viewer
