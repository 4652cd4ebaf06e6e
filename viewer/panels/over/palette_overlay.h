// Command palette: all actions with their keys, searchable; an overlay.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "viewer/model/keys.h"
#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

class PaletteOverlay {
  public:
    void toggle() noexcept {
        open_ = focus_ = !open_;
        text_[0] = 0;
        chosen_ = 0;
    }
    void close() noexcept { open_ = false; }
    bool open() const noexcept { return open_; }
    /// The text of the field.
    std::string_view text() const noexcept { return text_.data(); }
    /// Draws it at the top of `area`. Returns the action selected by Enter or a click, and closes then.
    std::optional<Action> draw(const Style& style, Rect area);

  private:
    /// Moves the selection with the arrow keys; returns whether it did.
    bool move_choice(std::size_t rows);
    std::optional<Action> draw_rows(const Style& style, const std::vector<const KeyBinding*>& rows, float height);

    bool open_ = false, focus_ = false;
    std::array<char, 128> text_{};
    std::size_t chosen_ = 0;
};

}  // namespace fiberscope::viewer
