#include <algorithm>
#include <array>
#include <utility>

#include "viewer/layout/base/fitting.h"
#include "viewer/model/keys.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/signs.h"

namespace fiberscope::viewer {
namespace {

constexpr float kHelpOverlayLine = 1.45F, kWidth = 92, kKey = 6.2F, kMouse = 24;  // in em

std::size_t help_lines() {
    std::size_t count = 0;
    for (const KeyBinding& binding : key_bindings()) count += binding.help.empty() ? 0 : 1;
    return count;
}

/// Width of a column of keys.
float keys_width(const Canvas& canvas) {
    float width = 0;
    for (const KeyBinding& binding : key_bindings())
        if (!binding.help.empty()) width = std::max(width, canvas.text_width(canvas.style().says(binding.help)));
    return width + (kKey + 1) * canvas.style().em;
}

/// Draws the first or the second column.
void draw_keys(const Canvas& canvas, Rect r, float line, bool second) {
    const Style& style = canvas.style();
    const float em = style.em;
    float y = r.y0;
    std::size_t n = 0;
    for (const KeyBinding& binding : key_bindings()) {
        if (binding.help.empty() || (n++ >= (help_lines() + 1) / 2) != second) continue;
        const Rect key{r.x0, y, r.x0 + 5.4F * em, y + line - 2};
        canvas.fill(key, style.colors().control, 0.2F * em);
        canvas.text_in(key, binding.label, style.colors().text, style.fonts.bold);
        const float x = r.x0 + kKey * em, room = r.x1 - x;
        const std::string whole = style.says(binding.help);
        const std::string part =
            canvas.text_width(whole) <= room ? whole : fitting_sentence(metrics_of(style), room, whole, true);
        canvas.text({x, canvas.text_y(key)}, part.empty() ? whole : part, style.colors().text, nullptr, room);
        y += line;
    }
}

constexpr std::array kMarks{std::pair{MarkKind::note, mark("a note of the program")},
                            std::pair{MarkKind::fault, mark("a fault")},
                            std::pair{MarkKind::copy_out, mark("bytes copied out of a shared stack")},
                            std::pair{MarkKind::copy_in, mark("bytes copied back into it")},
                            std::pair{MarkKind::lock_wait, mark("begins to wait for a lock")},
                            std::pair{MarkKind::access, mark("an address in a shared stack is used")},
                            std::pair{MarkKind::hazard, mark("the same, but another's bytes are there")}};

/// Returns its end.
float draw_marks(const Canvas& canvas, Rect r, float height) {
    const float em = canvas.style().em;
    float y = r.y0;
    for (const auto& [kind, words] : kMarks) {
        const Rect line{r.x0, y, r.x1, y + height};
        draw_sign(canvas, {r.x0 + 0.6F * em, line.middle_y()}, 0.45F * em, kind);
        canvas.text({r.x0 + 1.6F * em, canvas.text_y(line)}, canvas.style().says(words), canvas.style().colors().text,
                    nullptr, r.width() - 1.6F * em);
        y += height;
    }
    draw_count(canvas, {r.x0, y + 0.1F * height, r.x0 + 1.2F * em, y + 0.9F * height}, MarkKind::note, "7");
    canvas.text({r.x0 + 1.6F * em, y + 0.1F * height}, canvas.style().says("several: a click zooms to them"),
                canvas.style().colors().text, nullptr, r.width() - 1.6F * em);
    y += height;
    draw_steal(canvas, {r.x0 + 0.6F * em, y + 0.15F * height}, {r.x0 + 0.6F * em, y + 0.9F * height}, "", false);
    canvas.text({r.x0 + 1.6F * em, y + 0.1F * height}, canvas.style().says("a machine steals from another"),
                canvas.style().colors().text, nullptr, r.width() - 1.6F * em);
    return y + height;
}

constexpr std::array kLinks{std::pair{LinkWay::both, mark("child and parent link to each other")},
                            std::pair{LinkWay::down, mark("only the parent links to its child")},
                            std::pair{LinkWay::up, mark("only the child links to its parent")},
                            std::pair{LinkWay::cut, mark("this event removed the link")}};

void draw_links(const Canvas& canvas, Rect r, float height) {
    const float em = canvas.style().em;
    float y = r.y0;
    for (const auto& [way, words] : kLinks) {
        const float middle = y + height / 2;
        draw_set_line(canvas, {{r.x0, middle}, {r.x0 + 2.2F * em, middle}, way, false});
        canvas.text({r.x0 + 2.8F * em, canvas.text_y({r.x0, y, r.x1, y + height})}, canvas.style().says(words),
                    canvas.style().colors().text, nullptr, r.width() - 2.8F * em);
        y += height;
    }
}

/// Returns its end.
float draw_mouse(const Canvas& canvas, Rect r, float height) {
    const Style& style = canvas.style();
    const float em = style.em;
    float y = r.y0;
    for (const MouseLine& line : mouse_lines()) {
        canvas.text({r.x0, y}, style.says(line.gesture), style.colors().text, style.fonts.bold, r.width());
        canvas.text({r.x0 + em, y + 0.47F * height}, style.says(line.help), style.colors().text, nullptr,
                    r.width() - em);
        y += height;
    }
    return y;
}

}  // namespace

std::optional<Action> draw_help(const Style& style, Rect area) {
    const float em = style.em;
    const float width = std::min(area.width() - 2 * em, kWidth * em);
    const float wanted = (static_cast<float>((help_lines() + 1) / 2) * kHelpOverlayLine + 4.2F) * em;
    const float height = std::min(area.height() - 2 * em, wanted);
    const float line = kHelpOverlayLine * em * height / wanted;  // smaller line spacing in a low window
    const Rect box{area.middle_x() - width / 2, area.middle_y() - height / 2, area.middle_x() + width / 2,
                   area.middle_y() + height / 2};
    ImGui::SetNextWindowPos({area.x0, area.y0});
    ImGui::SetNextWindowSize({area.width(), area.height()});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, IM_COL32(0, 0, 0, 150));
    ImGui::Begin("help", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleColor();
    const Canvas canvas(ImGui::GetWindowDrawList(), style);
    const bool all = width >= 2 * keys_width(canvas) + (kMouse + 1.5F) * em;  // else only the keys
    canvas.fill(box, style.colors().panel, 0.4F * em);
    canvas.frame(box, style.colors().line);
    const float top = box.y0 + 0.8F * em, split = all ? box.x1 - kMouse * em : box.x1,
                half = box.x0 + (split - box.x0) / 2;
    canvas.text({box.x0 + em, top}, style.says("Keys"), style.colors().text, style.fonts.large);
    draw_keys(canvas, {box.x0 + em, top + 2.2F * em, half - 0.5F * em, box.y1}, line, false);
    draw_keys(canvas, {half + 0.5F * em, top + 2.2F * em, split - em, box.y1}, line, true);
    const auto heading = [&](float y, Text words) {
        canvas.text({split, y}, style.says(words), style.colors().text, style.fonts.large);
        return Rect{split, y + 1.25F * line, box.x1 - em, box.y1};
    };
    if (all) {
        canvas.text({split, top}, style.says("Mouse"), style.colors().text, style.fonts.large);
        const float marks = draw_mouse(canvas, {split, top + 2.2F * em, box.x1 - em, box.y1}, 1.75F * line);
        const float trees = draw_marks(canvas, heading(marks, mark("Marks on the lanes")), 0.93F * line);
        draw_links(canvas, heading(trees + 0.1F * line, mark("Links of a tree")), 0.93F * line);
    }
    const bool clicked = ImGui::IsWindowHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    ImGui::End();
    return clicked ? std::optional(Action::help) : std::nullopt;
}

}  // namespace fiberscope::viewer
