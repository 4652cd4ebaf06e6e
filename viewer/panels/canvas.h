// Drawing in the project's own words: fills with patterns, chips with letters, texts that fit.
#pragma once

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
    /// A ground in the colour and pattern of a state.
    void fill_state(Rect r, trace::State state) const;
    void fill_look(Rect r, const Look& its) const;
    /// A small square with a state's colour, pattern and letter.
    void chip(Rect r, trace::State state) const;
    void chip(Rect r, const Look& its) const;
    /// Text with its upper left corner at `at`; cut with "…" at `max_width` pixels. Returns its width.
    float text(Point at, std::string_view text, Color color, const ImFont* font = nullptr,
               float max_width = 1e9F) const;
    /// Text in the middle of `r`, cut likewise.
    void text_in(Rect r, std::string_view text, Color color, const ImFont* font = nullptr) const;
    /// Text at the right end of `r`, cut likewise: numbers stand below each other.
    void text_at_right(Rect r, std::string_view text, Color color, const ImFont* font = nullptr) const;
    float text_width(std::string_view text, const ImFont* font = nullptr) const;
    /// The height at which text stands in the middle of `r`.
    float text_y(Rect r, const ImFont* font = nullptr) const;

  private:
    void pattern(Rect r, Pattern pattern, Color ink) const;
    ImDrawList* list_;
    const Style& style_;
};

/// Notes for tests that `text` was written in ImGui's window of this moment.
void note_written(const Style& style, Rect place, std::string_view text, bool cut);

/// The height in pixels at which a font was loaded.
float size_of(const ImFont* font) noexcept;

/// Opens a child window that covers `r`, with the ground of a panel and, unless empty, a heading. Returns the rectangle
/// left for its content. Must be followed by end_panel().
Rect begin_panel(const char* id, Rect r, const Style& style, std::string_view heading, ImGuiWindowFlags flags = 0);
void end_panel();

}  // namespace fiberscope::viewer
