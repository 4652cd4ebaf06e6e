// The lecture as it is edited: its notes in their order, and the one that is told.
#pragma once

#include "viewer/panels/over/lecture_player.h"
#include "viewer/panels/over/text_box.h"

namespace fiberscope::viewer {

class LecturePanel {
  public:
    LecturePanel(WindowState& state, LecturePlayer& telling) noexcept
        : state_(state), player_(telling), style_(state.style) {}

    /// Takes its room from `area`, on the right or, where that is too narrow, below; nothing if it is not open.
    Rect take_room(Rect& area) const;
    /// Draws it there. Whether a text has new characters, which the fonts may lack.
    bool draw(Rect area);
    /// Whether what is typed goes into a field soon.
    bool awaits_focus() const noexcept { return player_.recorded() || text_.awaits_focus(); }

  private:
    void draw_head(Lecture& lecture);
    void draw_list(Lecture& lecture, std::optional<std::size_t> now, float height);
    void draw_row(const Lecture& lecture, std::size_t n, bool now);
    /// The buttons that move note `n`, put it elsewhere, or delete it.
    void draw_deeds(Lecture& lecture, std::size_t n);
    bool draw_note(Lecture& lecture, std::size_t n);

    WindowState& state_;
    LecturePlayer& player_;
    const Style& style_;
    TextBox title_, question_, text_;
};

}  // namespace fiberscope::viewer
