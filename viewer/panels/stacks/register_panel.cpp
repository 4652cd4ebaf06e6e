#include <algorithm>
#include <cmath>
#include <utility>

#include "viewer/layout/base/fitting.h"
#include "viewer/layout/stacks/registers.h"
#include "viewer/panels/panels.h"
#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {
namespace {

constexpr float kRegisterPanelRow = 1.16F, kStackWidth = 7.8F, kTallestStack = 15;  // in em

/// "only top 1 KiB drawn": says which part of the stack the box shows, so that its fill is not mistaken for that of the
/// whole stack.
std::string drawn_part(const Metrics& metrics, float room, const StackPicture& stack) {
    const std::string bytes = bytes_in_words(stack.shown, metrics.language);
    return first_fitting(metrics, room, {metrics.says("only top {0} drawn", bytes), metrics.says("{0} drawn", bytes)});
}

/// The stack as a box with its top above, and a mark where each register points.
void draw_stack(const Canvas& canvas, Rect r, const StackPicture& stack) {
    const Style& style = canvas.style();
    const Palette& colors = style.colors();
    const float em = style.em;
    canvas.text_in({r.x0, r.y0, r.x1, r.y0 + em}, style.says("stack top"), colors.dim);
    const bool torn = stack.size == 0 || stack.size > stack.shown;
    const Rect box{r.x0 + 0.2F * em, r.y0 + 1.15F * em, r.x1 - 0.2F * em, r.y1 - (torn ? 3.5F : 2.3F) * em};
    const StackMark& pointer = stack.marks.front();
    const float used = box.y0 + box.height() * std::min(1.0F, pointer.y);
    canvas.fill(box, colors.background);
    canvas.fill({box.x0, box.y0, box.x1, used}, colors.control_hot);
    canvas.frame(box, colors.dim);
    for (const StackMark& mark : stack.marks) {
        const float y = box.y0 + box.height() * std::min(1.0F, mark.y);
        const bool first = &mark == &pointer;
        canvas.line({box.x0 - 0.2F * em, y}, {box.x1, y}, first ? colors.text : colors.dim, first ? 3.0F : 1.0F);
        if (!first && std::abs(y - used) < 1.3F * em) continue;
        const float text_y = first ? std::min(y + 2, box.y1 - 1.1F * em) : std::max(box.y0, y - 1.15F * em);
        canvas.text({box.x0 + 0.3F * em, text_y}, (first ? "◀ " : "· ") + mark.name, first ? colors.text : colors.dim,
                    first ? style.fonts.bold : style.fonts.text, box.width() - 0.4F * em);
    }
    float below = box.y1;
    if (torn) {  // the picture is cut off, with a note
        for (float x = box.x0; x < box.x1; x += 0.5F * em)
            canvas.line({x, box.y1}, {x + 0.25F * em, box.y1 - 0.25F * em}, colors.dim);
        canvas.text_in({r.x0, below, r.x1, below + 1.2F * em}, drawn_part(metrics_of(style), r.width(), stack),
                       colors.text);
        below += 1.2F * em;
    }
    canvas.text_in({r.x0, below, r.x1, below + 1.1F * em},
                   style.says("{0} used", bytes_in_words(pointer.below_top, style.language)), colors.text);
    const std::string size =
        stack.size == 0 ? style.says("size unknown") : style.says("of {0}", bytes_in_words(stack.size, style.language));
    canvas.text_in({r.x0, below + 1.1F * em, r.x1, r.y1}, size, colors.dim);
}

/// The end of a symbol that does not fit, after an ellipsis; the tooltip has all of it.
std::string tail_in(const Metrics& metrics, float room, const std::string& symbol) {
    std::string tail = symbol;
    for (std::size_t i = 1; i < symbol.size() && metrics.width(tail) > room; ++i) tail = "…" + symbol.substr(i);
    return tail;
}

/// `value` in one line, or a symbol in two parts; as a last resort only its tail.
std::vector<std::string> fitting_value(const Metrics& metrics, float room, const std::string& value) {
    if (metrics.width(value) <= room) return {value};
    const auto parts = parted_symbol(metrics, room, value);
    return parts.empty() ? std::vector{tail_in(metrics, room, value)} : parts;
}

void explain_row(Rect line, const RegisterRow& row, const Style& style) {
    if (ImGui::IsMouseHoveringRect({line.x0, line.y0}, {line.x1, line.y1}) && ImGui::IsWindowHovered())
        ImGui::SetTooltip("%s = %s%s", row.name.c_str(), row.value.c_str(),
                          row.changed ? style.says(", {0}", style.says("was {0}", row.before)).c_str() : "");
}

/// One register; `name_width` is that of the longest name. The previous value follows the new one, or is below it if
/// there is `room_below`. Returns the y of the next row.
float draw_row(const Canvas& canvas, Rect line, const RegisterRow& row, float name_width, bool room_below) {
    const Style& style = canvas.style();
    const Palette& colors = style.colors();
    const float em = style.em, high = kRegisterPanelRow * em;
    const float x = line.x0 + 1.1F * em, value_x = x + name_width + 0.7F * em, room = line.x1 - value_x - 0.2F * em;
    const std::string was = style.says("was {0}", short_value(row.before));
    const bool beside =
        value_x + canvas.text_width(row.shown, style.fonts.mono) + em + canvas.text_width(was) < line.x1;
    const bool below = row.changed && !beside && room_below;
    if (row.changed) {
        canvas.fill({line.x0, line.y0, line.x1, line.y1 + (below ? high : 0)}, colors.changed.with_alpha(56));
        canvas.text({line.x0 + 0.15F * em, canvas.text_y(line)}, "≠", colors.changed, style.fonts.bold);
    }
    canvas.text({x, canvas.text_y(line, style.fonts.mono)}, row.name, colors.dim, style.fonts.mono);
    const Color ink = row.changed ? colors.changed : colors.text;
    const Metrics mono{em, [&](std::string_view text) { return canvas.text_width(text, style.fonts.mono); },
                       style.language};
    const auto value = fitting_value(mono, room, row.shown);
    const float width =
        canvas.text({value_x, canvas.text_y(line, style.fonts.mono)}, value.front(), ink, style.fonts.mono, room);
    float y = line.y0;
    if (value.size() > 1) canvas.text({value_x, y += high}, value.back(), ink, style.fonts.mono, room);
    if (below)
        for (const std::string& part : fitting_value(metrics_of(style), room, was))
            canvas.text({value_x, y += high}, part, colors.dim, nullptr, room);
    else if (row.changed && beside)
        canvas.text({value_x + width + 0.8F * em, canvas.text_y(line)}, was, colors.dim);
    explain_row(line, row, style);
    return y + high;
}

void draw_rows(const Canvas& canvas, Rect r, const RegisterSide& side) {
    const Style& style = canvas.style();
    const float high = kRegisterPanelRow * style.em;
    float name_width = 0;
    for (const RegisterRow& row : side.rows)
        name_width = std::max(name_width, canvas.text_width(row.name, style.fonts.mono));
    const auto changed = std::count_if(side.rows.begin(), side.rows.end(), [](const auto& row) { return row.changed; });
    const bool room_below =
        static_cast<float>(side.rows.size() + static_cast<std::size_t>(changed)) * high <= r.height();
    float y = r.y0;
    for (const RegisterRow& row : side.rows) {
        if (y + high > r.y1 + 1) break;
        y = draw_row(canvas, {r.x0, y, r.x1, y + high}, row, name_width, room_below);
    }
}

void draw_side(const Canvas& canvas, Rect r, const RegisterSide& side, trace::State state) {
    const Style& style = canvas.style();
    const Palette& colors = style.colors();
    const float em = style.em, chip = 1.15F * em;
    canvas.chip({r.x0, r.y0, r.x0 + chip, r.y0 + chip}, state);
    const float room = r.width() - chip - em;
    const bool fits = canvas.text_width(side.title, style.fonts.bold) <= room;
    canvas.text({r.x0 + chip + 0.4F * em, r.y0}, fits ? side.title : side.name, colors.text, style.fonts.bold, room);
    Rect rows{r.x0, r.y0 + 1.4F * em, r.x1, r.y1};
    if (side.rows.empty()) {
        canvas.text({rows.x0, rows.y0}, style.says("no registers recorded"), colors.dim, nullptr, r.width());
        return;
    }
    float values = 0, names = 0;
    for (const RegisterRow& row : side.rows) {
        names = std::max(names, canvas.text_width(row.name, style.fonts.mono));
        values = std::max(values, canvas.text_width(row.shown, style.fonts.mono));
    }
    const float needed = names + values + 2.1F * em;  // the layout of draw_rows
    if (side.stack && r.width() > 15 * em && needed + (kStackWidth + 0.4F) * em <= r.width()) {
        const float height = std::min(r.y1 - rows.y0, kTallestStack * em);
        draw_stack(canvas, {r.x1 - kStackWidth * em, rows.y0, r.x1, rows.y0 + height}, *side.stack);
        rows.x1 -= (kStackWidth + 0.4F) * em;
    }
    draw_rows(canvas, rows, side);
}

/// The areas of the two sides: side by side, or stacked if the panel is higher than wide.
std::pair<Rect, Rect> split(Rect r, float em) {
    const float gap = 0.4F * em;
    if (r.width() > 28 * em || r.height() < 22 * em)
        return {{r.x0, r.y0, r.middle_x() - gap, r.y1}, {r.middle_x() + gap, r.y0, r.x1, r.y1}};
    return {{r.x0, r.y0, r.x1, r.middle_y() - gap / 2}, {r.x0, r.middle_y() + gap / 2, r.x1, r.y1}};
}

/// Whether any value is marked as changed.
bool has_changes(const Registers& words) {
    const auto any = [](const RegisterSide& side) {
        return std::any_of(side.rows.begin(), side.rows.end(), [](const RegisterRow& row) { return row.changed; });
    };
    return any(words.saved) || any(words.loaded);
}

}  // namespace

