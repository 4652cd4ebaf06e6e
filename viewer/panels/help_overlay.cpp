#include <algorithm>
#include <array>
#include <utility>

#include "viewer/model/keys.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/signs.h"

namespace fiberscope::viewer {
namespace {

constexpr float kLine = 1.45F;  // in em

std::size_t help_lines() {
    std::size_t count = 0;
    for (const KeyBinding& binding : key_bindings()) count += binding.help.empty() ? 0 : 1;
    return count;
}

void draw_keys(const Canvas& canvas, Rect r, float line) {
    const Style& style = canvas.style();
    const float em = style.em;
    float y = r.y0;
    for (const KeyBinding& binding : key_bindings()) {
        if (binding.help.empty()) continue;
        const Rect key{r.x0, y, r.x0 + 5.4F * em, y + line - 2};
        canvas.fill(key, style.colors().control, 0.2F * em);
        canvas.text_in(key, binding.label, style.colors().text, style.fonts.bold);
        canvas.text({key.x1 + 0.8F * em, canvas.text_y(key)}, binding.help, style.colors().text, nullptr,
                    r.x1 - key.x1 - em);
        y += line;
    }
}

constexpr std::array kMarks{std::pair{MarkKind::note, "a note of the program"},
                            std::pair{MarkKind::fault, "a fault"},
                            std::pair{MarkKind::copy_out, "bytes copied out of a shared stack"},
                            std::pair{MarkKind::copy_in, "bytes copied back into it"},
                            std::pair{MarkKind::copies, "several copies: zoom in"},
                            std::pair{MarkKind::lock_wait, "begins to wait for a lock"},
                            std::pair{MarkKind::access, "an address in a shared stack is used"},
                            std::pair{MarkKind::hazard, "the same, but another's bytes lie there"}};

/// Returns where it ends.
float draw_marks(const Canvas& canvas, Rect r, float height) {
    const float em = canvas.style().em;
    float y = r.y0;
    for (const auto& [kind, words] : kMarks) {
        const Rect line{r.x0, y, r.x1, y + height};
        draw_sign(canvas, {r.x0 + 0.6F * em, line.middle_y()}, 0.45F * em, kind);
        canvas.text({r.x0 + 1.6F * em, canvas.text_y(line)}, words, canvas.style().colors().text, nullptr,
                    r.width() - 1.6F * em);
        y += height;
    }
    draw_steal(canvas, {r.x0 + 0.6F * em, y + 0.15F * height}, {r.x0 + 0.6F * em, y + 0.9F * height}, "", false);
    canvas.text({r.x0 + 1.6F * em, y + 0.1F * height}, "a machine steals from another", canvas.style().colors().text,
                nullptr, r.width() - 1.6F * em);
    return y + height;
}

constexpr std::array kLinks{std::pair{LinkWay::both, "child and parent know each other"},
                            std::pair{LinkWay::down, "only the parent knows its child"},
                            std::pair{LinkWay::up, "only the child knows its parent"},
                            std::pair{LinkWay::nobody, "this event cut the link"}};

void draw_links(const Canvas& canvas, Rect r, float height) {
    const float em = canvas.style().em;
    float y = r.y0;
    for (const auto& [way, words] : kLinks) {
        const float middle = y + height / 2, from = r.x0 + (way == LinkWay::nobody ? 0.5F * em : 0);
        draw_tree_line(canvas,
                       {{from, middle}, {r.x0 + 2.2F * em - (from - r.x0) * 2, middle}, way, way == LinkWay::nobody});
        canvas.text({r.x0 + 2.8F * em, canvas.text_y({r.x0, y, r.x1, y + height})}, words, canvas.style().colors().text,
                    nullptr, r.width() - 2.8F * em);
        y += height;
    }
}

/// Returns where it ends.
float draw_mouse(const Canvas& canvas, Rect r, float height) {
    const Style& style = canvas.style();
    const float em = style.em;
    float y = r.y0;
    for (const MouseLine& line : mouse_lines()) {
        canvas.text({r.x0, y}, line.gesture, style.colors().text, style.fonts.bold, r.width());
        canvas.text({r.x0 + em, y + 0.47F * height}, line.help, style.colors().text, nullptr, r.width() - em);
        y += height;
    }
    return y;
}

}  // namespace

std::optional<Action> draw_help(const Style& style, Rect area) {
    const float em = style.em;
    const float width = std::min(area.width() - 2 * em, 52 * em);
    const float wanted = (static_cast<float>(help_lines()) * kLine + 4.2F) * em;
    const float height = std::min(area.height() - 2 * em, wanted);
    const float line = kLine * em * height / wanted;  // in a low window the lines stand closer
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
    canvas.fill(box, style.colors().panel, 0.4F * em);
    canvas.frame(box, style.colors().line);
    const float top = box.y0 + 0.8F * em, split = box.x0 + 0.56F * width;
    canvas.text({box.x0 + em, top}, "Keys", style.colors().text, style.fonts.large);
    canvas.text({split, top}, "Mouse", style.colors().text, style.fonts.large);
    draw_keys(canvas, {box.x0 + em, top + 2.2F * em, split - em, box.y1}, line);
    const auto heading = [&](float y, const char* words) {
        canvas.text({split, y}, words, style.colors().text, style.fonts.large);
        return Rect{split, y + 1.25F * line, box.x1 - em, box.y1};
    };
    const float marks = draw_mouse(canvas, {split, top + 2.2F * em, box.x1 - em, box.y1}, 1.75F * line);
    const float trees = draw_marks(canvas, heading(marks, "Marks on the lanes"), 0.93F * line);
    draw_links(canvas, heading(trees + 0.1F * line, "Links of a tree"), 0.93F * line);
    const bool clicked = ImGui::IsWindowHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    ImGui::End();
    return clicked ? std::optional(Action::help) : std::nullopt;
}

}  // namespace fiberscope::viewer
