// The field of the search, over the other panels.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "viewer/model/find/search.h"
#include "viewer/panels/canvas.h"
#include "viewer/panels/scene.h"
#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {

class SearchOverlay {
  public:
    void toggle() noexcept {
        open_ = !open_;
        focus_ = open_;
        dock_.forget();
    }
    void close() noexcept { open_ = false; }
    bool open() const noexcept { return open_; }
    /// What the field holds.
    std::string_view text() const noexcept { return text_.data(); }
    /// Whether events are being looked through: another frame is wanted.
    bool counting() const noexcept { return open_ && !hits_.done(); }
    /// The trace is another one.
    void forget() noexcept { hits_.forget(); }
    /// Takes room for it at the top of `area`, so that it covers no sentence that it finds; where it was taken.
    void take_room(Rect& area, float em) { dock_.take_top(area, em); }
    Rect room() const noexcept { return dock_.room(); }
    /// Draws it there; Enter goes to the next event, Shift and Enter to the one before, a click on a
    /// name chooses.
    void draw(const Scene& scene, Selection& selection);

  private:
    void go(const Scene& scene, Selection& selection, bool forward);
    std::string count(const Style& style, std::size_t playhead) const;
    void names(const Scene& scene, Selection& selection);

    Dock dock_;
    bool open_ = false, focus_ = false;
    std::array<char, 128> text_{};
    EventHits hits_;
};

}  // namespace fiberscope::viewer
