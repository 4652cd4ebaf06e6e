// The one table of keys: the window obeys it and the help prints it, so that neither can say what the other does not.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "languages/say.h"
#include "viewer/model/playback.h"

namespace fiberscope::viewer {

/// A key is meant by its place on the keyboard (`key`, a GLFW key) or by the character it types (`character`).
struct KeyBinding {
    Action action;
    int key = 0;                 ///< 0: not by place
    char32_t character = 0;      ///< 0: not by character
    bool repeats = false;        ///< again and again while held
    std::string_view label;      ///< as the help prints it
    Text help;                   ///< empty: a further key for the action above
    bool control = false;        ///< together with Ctrl
    bool while_writing = false;  ///< while text is typed into a field, too; no other key does anything then
};

std::span<const KeyBinding> key_bindings() noexcept;

/// What a key pressed without Alt or Super does, with Ctrl or without; nothing if it is no key of ours, or
/// goes into the field into which one `writes`.
std::optional<Action> action_of_key(int key, bool repeated, bool control = false, bool writes = false) noexcept;
/// What a typed character does.
std::optional<Action> action_of_character(char32_t character) noexcept;

/// What the key with this label does, as the help prints it, with "+" for the space: "o", "Ctrl+F", "Page+down".
std::optional<Action> action_of_label(std::string_view label) noexcept;

/// What the mouse does, for the help.
struct MouseLine {
    Text gesture, help;
};
std::span<const MouseLine> mouse_lines() noexcept;

}  // namespace fiberscope::viewer
