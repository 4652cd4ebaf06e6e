// The field of the search, over the other panels.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "viewer/model/find/search.h"
#include "viewer/panels/canvas.h"
#include "viewer/panels/scene.h"

namespace fiberscope::viewer {

class SearchOverlay {
  public:
    void toggle() noexcept {
        open_ = !open_;
        focus_ = open_;
    }
    void close() noexcept { open_ = false; }
    bool open() const noexcept { return open_; }
    /// What the field holds.
    std::string_view text() const noexcept { return text_.data(); }
    /// Whether events are being looked through: another frame is wanted.
    bool counting() const noexcept { return open_ && !hits_.done(); }
    /// The trace is another one.
    void forget() noexcept { hits_.forget(); }
    /// Draws it at the top of `area`; Enter goes to the next event, Shift and Enter to the one before, a click on a
    /// name chooses.
    void draw(const Scene& scene, Rect area, Selection& selection);

  private:
    void go(const Scene& scene, Selection& selection, bool forward);
    std::string count(const Style& style, std::size_t playhead) const;
    void names(const Scene& scene, Selection& selection);

    bool open_ = false, focus_ = false;
    std::array<char, 128> text_{};
    EventHits hits_;
};

}  // namespace fiberscope::viewer
