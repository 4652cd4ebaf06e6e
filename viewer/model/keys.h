// The one table of actions: the window obeys its keys, and the help, the palette and the tabs are made of it, so that
// none can say what another does not.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

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
    Text tab = Text();           ///< the word of its tab in the window; empty: it has none
};

std::span<const KeyBinding> key_bindings() noexcept;
/// The rows with help that hold each word of `text`, in this language or in English, in their help or their key.
std::vector<const KeyBinding*> actions_named(std::string_view text, Language language);
/// The row of `action` that has its help.
const KeyBinding& row_of(Action action) noexcept;

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
