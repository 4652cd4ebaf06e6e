// Fonts and colours for ImGui.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/base/look.h"

namespace fiberscope::viewer {

struct Fonts {
    std::string missing;  ///< what to do if no font has some of the requested characters; else empty
    ImFont* text = nullptr;
    ImFont* bold = nullptr;
    ImFont* large = nullptr;
    ImFont* mono = nullptr;
};

/// A text that was drawn, for readability tests.
struct Written {
    Rect rect, clip;
    std::string text;      ///< whole
    bool cut = false;      ///< only a part of it was drawn
    std::string window;    ///< name of ImGui's window; overlays have their own
    bool scrolls = false;  ///< that window has more than its visible content
};

struct Style {
    Theme theme = Theme::dark;
    float em = 16;  ///< height of Fonts::text, pixels
    Fonts fonts;
    std::vector<Written>* written = nullptr;  ///< records all drawn texts; may be null
    Language language = Language::english;

    /// The text in the user's language.
    template <class... Values>
    std::string says(Text key, const Values&... values) const {
        return say(language, key, values...);
    }
    const Palette& colors() const noexcept { return palette(theme); }
};

inline ImU32 packed(Color c) noexcept { return IM_COL32(c.r, c.g, c.b, c.a); }
inline ImVec2 vec(Point p) noexcept { return {p.x, p.y}; }

/// Sets ImGui's own colours and spacing.
void apply_style(const Style& style);

/// Whether the system has fonts for the viewer's texts in a language. If not, the window uses English, so that its
/// message about the missing package is readable.
bool can_draw(Language language);

/// Loads the fonts at `em` pixels: DejaVu Sans from its usual directories, else a font found by fontconfig, else the
/// built-in one. For other characters in `texts` (names of coroutines in any script) and in the texts of `language`,
/// merges a system font. Unloads the previous fonts unless they are the same; must not be called within a frame.
/// `mono_part` is the relative height of Fonts::mono.
Fonts load_fonts(float em, std::string_view texts = {}, Language language = Language::english, float mono_part = 0.9F);

/// Measures Fonts::text for the layout; includes the language.
Metrics metrics_of(const Style& style);

}  // namespace fiberscope::viewer
