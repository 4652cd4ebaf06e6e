// Drawing primitives: pattern fills, state chips with letters, fitted texts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "viewer/panels/style.h"

namespace fiberscope::viewer {

class Canvas {
  public:
    /// Draws into `list`, which must outlive it.
    Canvas(ImDrawList* list, const Style& style) : list_(list), style_(style) {}

    ImDrawList* list() const noexcept { return list_; }
    const Style& style() const noexcept { return style_; }

    void fill(Rect r, Color color, float rounding = 0) const;
    void frame(Rect r, Color color, float thickness = 1) const;
    void line(Point a, Point b, Color color, float thickness = 1) const;
    /// A background in the colour and pattern of a state.
    void fill_state(Rect r, trace::State state) const;
    void fill_look(Rect r, const Look& its) const;
    /// A small square with a state's colour, pattern and letter.
    void chip(Rect r, trace::State state) const;
    void chip(Rect r, const Look& its) const;
    /// Text with its upper left corner at `at`, truncated with "…" at `max_width` pixels. Returns its width.
    float text(Point at, std::string_view text, Color color, const ImFont* font = nullptr,
               float max_width = 1e9F) const;
    /// Text centred in `r`, truncated likewise.
    void text_in(Rect r, std::string_view text, Color color, const ImFont* font = nullptr) const;
    /// Text right-aligned in `r`, truncated likewise, for columns of numbers.
    void text_at_right(Rect r, std::string_view text, Color color, const ImFont* font = nullptr) const;
    float text_width(std::string_view text, const ImFont* font = nullptr) const;
    /// The y of text centred vertically in `r`.
    float text_y(Rect r, const ImFont* font = nullptr) const;

  private:
    void pattern(Rect r, Pattern pattern, Color ink) const;
    ImDrawList* list_;
    const Style& style_;
};

/// Records for tests that `text` was written in ImGui's current window.
void note_written(const Style& style, Rect place, std::string_view text, bool cut);

/// Height in pixels at which a font was loaded.
float size_of(const ImFont* font) noexcept;

/// "6 of 12", if not all rows of a list are visible; else empty.
std::string shown_of_all(const Style& style, std::size_t shown, std::size_t all);

/// Opens a child window that covers `r`, with a panel's background and, unless empty, a heading. Returns the area of
/// its content. Must be followed by end_panel().
Rect begin_panel(const char* id, Rect r, const Style& style, std::string_view heading, ImGuiWindowFlags flags = 0);
/// Draws a heading at the top of `r`, with `count` at its right end.
void draw_heading(const Canvas& canvas, Rect r, std::string_view heading, const std::string& count = {});
/// Height of a heading, em.
inline constexpr float kHeading = 1.4F;
void end_panel();

}  // namespace fiberscope::viewer
