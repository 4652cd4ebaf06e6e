// What every SVG picture begins with: its background, the title, and the sentence at the playhead with why.
#pragma once

#include "viewer/layout/page/svg/svg.h"
#include "viewer/layout/page/svg/svg_writer.h"

namespace fiberscope::viewer {

/// Keeps the request, which must live as long.
class SvgPage : public SvgWriter {
  protected:
    static constexpr float kMargin = 0.8F, kHead = 6.0F;  // em

    explicit SvgPage(const SvgRequest& request);
    void begin();

    const SvgRequest& request_;
    const Palette& colors_;
    float em_;
};

}  // namespace fiberscope::viewer
