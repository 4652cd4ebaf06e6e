// A field of several lines for a text that has none: it is broken where there is no more room.
#pragma once

#include <string>
#include <string_view>

#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

/// `text` with a line break behind a space, or between two Chinese characters, wherever a line would be wider than
/// `width`.
std::string broken_softly(const Metrics& metrics, float width, std::string_view text);
/// Takes these breaks out again; a break that was typed becomes a space.
std::string joined(std::string_view broken);

class TextBox {
  public:
    /// Draws it as wide as the window and `lines` high, its label above. Whether `text` was changed.
    bool draw(const Style& style, const char* id, const std::string& label, int lines, std::string& text);
    /// The keyboard goes there.
    void focus() noexcept { awaited_ = kFrames; }
    /// Whether it goes there soon: what is typed meanwhile is no key of the viewer.
    bool awaits_focus() const noexcept { return awaited_ > 0; }

  private:
    /// ImGui needs two frames; without them the field is not drawn.
    static constexpr int kFrames = 3;
    std::string shown_;
    bool active_ = false;
    int awaited_ = 0;
};

}  // namespace fiberscope::viewer
