// Settings of the demo that made a recording; shown below the other panels.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>

#include "viewer/model/document.h"
#include "viewer/model/rerun/rerun.h"
#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {

class KnobsOverlay {
  public:
    /// Opens it for the demo of this recording, or closes it.
    void toggle(const Document& document, Language language);
    void close() noexcept { open_ = false; }
    bool open() const noexcept { return open_; }
    /// Takes room for it from the bottom of `area`, so that it covers no lane.
    void take_room(Rect& area, float em) { dock_.take_bottom(area, em); }
    Rect room() const noexcept { return dock_.room(); }
    /// Draws it there, after a run only the first line. A change runs the demo at once.
    void draw(const Style& style);
    /// Whether the demo runs.
    bool busy() const noexcept { return rerun_ != nullptr && rerun_->busy(); }
    /// The new recording, once it is complete.
    std::optional<std::filesystem::path> poll(Language language);
    /// Null until it was opened; for tests.
    Rerun* rerun() const noexcept { return rerun_.get(); }

  private:
    bool draw_all(const Style& style);
    bool draw_folded(const Style& style);
    void fold(bool folded);

    Dock dock_;
    bool open_ = false;
    bool folded_ = false;  ///< after a run, whose recording gets the room
    std::unique_ptr<Rerun> rerun_;
};

}  // namespace fiberscope::viewer
