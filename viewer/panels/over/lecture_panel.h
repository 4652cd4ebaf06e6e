// The lecture editor: its list of notes, and the current one.
#pragma once

#include "viewer/panels/over/lecture_player.h"
#include "viewer/panels/over/text_box.h"

namespace fiberscope::viewer {

class LecturePanel {
  public:
    LecturePanel(WindowState& state, LecturePlayer& telling) noexcept
        : state_(state), player_(telling), style_(state.style) {}

    /// Takes its room from `area`, at the right or, if that is too narrow, below; empty if it is not open.
    Rect take_room(Rect& area) const;
    /// Draws it there. Returns whether a text has new characters, which the fonts may lack.
    bool draw(Rect area);

  private:
    void draw_head(Lecture& lecture);
    void draw_list(Lecture& lecture, std::optional<std::size_t> now, float height);
    void draw_row(const Lecture& lecture, std::size_t n, bool now);
    /// Buttons to move, relocate or delete note `n`.
    void draw_deeds(Lecture& lecture, std::size_t n);
    bool draw_note(Lecture& lecture, std::size_t n);

    WindowState& state_;
    LecturePlayer& player_;
    const Style& style_;
    TextBox title_, question_, text_;
};

}  // namespace fiberscope::viewer
