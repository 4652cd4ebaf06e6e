#include "viewer/panels/compare/matrix_panel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "viewer/panels/canvas.h"
#include "viewer/panels/over/strip.h"
#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {
namespace {

std::pair<Rect, Rect> upper_and_lower(Rect r) {
    return {{r.x0, r.y0, r.x1, r.middle_y()}, {r.x0, r.middle_y(), r.x1, r.y1}};
}

bool at_mouse(Rect r) { return ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({r.x0, r.y0}, {r.x1, r.y1}); }

/// Background of a strip or a row: marked for the reference, lighter under the mouse.
void ground(const Canvas& canvas, Rect r, bool reference) {
    const Style& style = canvas.style();
    if (at_mouse(r)) canvas.fill(r, style.colors().chosen.with_alpha(20));
    if (reference) canvas.fill({r.x0, r.y0, r.x0 + 0.25F * style.em, r.y1}, style.colors().chosen);
}

void draw_bar(const Canvas& canvas, const MatrixBar& bar) {
    const Theme theme = canvas.style().theme;
    switch (bar.kind) {
    case MatrixBarKind::tasks: canvas.fill(bar.rect, look(trace::State::running, theme).fill); break;
    case MatrixBarKind::others: canvas.fill(bar.rect, canvas.style().colors().dim.with_alpha(150)); break;
    case MatrixBarKind::spins: canvas.fill_look(bar.rect, look(trace::Idle::spins, theme)); break;
    case MatrixBarKind::queue: canvas.fill(bar.rect, look(trace::State::ready, theme).fill); break;
    }
}

void draw_pictures(const Canvas& canvas, const MatrixStrip& strip) {
    const Style& style = canvas.style();
    const Palette& colors = style.colors();
    ground(canvas, strip.rect, strip.reference);
    if (at_mouse(strip.rect)) ImGui::SetTooltip("%s: %s", strip.name.c_str(), strip.words.c_str());
    const Rect& name = strip.name_rect;
    canvas.line({strip.rect.x0, strip.rect.y0}, {strip.rect.x1, strip.rect.y0}, colors.line);
    const float y = canvas.text_y(name, style.fonts.bold);
    const float width = canvas.text({name.x0, y}, strip.name, colors.text, style.fonts.bold, name.width());
    if (!strip.aside.empty()) canvas.text({name.x0 + width + 0.7F * style.em, y}, strip.aside, colors.dim);
    Rect line = name;
    for (const std::string& words : strip.lines) {
        line = {line.x0, line.y1, line.x1, line.y1 + name.height()};
        canvas.text({line.x0, canvas.text_y(line)}, words, colors.dim, nullptr, line.width());
    }
    for (const Rect& lane : strip.lanes) canvas.fill(lane, colors.lane_other);
    canvas.fill(strip.queue, colors.lane);
}

void draw_pictures(const Canvas& canvas, const Matrix& matrix) {
    const Style& style = canvas.style();
    const Palette& colors = style.colors();
    for (const MatrixStrip& strip : matrix.strips) draw_pictures(canvas, strip);
    for (const MatrixBar& bar : matrix.bars) draw_bar(canvas, bar);
    for (const MatrixStrip& strip : matrix.strips)
        if (strip.difference >= 0 && !strip.lanes.empty())
            canvas.fill({strip.difference - 1, strip.lanes[0].y0, strip.difference + 1, strip.queue.y1}, colors.text);
    for (const Tick& tick : matrix.ticks) {
        const float x = matrix.scale.x(tick.t);
        canvas.line({x, matrix.axis.y0}, {x, matrix.axis.y0 + (tick.label.empty() ? 0.2F : 0.35F) * style.em},
                    colors.dim);
        if (!tick.label.empty() && x + canvas.text_width(tick.label) < matrix.strips_area.x1)
            canvas.text({x + 0.25F * style.em, matrix.axis.y0 + 0.1F * style.em}, tick.label, colors.dim);
    }
    if (!matrix.legend.empty())
        canvas.text({matrix.note.x0, matrix.axis.y1}, matrix.legend, colors.dim, nullptr,
                    matrix.strips_area.x1 - matrix.note.x0);
}

void draw_head(const Canvas& canvas, const MatrixHead& head) {
    const Style& style = canvas.style();
    const Palette& colors = style.colors();
    const auto [first, second] = upper_and_lower(head.rect);
    if (at_mouse(head.rect)) {
        canvas.fill(head.rect, colors.control_hot);
        ImGui::SetTooltip("%s", head.meaning.c_str());
    }
    const std::string sign = head.sign == '<' ? "↑" : head.sign == '>' ? "↓" : "";
    const std::string& last = head.lower.empty() ? head.upper : head.lower;
    if (!head.lower.empty()) canvas.text_at_right(first, head.upper, colors.text);
    canvas.text_at_right(second, sign + last, colors.text);
    if (head.sign != 0)
        canvas.fill({head.rect.x0, head.rect.y1 - 0.12F * style.em, head.rect.x1, head.rect.y1}, colors.text);
}

void draw_cell(const Canvas& canvas, const FigureCell& cell) {
    const Palette& colors = canvas.style().colors();
    const std::string sign = cell.verdict == Verdict::better ? "▲" : cell.verdict == Verdict::worse ? "▼" : "";
    const Rect& value = cell.value_rect;
    canvas.text_at_right(value, (cell.ratio.empty() ? sign : "") + cell.value, colors.text);
    if (cell.best) {
        const float width = std::min(canvas.text_width(cell.value), value.width());
        canvas.fill({value.x1 - width, value.y1 - 2, value.x1, value.y1}, colors.text);
    }
    canvas.text_at_right(cell.ratio_rect, cell.ratio.empty() ? "" : sign + cell.ratio,
                         cell.verdict == Verdict::none ? colors.dim : colors.text);
}

void draw_table(const Canvas& canvas, const Matrix& matrix) {
    const Style& style = canvas.style();
    const Palette& colors = style.colors();
    const auto [upper, lower] = upper_and_lower(matrix.note);
    canvas.text({upper.x0, canvas.text_y(upper)}, matrix.upper, colors.dim, nullptr, upper.width());
    canvas.text({lower.x0, canvas.text_y(lower)}, matrix.lower, colors.dim, nullptr, lower.width());
    for (const MatrixHead& head : matrix.heads) draw_head(canvas, head);
    for (const MatrixRow& row : matrix.rows) {
        ground(canvas, row.rect, row.reference);
        canvas.line({row.rect.x0, row.rect.y0 - 1}, {row.rect.x1, row.rect.y0 - 1}, colors.line);
        canvas.text({row.name_rect.x0, canvas.text_y(row.name_rect, style.fonts.bold)}, row.name, colors.text,
                    style.fonts.bold, row.name_rect.width());
        for (const FigureCell& cell : row.cells) draw_cell(canvas, cell);
    }
    canvas.text({matrix.rest_rect.x0, canvas.text_y(matrix.rest_rect)}, matrix.rest, colors.dim, nullptr,
                matrix.rest_rect.width());
}

}  // namespace

