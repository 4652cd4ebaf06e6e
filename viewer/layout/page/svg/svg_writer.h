// Writes the elements of an SVG picture.
#pragma once

#include <string>
#include <string_view>

#include "viewer/layout/base/geometry.h"
#include "viewer/layout/base/look.h"

namespace fiberscope::viewer {

/// A letter is 0.6 em wide: fonts of those programs that show the picture differ.
Metrics rough_metrics(float em, Language language = Language::english);

/// "#d54e00".
std::string svg_color(Color c);

class SvgWriter {
  public:
    SvgWriter(float width, float height, float em);
    void rect(Rect r, Color fill, const std::string& more = "");
    void line(Point a, Point b, Color color, float width, const std::string& more = "");
    void text(Point at, std::string_view words, Color color, const std::string& more = "");
    /// `fill` and `stroke` as SVG has colours: "none", or svg_color().
    void circle(Point middle, float radius, const std::string& fill, const std::string& stroke);
    /// The head of an arrow that points from y0 to y1, at (x, y1).
    void head(float x, float y0, float y1, float size, Color color);
    std::string finished() const { return out_ + "</svg>\n"; }

  private:
    std::string out_;
};

}  // namespace fiberscope::viewer
