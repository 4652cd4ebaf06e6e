#include "viewer/model/keys.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace fiberscope::viewer {
namespace {

constexpr std::array kBindings{
    KeyBinding{Action::play_pause, GLFW_KEY_SPACE, 0, false, "Space", OfferedText::key_play},
    KeyBinding{Action::step, GLFW_KEY_RIGHT, 0, true, "→", OfferedText::key_step},
    KeyBinding{Action::step_back, GLFW_KEY_LEFT, 0, true, "←", OfferedText::key_step_back},
    KeyBinding{Action::next_of_chosen, 0, U'.', true, ".", OfferedText::key_next_of_chosen},
    KeyBinding{Action::previous_of_chosen, 0, U',', true, ",", OfferedText::key_previous_of_chosen},
    KeyBinding{Action::next_decision, 0, U'n', false, "N", OfferedText::key_next_decision},
    KeyBinding{Action::previous_decision, 0, U'b', false, "B", OfferedText::key_previous_decision},
    KeyBinding{Action::home, GLFW_KEY_HOME, 0, false, "Home", OfferedText::key_home},
    KeyBinding{Action::end, GLFW_KEY_END, 0, false, "End", OfferedText::key_end},
    KeyBinding{Action::faster, 0, U'+', true, "+", OfferedText::key_faster},
    KeyBinding{Action::slower, 0, U'-', true, "-", OfferedText::key_slower},
    KeyBinding{Action::zoom_in, GLFW_KEY_W, 0, true, "W", OfferedText::key_zoom_in},
    KeyBinding{Action::zoom_out, GLFW_KEY_S, 0, true, "S", OfferedText::key_zoom_out},
    KeyBinding{Action::pan_left, GLFW_KEY_A, 0, true, "A", OfferedText::key_pan_left},
    KeyBinding{Action::pan_right, GLFW_KEY_D, 0, true, "D", OfferedText::key_pan_right},
    KeyBinding{Action::focus, 0, U'f', false, "F", OfferedText::key_focus},
    KeyBinding{Action::focus, 0, U'F', false, "", OfferedText::count},
    KeyBinding{Action::fit, 0, U'0', false, "0", OfferedText::key_fit},
    KeyBinding{Action::choose_next, GLFW_KEY_DOWN, 0, true, "↓", OfferedText::key_choose_next},
    KeyBinding{Action::choose_previous, GLFW_KEY_UP, 0, true, "↑", OfferedText::key_choose_previous},
    KeyBinding{Action::choose_none, GLFW_KEY_ESCAPE, 0, false, "Esc", OfferedText::key_choose_none},
    KeyBinding{Action::filter_lanes, 0, U'/', false, "/", OfferedText::key_filter},
    KeyBinding{Action::order_lanes, 0, U'o', false, "O", OfferedText::key_order},
    KeyBinding{Action::group_lanes, 0, U'O', false, "Shift O", OfferedText::key_group},
    KeyBinding{Action::hide_dead, 0, U'h', false, "H", OfferedText::key_hide_dead},
    KeyBinding{Action::fold, 0, U'k', false, "K", OfferedText::key_fold},
    KeyBinding{Action::mark_region, 0, U'm', false, "M", OfferedText::key_mark_region},
    KeyBinding{Action::zoom_region, 0, U'r', false, "R", OfferedText::key_zoom_region},
    KeyBinding{Action::table, 0, U'j', false, "J", OfferedText::key_table},
    KeyBinding{Action::plots, 0, U'v', false, "V", OfferedText::key_plots},
    KeyBinding{Action::theme, 0, U't', false, "T", OfferedText::key_theme},
    KeyBinding{Action::side_by_side, 0, U'c', false, "C", OfferedText::key_side_by_side},
    KeyBinding{Action::lock_by, 0, U'l', false, "L", OfferedText::key_lock},
    KeyBinding{Action::next_difference, 0, U'x', false, "X", OfferedText::key_next_difference},
    KeyBinding{Action::previous_difference, 0, U'z', false, "Z", OfferedText::key_previous_difference},
    KeyBinding{Action::overlay, 0, U'y', false, "Y", OfferedText::key_overlay},
    KeyBinding{Action::fold_same, 0, U'i', false, "I", OfferedText::key_fold_same},
    KeyBinding{Action::figures, 0, U'g', false, "G", OfferedText::key_figures},
    KeyBinding{Action::sets, 0, U'q', false, "Q", OfferedText::key_sets},
    KeyBinding{Action::next_tab, GLFW_KEY_PAGE_DOWN, 0, false, "Page down", OfferedText::key_next_tab},
    KeyBinding{Action::previous_tab, GLFW_KEY_PAGE_UP, 0, false, "Page up", OfferedText::key_previous_tab},
    KeyBinding{Action::live, 0, U'L', false, "Shift L", OfferedText::key_live},
    KeyBinding{Action::next_note, 0, U']', false, "]", OfferedText::key_next_note},
    KeyBinding{Action::previous_note, 0, U'[', false, "[", OfferedText::key_previous_note},
    KeyBinding{Action::predict, 0, U'p', false, "P", OfferedText::key_predict},
    KeyBinding{Action::search, GLFW_KEY_F, 0, false, "Ctrl F", OfferedText::key_search, true},
    KeyBinding{Action::present, GLFW_KEY_F5, 0, false, "F5", OfferedText::key_present},
    KeyBinding{Action::larger, GLFW_KEY_EQUAL, 0, true, "Ctrl +", OfferedText::key_larger, true},
    KeyBinding{Action::larger, GLFW_KEY_KP_ADD, 0, true, "", OfferedText::count, true},
    KeyBinding{Action::smaller, GLFW_KEY_MINUS, 0, true, "Ctrl −", OfferedText::key_smaller, true},
    KeyBinding{Action::smaller, GLFW_KEY_KP_SUBTRACT, 0, true, "", OfferedText::count, true},
    KeyBinding{Action::until, 0, U'u', false, "U", OfferedText::key_until},
    KeyBinding{Action::until_menu, 0, U'U', false, "Shift U", OfferedText::key_until_menu},
    KeyBinding{Action::source, 0, U'e', false, "E", OfferedText::key_source},
    KeyBinding{Action::copy, GLFW_KEY_C, 0, false, "Ctrl C", OfferedText::key_copy, true},
    KeyBinding{Action::copy_row, GLFW_KEY_R, 0, false, "Ctrl R", OfferedText::key_copy_row, true},
    KeyBinding{Action::copy_state, GLFW_KEY_S, 0, false, "Ctrl S", OfferedText::key_copy_state, true},
    KeyBinding{Action::picture, GLFW_KEY_E, 0, false, "Ctrl E", OfferedText::key_picture, true},
    KeyBinding{Action::panel_picture, GLFW_KEY_P, 0, false, "Ctrl P", OfferedText::key_panel_picture, true},
    KeyBinding{Action::svg, GLFW_KEY_G, 0, false, "Ctrl G", OfferedText::key_svg, true},
    KeyBinding{Action::recent, GLFW_KEY_O, 0, false, "Ctrl O", OfferedText::key_recent, true},
    KeyBinding{Action::help, 0, U'?', false, "?", OfferedText::key_help},
};

constexpr std::array kMouse{
    MouseLine{OfferedText::mouse_wheel, OfferedText::mouse_wheel_does},
    MouseLine{OfferedText::mouse_wheel_names, OfferedText::mouse_wheel_names_does},
    MouseLine{OfferedText::mouse_drag_right, OfferedText::mouse_drag_right_does},
    MouseLine{OfferedText::mouse_drag_left, OfferedText::mouse_drag_left_does},
    MouseLine{OfferedText::mouse_click_lane, OfferedText::mouse_click_lane_does},
    MouseLine{OfferedText::mouse_click_event, OfferedText::mouse_click_event_does},
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

std::optional<Action> action_of_label(std::string_view label) noexcept {
    const auto same = [&](std::string_view words) {
        if (words.size() != label.size()) return false;
        for (std::size_t i = 0; i < words.size(); ++i) {
            const char c = label[i] >= 'a' && label[i] <= 'z' ? static_cast<char>(label[i] - 'a' + 'A') : label[i];
            const char w = words[i] >= 'a' && words[i] <= 'z' ? static_cast<char>(words[i] - 'a' + 'A') : words[i];
            if (c != w && !(c == '+' && w == ' ')) return false;
        }
        return true;
    };
    for (const KeyBinding& binding : kBindings)
        if (!binding.label.empty() && same(binding.label)) return binding.action;
    return std::nullopt;
}

std::optional<Action> action_of_character(char32_t character) noexcept {
    for (const KeyBinding& binding : kBindings)
        if (binding.character != 0 && binding.character == character) return binding.action;
    return std::nullopt;
}

}  // namespace fiberscope::viewer
