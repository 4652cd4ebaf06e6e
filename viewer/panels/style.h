// Fonts and colours as ImGui wants them.
#pragma once

#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

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

/// Text that was written, for tests that look whether it can be read.
struct Written {
    Rect rect, clip;
    std::string text;      ///< whole
    bool cut = false;      ///< only a part of it was drawn
    std::string window;    ///< the name of ImGui's window; what lies over the panels has one of its own
    bool scrolls = false;  ///< that window has more than is seen
};

struct Style {
    Theme theme = Theme::dark;
    float em = 16;  ///< height of Fonts::text, pixels
    Fonts fonts;
    std::vector<Written>* written = nullptr;  ///< where to note all text that is drawn; null: nowhere
    Language language = Language::english;

    /// The text in the reader's language.
    template <class... Values>
    std::string says(Text key, const Values&... values) const {
        return say(language, key, values...);
    }
    const Palette& colors() const noexcept { return palette(theme); }
};

inline ImU32 packed(Color c) noexcept { return IM_COL32(c.r, c.g, c.b, c.a); }
inline ImVec2 vec(Point p) noexcept { return {p.x, p.y}; }

/// Sets ImGui's own colours and distances.
void apply_style(const Style& style);

/// Whether the system has fonts for the viewer's own texts in a language. If not, a window speaks English, so that the
/// line that says which package has one can be read.
bool can_draw(Language language);

/// Loads the fonts at `em` pixels: DejaVu Sans from the usual places, else what fontconfig finds, else the built-in
/// one. `texts` holds characters that must be there too (names of coroutines in any script): for those a system font is
/// looked for and joined; so it is for the texts of `language`. Forgets fonts that were loaded before, unless they are
/// for the same; call it outside of a frame. Fonts::mono has `mono_part` of the height.
Fonts load_fonts(float em, std::string_view texts = {}, Language language = Language::english, float mono_part = 0.9F);

/// The measure of Fonts::text for the layout, with the language.
Metrics metrics_of(const Style& style);

}  // namespace fiberscope::viewer
