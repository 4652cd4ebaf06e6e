// A text field with soft wrapping for a text without line breaks.
#pragma once

#include <string>
#include <string_view>

#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

/// Inserts a line break after a space, or between two Chinese characters, wherever a line of `text` would be wider than
/// `width`.
std::string broken_softly(const Metrics& metrics, float width, std::string_view text);
/// Removes these breaks; a typed break becomes a space.
std::string joined(std::string_view broken);

class TextBox {
  public:
    /// Draws it with the width of the window and `lines` lines, below its label. Returns whether `text` was changed.
    bool draw(const Style& style, const char* id, const std::string& label, int lines, std::string& text);
    /// Requests the keyboard focus.
    void focus() noexcept { focus_ = true; }

  private:
    std::string shown_;
    bool active_ = false, focus_ = false;
};

}  // namespace fiberscope::viewer
