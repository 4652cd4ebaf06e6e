// Wrappers of ImGui's widgets. Each records its text, as Canvas::text does, for readability tests.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "viewer/model/keys.h"
#include "viewer/panels/canvas.h"

namespace fiberscope::viewer {

/// Whether the left button was pressed in `r`, if no other window covers it.
bool clicked(Rect r);
/// A button as wide as its label. `label` may end with "##" or "###" and an identifier, which is not shown.
bool button(const Style& style, const std::string& label);
/// A button of `size` pixels; without text if `label` begins with "##".
bool button(const Style& style, const std::string& label, ImVec2 size);
/// A button after the last widget, or below it if there is no room.
bool button_behind(const Style& style, const std::string& label);
bool checkbox(const Style& style, const std::string& label, bool& value);
bool checkbox_behind(const Style& style, const std::string& label, bool& value);
/// A line of text; `dim`: secondary.
void words(const Style& style, const std::string& text, bool dim = false);
/// The same after the last widget, or below it if there is no room.
void words_behind(const Style& style, const std::string& text, bool dim = false);
/// Wrapped text, `width` pixels wide; 0: all available width.
void paragraph(const Style& style, const std::string& text, Color color, float width = 0);
/// A selection list, `width` pixels wide, with its label after it.
void choice_of(const Style& style, const std::string& label, int& chosen, const std::vector<std::string>& all,
               float width);
/// A text field as wide as the window, with a hint while it is empty. Returns whether Enter was pressed.
bool field(const Style& style, const char* id, const std::string& hint, std::array<char, 128>& text);
/// Moves the keyboard focus to the next item of the current window.
void focus_next_item();
/// Whether a text field has the focus, or was clicked in the last frame.
bool takes_text();
/// Whether focus_next_item() was called in one of the last frames and no text field has the focus yet.
bool awaits_focus();
/// For a new Dear ImGui context, which counts its frames from 0.
void forget_focus();
/// Whether Dear ImGui has queued input: since 1.87 it handles about one key of a burst per frame.
bool input_is_queued();
/// Whether a key was pressed, or repeats while held.
bool key_pressed(ImGuiKey key);
/// Tooltip of an action: its help and key.
void tooltip_of(const Style& style, const KeyBinding& row);
/// A field for a value, `width` pixels wide. Returns whether the value is final: Enter was pressed, or the field lost
/// the focus.
bool value_field(const Style& style, const std::string& id, std::string& text, float width);

/// A framed window over the panels: `width` pixels for its content, `height` pixels high; 0: the height of its content.
/// Must be followed by ImGui::End().
void begin_over(const char* id, const Style& style, Point at, float width, float height = 0);

/// A strip above or below the panels that covers none of them, with the height of its content in the last frame.
class Dock {
  public:
    /// Takes its room from the top or the bottom of `area`.
    void take_top(Rect& area, float em);
    void take_bottom(Rect& area, float em);
    /// Opens the window in that room. Must be followed by end().
    void begin(const char* id, const Style& style) const;
    void end();
    /// Resets the height when it is reopened.
    void forget() noexcept { *this = {}; }
    Rect room() const noexcept { return room_; }

  private:
    float height(float em) const noexcept;
    Rect room_;
    float height_ = 0;
};

}  // namespace fiberscope::viewer
