// ImGui's own widgets. Each notes its text, as Canvas::text does, so that a test sees whether it can be read.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "viewer/model/keys.h"
#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

/// Whether the left button went down in `r`, which no other window covers.
bool clicked(Rect r);
/// A button as wide as its label. `label` may end with "##" or "###" and an identifier, which is not shown.
bool button(const Style& style, const std::string& label);
/// A button of `size` pixels; without words if `label` begins with "##".
bool button(const Style& style, const std::string& label, ImVec2 size);
/// A button behind the last widget, or below it if there is no room.
bool button_behind(const Style& style, const std::string& label);
bool checkbox(const Style& style, const std::string& label, bool& value);
bool checkbox_behind(const Style& style, const std::string& label, bool& value);
/// A line of text; of less importance if `dim`.
void words(const Style& style, const std::string& text, bool dim = false);
/// The same behind the last widget, or below it if there is no room.
void words_behind(const Style& style, const std::string& text, bool dim = false);
/// Text in as many lines as it needs, `width` pixels wide; 0: as wide as there is room.
void paragraph(const Style& style, const std::string& text, Color color, float width = 0);
/// A list of which one is chosen, `width` pixels wide, and its label behind it.
void choice_of(const Style& style, const std::string& label, int& chosen, const std::vector<std::string>& all,
               float width);
/// A field for text as wide as the window, with a hint where it is empty. Whether Enter was pressed.
bool field(const Style& style, const char* id, const std::string& hint, std::array<char, 128>& text);
/// Gives the keyboard to the next item of the current window.
void focus_next_item();
/// Whether Dear ImGui keeps input for later frames: since 1.87 it handles about one key of a burst in each.
bool input_is_queued();
/// Whether a key goes down, or is held and repeats.
bool key_pressed(ImGuiKey key);
/// What the help says about an action, with its key, at the mouse.
void tooltip_of(const Style& style, const KeyBinding& row);
/// A field for a value, `width` pixels wide. Whether what was typed is final: Enter was pressed, or another widget is
/// used.
bool value_field(const Style& style, const std::string& id, std::string& text, float width);

/// A window over the panels, with its ground and a frame: `width` pixels for its content, `height` pixels high; 0: as
/// high as its content. Must be followed by ImGui::End().
void begin_over(const char* id, const Style& style, Point at, float width, float height = 0);

/// A strip above or below the panels that covers none of them, as high as its content has been.
class Dock {
  public:
    /// Takes the room for it from `area`, at its top or its bottom.
    void take_top(Rect& area, float em);
    void take_bottom(Rect& area, float em);
    /// Opens the window in that room. Must be followed by end().
    void begin(const char* id, const Style& style) const;
    void end();
    /// It is opened anew.
    void forget() noexcept { *this = {}; }
    Rect room() const noexcept { return room_; }

  private:
    float height(float em) const noexcept;
    Rect room_;
    float height_ = 0;
};

}  // namespace fiberscope::viewer
