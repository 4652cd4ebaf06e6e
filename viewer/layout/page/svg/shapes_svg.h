// Heaps and wheels in an SVG picture, as the panel of the sets draws them.
#pragma once

#include <string>

#include "viewer/layout/page/svg/svg_page.h"
#include "viewer/layout/sets/sets.h"

namespace fiberscope::viewer {

class ShapesSvg : protected SvgPage {
  protected:
    using SvgPage::SvgPage;

    /// Of text in the middle of `r`.
    float base(Rect r) const { return r.middle_y() + 0.35F * em_; }
    void centred(Rect r, const std::string& words, Color color);
    void title(Rect r, const std::string& name, const std::string& words);
    /// A member in its colour; returns the ink upon it.
    Color member(Rect r, std::uint32_t co, trace::State state, bool now);
    void heap(const HeapView& view);
    void wheel(const WheelView& view);
    /// The place that one has just left.
    void ghost(Rect r, const std::string& name);

  private:
    /// One of the two pictures of a place of a heap.
    Color place(Rect r, const HeapItem& item);
    void dial(const Dial& dial, bool now, float width);
    void ring(const WheelView& view);
};

}  // namespace fiberscope::viewer
