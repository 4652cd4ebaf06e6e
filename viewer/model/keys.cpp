#include "viewer/model/keys.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace fiberscope::viewer {
namespace {

constexpr std::array kBindings{
    KeyBinding{Action::play_pause, GLFW_KEY_SPACE, 0, false, "Space", "play, pause"},
    KeyBinding{Action::step, GLFW_KEY_RIGHT, 0, true, "→", "step to the next event"},
    KeyBinding{Action::step_back, GLFW_KEY_LEFT, 0, true, "←", "step back"},
    KeyBinding{Action::next_of_chosen, 0, U'.', true, ".", "next event of the chosen coroutine"},
    KeyBinding{Action::previous_of_chosen, 0, U',', true, ",", "previous event of the chosen coroutine"},
    KeyBinding{Action::next_decision, 0, U'n', false, "N", "next decision: who runs next"},
    KeyBinding{Action::previous_decision, 0, U'b', false, "B", "decision before"},
    KeyBinding{Action::home, GLFW_KEY_HOME, 0, false, "Home", "to the beginning"},
    KeyBinding{Action::end, GLFW_KEY_END, 0, false, "End", "to the end"},
    KeyBinding{Action::faster, 0, U'+', true, "+", "play faster"},
    KeyBinding{Action::slower, 0, U'-', true, "-", "play slower"},
    KeyBinding{Action::zoom_in, GLFW_KEY_W, 0, true, "W", "zoom in"},
    KeyBinding{Action::zoom_out, GLFW_KEY_S, 0, true, "S", "zoom out"},
    KeyBinding{Action::pan_left, GLFW_KEY_A, 0, true, "A", "pan to earlier"},
    KeyBinding{Action::pan_right, GLFW_KEY_D, 0, true, "D", "pan to later"},
    KeyBinding{Action::focus, 0, U'f', false, "F", "zoom to the playhead; again: the whole trace"},
    KeyBinding{Action::focus, 0, U'F', false, "", ""},
    KeyBinding{Action::fit, 0, U'0', false, "0", "the whole trace"},
    KeyBinding{Action::choose_next, GLFW_KEY_DOWN, 0, true, "↓", "choose the next coroutine"},
    KeyBinding{Action::choose_previous, GLFW_KEY_UP, 0, true, "↑", "choose the previous coroutine"},
    KeyBinding{Action::choose_none, GLFW_KEY_ESCAPE, 0, false, "Esc", "choose none; close this help"},
    KeyBinding{Action::theme, 0, U't', false, "T", "dark or light"},
    KeyBinding{Action::side_by_side, 0, U'c', false, "C", "all files side by side, or one"},
    KeyBinding{Action::lock_by, 0, U'l', false, "L", "side by side: by time, number, part, or turn"},
    KeyBinding{Action::next_difference, 0, U'x', false, "X", "side by side: where they next decide differently"},
    KeyBinding{Action::previous_difference, 0, U'z', false, "Z", "side by side: the place before"},
    KeyBinding{Action::figures, 0, U'g', false, "G", "side by side: the table of figures"},
    KeyBinding{Action::sets, 0, U'q', false, "Q", "sets, or events and registers"},
    KeyBinding{Action::next_tab, GLFW_KEY_PAGE_DOWN, 0, false, "Page down", "next file"},
    KeyBinding{Action::previous_tab, GLFW_KEY_PAGE_UP, 0, false, "Page up", "previous file"},
    KeyBinding{Action::next_note, 0, U']', false, "]", "next note of the lecture"},
    KeyBinding{Action::previous_note, 0, U'[', false, "[", "note before"},
    KeyBinding{Action::predict, 0, U'p', false, "P", "predict: click who runs next"},
    KeyBinding{Action::search, GLFW_KEY_F, 0, false, "Ctrl F", "search", true},
    KeyBinding{Action::present, GLFW_KEY_F5, 0, false, "F5", "present: large text, lanes first"},
    KeyBinding{Action::larger, GLFW_KEY_EQUAL, 0, true, "Ctrl +", "larger text", true},
    KeyBinding{Action::larger, GLFW_KEY_KP_ADD, 0, true, "", "", true},
    KeyBinding{Action::smaller, GLFW_KEY_MINUS, 0, true, "Ctrl −", "smaller text", true},
    KeyBinding{Action::smaller, GLFW_KEY_KP_SUBTRACT, 0, true, "", "", true},
    KeyBinding{Action::until, 0, U'u', false, "U", "play until the chosen coroutine's next switch"},
    KeyBinding{Action::copy, GLFW_KEY_C, 0, false, "Ctrl C", "copy the sentences to the clipboard", true},
    KeyBinding{Action::picture, GLFW_KEY_E, 0, false, "Ctrl E", "write a picture of the window", true},
    KeyBinding{Action::help, 0, U'?', false, "?", "this help"},
};

constexpr std::array kMouse{
    MouseLine{"wheel on the timeline", "zoom at the cursor"},
    MouseLine{"wheel on the names", "scroll the lanes (Shift and wheel: anywhere)"},
    MouseLine{"right or middle drag", "pan"},
    MouseLine{"left drag", "move the playhead"},
    MouseLine{"click a lane or a row", "choose that coroutine"},
    MouseLine{"click an event", "put the playhead there"},
};

}  // namespace

std::span<const KeyBinding> key_bindings() noexcept { return kBindings; }

std::span<const MouseLine> mouse_lines() noexcept { return kMouse; }

std::optional<Action> action_of_key(int key, bool repeated, bool control) noexcept {
    for (const KeyBinding& binding : kBindings)
        if (binding.key != 0 && binding.key == key && binding.control == control && (!repeated || binding.repeats))
            return binding.action;
    return std::nullopt;
}

std::optional<Action> action_of_character(char32_t character) noexcept {
    for (const KeyBinding& binding : kBindings)
        if (binding.character != 0 && binding.character == character) return binding.action;
    return std::nullopt;
}

}  // namespace fiberscope::viewer
