// The search field; an overlay.
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
    /// The text of the field.
    std::string_view text() const noexcept { return text_.data(); }
    /// Whether a search is in progress, which needs another frame.
    bool counting() const noexcept { return open_ && !hits_.done(); }
    /// Called when the trace has changed.
    void forget() noexcept { hits_.forget(); }
    /// Takes room for it from the top of `area`, so that it covers no sentence.
    void take_room(Rect& area, float em) { dock_.take_top(area, em); }
    Rect room() const noexcept { return dock_.room(); }
    /// Draws it there. Enter goes to the next event, Shift+Enter to the previous one; a click on a name selects the
    /// coroutine.
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
