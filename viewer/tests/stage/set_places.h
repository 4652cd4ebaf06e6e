// Whether all that a picture of sets shows has a place of its own.
#pragma once

#include <vector>

#include "testing/catch.h"
#include "viewer/layout/sets/sets.h"

namespace fiberscope::viewer::tests {

inline void add_places(const SetView& view, std::vector<Rect>& all) {
    for (const auto* boxes : {&view.boxes, &view.cells})
        for (const SetBox& box : *boxes) {
            all.push_back(box.rect);
            if (!box.below.empty()) all.push_back(box.below_rect);
        }
    if (const Dial& ring = view.ring; ring.radius > 0)
        all.push_back({ring.middle.x - ring.radius, ring.middle.y - ring.radius, ring.middle.x + ring.radius,
                       ring.middle.y + ring.radius});
    for (const WheelSlot& slot : view.slots) {
        all.push_back(slot.number_rect);
        if (!slot.more.empty()) all.push_back(slot.more_rect);
    }
    if (!view.more.empty()) all.push_back(view.more_rect);
    for (const SetGhost& ghost : view.ghosts)
        if (!ghost.word.empty()) all.push_back(ghost.rect);
}

/// Checks that nothing is drawn over anything else or outside of `area`.
inline void check_places(const Sets& sets, const Rect& area) {
    std::vector<Rect> all;
    for (const SetView& row : sets.queues) add_places(row, all);
    for (const auto* views : {&sets.trees, &sets.heaps, &sets.wheels})
        for (const SetView& view : *views) {
            all.push_back(view.title);
            add_places(view, all);
        }
    const auto inside = [&](const Rect& r) {
        return r.x0 >= area.x0 - 0.1F && r.x1 <= area.x1 + 0.1F && r.y0 >= area.y0 - 0.1F && r.y1 <= area.y1 + 0.1F;
    };
    const auto apart = [](const Rect& a, const Rect& b) {
        return a.x1 <= b.x0 + 0.1F || b.x1 <= a.x0 + 0.1F || a.y1 <= b.y0 + 0.1F || b.y1 <= a.y0 + 0.1F;
    };
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        wrong += inside(all[i]) ? 0 : 1;
        for (std::size_t j = i + 1; j < all.size(); ++j) wrong += apart(all[i], all[j]) ? 0 : 1;
    }
    CHECK(wrong == 0);
}

}  // namespace fiberscope::viewer::tests
