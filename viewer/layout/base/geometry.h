// Points and rectangles in pixels, y downwards; independent of any drawing library.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>

#include "languages/say.h"

namespace fiberscope::viewer {

struct Point {
    float x = 0, y = 0;
};

struct Rect {
    float x0 = 0, y0 = 0, x1 = 0, y1 = 0;

    float width() const noexcept { return x1 - x0; }
    float height() const noexcept { return y1 - y0; }
    float middle_x() const noexcept { return (x0 + x1) / 2; }
    float middle_y() const noexcept { return (y0 + y1) / 2; }
    bool empty() const noexcept { return x1 <= x0 || y1 <= y0; }
    bool contains(Point p) const noexcept { return p.x >= x0 && p.x < x1 && p.y >= y0 && p.y < y1; }
    Rect shrunk(float by) const noexcept { return {x0 + by, y0 + by, x1 - by, y1 - by}; }
};

/// Text measurement: `em` is the font height in pixels, `width` measures one line, `language` is the user's language.
/// The panels pass the measure of the real font, tests a fixed one.
struct Metrics {
    float em = 16;
    std::function<float(std::string_view)> width = [](std::string_view text) {
        return 9.0F * static_cast<float>(text.size());
    };
    Language language = Language::english;

    /// The text in the user's language.
    template <class... Values>
    std::string says(Text key, const Values&... values) const {
        return say(language, key, values...);
    }
};

}  // namespace fiberscope::viewer