const MatrixDifference& MatrixPanel::difference(std::size_t reference, std::size_t tab) {
    const std::pair key(reference, tab);
    const auto found =
        std::find_if(differences_.begin(), differences_.end(), [&](const auto& one) { return one.first == key; });
    if (found != differences_.end()) return found->second;
    const auto tabs = state_.files.tabs();
    const auto run = [&](std::size_t i) { return Run{tabs[i].document->replay(), tabs[i].document->index()}; };
    return differences_
        .emplace_back(key, reference == tab ? MatrixDifference()
                                            : matrix_difference(run(reference), tabs[reference].matrix().name, run(tab),
                                                                state_.style.language))
        .second;
}

void MatrixPanel::take_click(const std::vector<std::size_t>& tabs) {
    if (!ImGui::IsWindowHovered() || !ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
    const Point mouse{ImGui::GetIO().MousePos.x, ImGui::GetIO().MousePos.y};
    if (const auto column = drawn_.column_at(mouse)) order_ = clicked(order_, *column);
    if (const auto run = drawn_.run_at(mouse)) state_.files.activate(tabs[*run]);
}

/// Scrolls the columns by the buttons below the table, and by the wheel.
void MatrixPanel::take_scroll() {
    for (const auto& [r, label, by] : {std::tuple(drawn_.back, "◀", -1), {drawn_.forward, "▶", 1}}) {
        if (r.empty()) return;
        ImGui::SetCursorScreenPos({r.x0, r.y0});
        ImGui::PushID(by);
        if (button(state_.style, label, {r.width(), r.height()})) scroll(by);
        ImGui::PopID();
    }
    const ImGuiIO& io = ImGui::GetIO();
    wheel_ = at_mouse(drawn_.table_area) ? wheel_ - io.MouseWheel - io.MouseWheelH : 0;
    if (std::abs(wheel_) < 1) return;
    scroll(static_cast<int>(wheel_));
    wheel_ -= std::trunc(wheel_);
}

void MatrixPanel::scroll(int columns) noexcept {
    first_ = static_cast<std::size_t>(std::max(0, static_cast<int>(first_) + columns));
}

void MatrixPanel::draw(Rect area) {
    const Style& style = state_.style;
    area.y0 = draw_strips(style, area, std::array{state_.said});
    area = area.shrunk(0.35F * style.em);
    state_.note_panel("matrix", area);
    std::vector<const MatrixRun*> runs;
    std::vector<MatrixDifference> differences;
    std::vector<std::size_t> tabs;
    std::size_t reference = 0;
    const auto all = state_.files.tabs();
    const bool active = all[state_.files.active()].readable();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!all[i].readable()) continue;
        if (i == state_.files.active()) reference = tabs.size();
        tabs.push_back(i);
        runs.push_back(&all[i].matrix());
    }
    if (runs.empty()) return;
    for (const std::size_t tab : tabs) differences.push_back(difference(active ? state_.files.active() : tabs[0], tab));
    const Rect inner = begin_panel("matrix", area, style, "");
    const Canvas canvas(ImGui::GetWindowDrawList(), style);
    drawn_ = layout_matrix(runs, differences, reference, order_, inner, metrics_of(style), first_);
    first_ = drawn_.first;
    draw_pictures(canvas, drawn_);
    draw_table(canvas, drawn_);
    take_click(tabs);
    take_scroll();
    end_panel();
}

}  // namespace fiberscope::viewer
