// The recordings that can be opened: over the other panels, or alone where no file is open.
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
    /// Each returns the file that was clicked, else nothing. This one closes then.
    std::string draw(const Style& style, Rect area, const std::vector<OfferGroup>& groups);
    /// The view of a window without a file: in `area`, with what one can do.
    static std::string draw_welcome(const Style& style, Rect area, const std::vector<OfferGroup>& groups,
                                    const std::string& said);

  private:
    bool open_ = false;
};

}  // namespace fiberscope::viewer
