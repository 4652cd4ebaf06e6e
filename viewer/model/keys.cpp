#include "viewer/model/keys.h"

#include <algorithm>

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "viewer/layout/base/substring.h"

namespace fiberscope::viewer {
namespace {

constexpr std::array kBindings{
    KeyBinding{Action::play_pause, GLFW_KEY_SPACE, 0, false, "Space", mark("play, pause")},
    KeyBinding{Action::step, GLFW_KEY_RIGHT, 0, true, "→", mark("step to the next event")},
    KeyBinding{Action::step_back, GLFW_KEY_LEFT, 0, true, "←", mark("step back")},
    KeyBinding{Action::next_of_chosen, 0, U'.', true, ".", mark("next event of the chosen one")},
    KeyBinding{Action::previous_of_chosen, 0, U',', true, ",", mark("previous event of the chosen one")},
    KeyBinding{Action::next_decision, 0, U'n', false, "N", mark("next decision: which runs next")},
    KeyBinding{Action::previous_decision, 0, U'b', false, "B", mark("previous decision")},
    KeyBinding{Action::home, GLFW_KEY_HOME, 0, false, "Home", mark("to the beginning")},
    KeyBinding{Action::end, GLFW_KEY_END, 0, false, "End", mark("to the end")},
    KeyBinding{Action::faster, 0, U'+', true, "+", mark("play faster")},
    KeyBinding{Action::slower, 0, U'-', true, "-", mark("play slower")},
    KeyBinding{Action::zoom_in, GLFW_KEY_W, 0, true, "W", mark("zoom in")},
    KeyBinding{Action::zoom_out, GLFW_KEY_S, 0, true, "S", mark("zoom out")},
    KeyBinding{Action::pan_left, GLFW_KEY_A, 0, true, "A", mark("pan to earlier")},
    KeyBinding{Action::pan_right, GLFW_KEY_D, 0, true, "D", mark("pan to later")},
    KeyBinding{Action::focus, 0, U'f', false, "F", mark("zoom to the playhead; again: fit")},
    KeyBinding{Action::focus, 0, U'F', false, "", Text()},
    KeyBinding{Action::fit, 0, U'0', false, "0", mark("fit the whole trace")},
    KeyBinding{Action::choose_next, GLFW_KEY_DOWN, 0, true, "↓", mark("choose the next coroutine")},
    KeyBinding{Action::choose_previous, GLFW_KEY_UP, 0, true, "↑", mark("choose the previous coroutine")},
    KeyBinding{Action::choose_none, GLFW_KEY_ESCAPE, 0, false, "Esc", mark("close; clear the region; choose none"),
               false, true},
    KeyBinding{Action::filter_lanes, 0, U'/', false, "/", mark("filter the lanes")},
    KeyBinding{Action::order_lanes, 0, U'o', false, "O", mark("change the order of the lanes")},
    KeyBinding{Action::group_lanes, 0, U'O', false, "Shift O", mark("headings above groups of lanes")},
    KeyBinding{Action::hide_dead, 0, U'h', false, "H", mark("hide dead coroutines")},
    KeyBinding{Action::fold, 0, U'k', false, "K", mark("fold the chosen one's descendants")},
    KeyBinding{Action::pin, 0, U'H', false, "Shift H", mark("pin the chosen lane at the top")},
    KeyBinding{Action::pin_machines, 0, U'M', false, "Shift M", mark("pin the machines at the top")},
    KeyBinding{Action::mark_region, 0, U'm', false, "M", mark("region: its beginning, then its end")},
    KeyBinding{Action::zoom_region, 0, U'r', false, "R", mark("zoom to the region; again: fit")},
    KeyBinding{Action::table, 0, U'j', false, "J", mark("table of all coroutines"), false, false, mark("table", "tab")},
    KeyBinding{Action::maximize, 0, U'v', false, "V", mark("enlarge the panel under the mouse, or restore")},
    KeyBinding{Action::theme, 0, U't', false, "T", mark("dark or light")},
    KeyBinding{Action::side_by_side, 0, U'c', false, "C", mark("all files side by side, or one"), false, false,
               mark("compare", "tab")},
    KeyBinding{Action::lock_by, 0, U'l', false, "L", mark("side by side: change the lock")},
    KeyBinding{Action::next_difference, 0, U'x', false, "X", mark("side by side: next difference")},
    KeyBinding{Action::previous_difference, 0, U'z', false, "Z", mark("side by side: previous difference")},
    KeyBinding{Action::matrix, 0, U'g', false, "G", mark("matrix: the figures of all files"), false, false,
               mark("matrix", "tab")},
    KeyBinding{Action::sets, 0, U'q', false, "Q", mark("sets, or events and registers")},
    KeyBinding{Action::next_tab, GLFW_KEY_PAGE_DOWN, 0, false, "Page down", mark("next file")},
    KeyBinding{Action::previous_tab, GLFW_KEY_PAGE_UP, 0, false, "Page up", mark("previous file")},
    KeyBinding{Action::live, 0, U'L', false, "Shift L", mark("pause a live file, or follow it")},
    KeyBinding{Action::next_note, 0, U']', false, "]", mark("lecture: show the answer, or the next note")},
    KeyBinding{Action::previous_note, 0, U'[', false, "[", mark("previous note")},
    KeyBinding{Action::play_lecture, 0, U'P', false, "Shift P", mark("step through the lecture, text by text"), false,
               false, mark("lecture", "tab")},
    KeyBinding{Action::record_note, 0, U'N', false, "Shift N", mark("add a note for this place")},
    KeyBinding{Action::lecture, 0, U'T', false, "Shift T", mark("edit the lecture")},
    KeyBinding{Action::save_lecture, GLFW_KEY_ENTER, 0, false, "Ctrl Enter", mark("save the lecture"), true, true},
    KeyBinding{Action::undo_note, GLFW_KEY_Z, 0, false, "Ctrl Z", mark("undo the last edit of the lecture"), true},
    KeyBinding{Action::predict, 0, U'p', false, "P", mark("predict: what runs; into which set"), false, false,
               mark("predict", "tab")},
    KeyBinding{Action::search, GLFW_KEY_F, 0, false, "Ctrl F", mark("search"), true, true, mark("search", "tab")},
    KeyBinding{Action::present, GLFW_KEY_F5, 0, false, "F5", mark("present: large text, lanes first"), false, false,
               mark("present", "tab")},
    KeyBinding{Action::larger, GLFW_KEY_EQUAL, 0, true, "Ctrl +", mark("larger text"), true},
    KeyBinding{Action::larger, GLFW_KEY_KP_ADD, 0, true, "", Text(), true},
    KeyBinding{Action::smaller, GLFW_KEY_MINUS, 0, true, "Ctrl −", mark("smaller text"), true},
    KeyBinding{Action::smaller, GLFW_KEY_KP_SUBTRACT, 0, true, "", Text(), true},
    KeyBinding{Action::until, 0, U'u', false, "U", mark("play until the chosen one switches")},
    KeyBinding{Action::source, 0, U'e', false, "E", mark("source line of the decision")},
    KeyBinding{Action::copy, GLFW_KEY_C, 0, false, "Ctrl C", mark("copy the sentences to the clipboard"), true},
    KeyBinding{Action::recent, GLFW_KEY_O, 0, false, "Ctrl O", mark("open a recording"), true},
    KeyBinding{Action::reload, 0, U'R', false, "Shift R", mark("reload a changed file")},
    KeyBinding{Action::palette, 0, U':', false, ":", mark("all actions, with a search; also Ctrl K"), false, false,
               mark("more", "tab")},
    KeyBinding{Action::palette, GLFW_KEY_K, 0, false, "Ctrl K", Text(), true, true},
    KeyBinding{Action::again, 0, U'K', false, "Shift K", mark("run the demo again, different settings")},
    KeyBinding{Action::help, 0, U'?', false, "?", mark("this help")},
};

constexpr std::array kMouse{
    MouseLine{mark("wheel on the timeline"), mark("zoom at the cursor")},
    MouseLine{mark("wheel on the names"), mark("scroll the lanes (Shift and wheel: anywhere)")},
    MouseLine{mark("right or middle drag"), mark("pan; on the upper strip: move the view")},
    MouseLine{mark("left drag; with Shift"), mark("move the playhead; select a region")},
    MouseLine{mark("click a lane or a row"), mark("choose that coroutine")},
    MouseLine{mark("click the pin beside a name"), mark("pin or unpin that lane")},
    MouseLine{mark("click an event"), mark("move the playhead there")},
};

}  // namespace

std::span<const KeyBinding> key_bindings() noexcept { return kBindings; }

const KeyBinding& row_of(Action action) noexcept {
    return *std::find_if(kBindings.begin(), kBindings.end(),
                         [&](const KeyBinding& binding) { return binding.action == action && !binding.help.empty(); });
}

std::vector<const KeyBinding*> actions_named(std::string_view text, Language language) {
    std::vector<const KeyBinding*> found;
    const auto holds = [&](const KeyBinding& row, std::string_view word) {
        for (const std::string_view its :
             {text_of(row.help, language), row.help.english, text_of(row.tab, language), row.tab.english, row.label})
            if (has_substring(its, word)) return true;
        return false;
    };
    for (const KeyBinding& row : kBindings) {
        bool all = !row.help.empty();
        for (std::string_view rest = text; all && !rest.empty();) {
            const std::string_view word = rest.substr(0, rest.find(' '));
            all = holds(row, word);
            rest.remove_prefix(std::min(rest.size(), word.size() + 1));
        }
        if (all) found.push_back(&row);
    }
    std::stable_partition(found.begin(), found.end(), [&](const KeyBinding* row) {  // "ctrl f" is the label of a key
        return row->label.size() == text.size() && has_substring(row->label, text);
    });
    return found;
}

std::span<const MouseLine> mouse_lines() noexcept { return kMouse; }

std::optional<Action> action_of_key(int key, bool repeated, bool control, bool writes) noexcept {
    for (const KeyBinding& binding : kBindings)
        if (binding.key != 0 && binding.key == key && binding.control == control && (!repeated || binding.repeats) &&
            (!writes || binding.while_writing))
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
