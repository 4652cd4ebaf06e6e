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
    /// The keyboard goes there, once the key that was pressed now has been typed.
    void focus() noexcept { focus_ = kFrames; }

  private:
    static constexpr int kFrames = 3;
    std::string shown_;
    bool active_ = false;
    int focus_ = 0;
};

}  // namespace fiberscope::viewer
