// Fonts and colours as ImGui wants them.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/base/look.h"

namespace fiberscope::viewer {

struct Fonts {
    std::string missing;  ///< if no font has some of the characters asked for: what to do, in a sentence
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
/// one. `texts` holds characters that must be there too (names of coroutines in any script): for those a system font is
/// looked for and joined. Forgets fonts that were loaded before; call it outside of a frame.
Fonts load_fonts(float em, std::string_view texts = {});

/// The measure of `font` for the layout.
Metrics metrics_of(const ImFont* font, float em);

}  // namespace fiberscope::viewer