void draw_registers(const Scene& scene, Rect area, const Selection& selection) {
    const Registers words =
        layout_registers(scene.replay, scene.index, selection.playhead, scene.style.language, selection.chosen);
    const std::string heading = words.event == trace::kNone
                                    ? scene.style.says("Registers")
                                    : scene.style.says("Registers at the switch of event {0}", words.event + 1);
    const Rect content = begin_panel("registers", area, scene.style, heading);
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const float em = scene.style.em;
    if (!words.message.empty()) {
        ImGui::SetCursorScreenPos({content.x0, content.y0});
        paragraph(scene.style, words.message, scene.style.colors().dim, content.width());
    } else {
        for (const std::string& key :
             {scene.style.says("≠ changed since its last save"), scene.style.says("≠ changed")}) {
            const float width = canvas.text_width(key);
            if (!has_changes(words) ||
                width + canvas.text_width(heading, scene.style.fonts.bold) + em > content.width())
                continue;
            canvas.text({content.x1 - width, content.y0 - 1.4F * em}, key, scene.style.colors().changed);
            break;
        }
        const bool of_the_switch = words.saved.co == scene.replay.trace()[words.event].co;
        const auto left = of_the_switch ? scene.replay.trace()[words.event].second<trace::State>()
                                        : scene.replay.coroutine(words.saved.co).state;
        const auto [upper, lower] = split(content, em);
        draw_side(canvas, upper, words.saved, left);
        draw_side(canvas, lower, words.loaded, trace::State::running);
    }
    end_panel();
}

}  // namespace fiberscope::viewer
