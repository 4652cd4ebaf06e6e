// Fonts and colours as ImGui wants them.
#pragma once

#include <imgui.h>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/base/look.h"

namespace fiberscope::viewer {

struct Fonts {
    ImFont* text = nullptr;
    ImFont* bold = nullptr;
    ImFont* large = nullptr;
    ImFont* mono = nullptr;
};

struct Style {
    Theme theme = Theme::dark;
    float em = 16;  ///< height of Fonts::text, pixels
    Fonts fonts;

    const Palette& colors() const noexcept { return palette(theme); }
};

inline ImU32 packed(Color c) noexcept { return IM_COL32(c.r, c.g, c.b, c.a); }
inline ImVec2 vec(Point p) noexcept { return {p.x, p.y}; }

/// Sets ImGui's own colours and distances.
void apply_style(const Style& style);

/// Loads the fonts at `em` pixels: DejaVu Sans from the usual places, else what fontconfig finds, else the built-in
/// one. Call once, before the first frame.
Fonts load_fonts(float em);

/// The measure of `font` for the layout.
Metrics metrics_of(const ImFont* font, float em);

}  // namespace fiberscope::viewer
