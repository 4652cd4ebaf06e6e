// The single table of actions, used for the keys of the window, the help, the palette and the tabs, so that these
// agree.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "languages/say.h"
#include "viewer/model/playback.h"

namespace fiberscope::viewer {

/// A key is identified by its position on the keyboard (`key`, a GLFW key) or by the character it types (`character`).
struct KeyBinding {
    Action action;
    int key = 0;                 ///< 0: not by position
    char32_t character = 0;      ///< 0: not by character
    bool repeats = false;        ///< repeats while held
    std::string_view label;      ///< as the help prints it
    Text help;                   ///< empty: another key for the action above
    bool control = false;        ///< together with Ctrl
    bool while_writing = false;  ///< also active in a text field, where all other keys are ignored
    Text tab = Text();           ///< text of its tab in the window; empty: no tab
};

std::span<const KeyBinding> key_bindings() noexcept;
/// The rows with help whose help or key contains every word of `text`, in this language or in English.
std::vector<const KeyBinding*> actions_named(std::string_view text, Language language);
/// The row of `action` that has its help.
const KeyBinding& row_of(Action action) noexcept;

/// The action of a key pressed without Alt or Super, with or without Ctrl; nothing if it is not bound, or if it is
/// input for a text field (`writes`).
std::optional<Action> action_of_key(int key, bool repeated, bool control = false, bool writes = false) noexcept;
/// The action of a typed character.
std::optional<Action> action_of_character(char32_t character) noexcept;

/// The action of the key with this label, as the help prints it, with "+" for the space: "o", "Ctrl+F", "Page+down".
std::optional<Action> action_of_label(std::string_view label) noexcept;

/// Mouse operations, for the help.
struct MouseLine {
    Text gesture, help;
};
std::span<const MouseLine> mouse_lines() noexcept;

}  // namespace fiberscope::viewer
