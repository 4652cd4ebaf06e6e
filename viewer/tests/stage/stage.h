// Shared code of the picture tests: documents of generated traces, and counting pixels.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "viewer/tests/made/made_traces.h"
#include "viewer/tests/stage/approx.h"
#include "viewer/window/render.h"

namespace fiberscope::viewer::tests {

inline std::vector<std::unique_ptr<Document>> documents_of(std::initializer_list<std::string> texts) {
    std::vector<std::unique_ptr<Document>> documents;
    for (const std::string& text : texts) documents.push_back(std::make_unique<Document>(parsed(text)));
    return documents;
}

inline Color color_at(const Picture& picture, float x, float y) {
    const auto* pixel = picture.at(static_cast<int>(x), static_cast<int>(y));
    return {pixel[0], pixel[1], pixel[2]};
}

inline std::size_t count_in(const Picture& picture, Rect r, Color wanted) {
    std::size_t count = 0;
    for (int y = static_cast<int>(r.y0); y < static_cast<int>(r.y1); ++y)
        for (int x = static_cast<int>(r.x0); x < static_cast<int>(r.x1); ++x)
            if (color_at(picture, static_cast<float>(x), static_cast<float>(y)) == wanted) ++count;
    return count;
}

/// Number of pixels that are closer to `wanted` than to `ground`: text, whose edges are smooth.
inline std::size_t count_near(const Picture& picture, Rect r, Color wanted, Color ground) {
    const auto distance = [](Color a, Color b) {
        const int dr = a.r - b.r, dg = a.g - b.g, db = a.b - b.b;
        return dr * dr + dg * dg + db * db;
    };
    std::size_t count = 0;
    for (int y = static_cast<int>(r.y0); y < static_cast<int>(r.y1); ++y)
        for (int x = static_cast<int>(r.x0); x < static_cast<int>(r.x1); ++x)
            if (4 * distance(color_at(picture, static_cast<float>(x), static_cast<float>(y)), wanted) <
                distance(wanted, ground))
                ++count;
    return count;
}

}  // namespace fiberscope::viewer::tests
