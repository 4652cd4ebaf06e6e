// The recordings that can be opened: an overlay, or the start page if no file is open.
#pragma once

#include <string>
#include <vector>

#include "viewer/layout/page/offers.h"
#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

class OffersOverlay {
  public:
    void toggle() noexcept { open_ = !open_; }
    void close() noexcept { open_ = false; }
    bool open() const noexcept { return open_; }
    /// Each returns the clicked file, else nothing. This one then closes.
    std::string draw(const Style& style, Rect area, const std::vector<OfferGroup>& groups);
    /// Draws the start page of a window without a file in `area`.
    static std::string draw_welcome(const Style& style, Rect area, const std::vector<OfferGroup>& groups,
                                    const std::string& said);

  private:
    bool open_ = false;
};

}  // namespace fiberscope::viewer
