#include "viewer/panels/tables/figures_panel.h"

#include "viewer/layout/base/fitting.h"
#include "viewer/panels/panels.h"

namespace fiberscope::viewer {
namespace {

constexpr float kVerdictLine = 1.3F;  // em

void draw_cell(const Canvas& canvas, const FigureCell& cell, bool tight) {
    const Style& style = canvas.style();
    const Palette& colors = style.colors();
    const bool two = !cell.difference.empty();
    const float split = two ? cell.rect.middle_y() : cell.rect.y1;
    canvas.text_at_right({cell.rect.x0, cell.rect.y0, cell.rect.x1, split}, cell.value, colors.text,
                         cell.best && !tight ? style.fonts.bold : nullptr);
    if (cell.best) {
        const float underline =
            std::min(canvas.text_width(cell.value, tight ? nullptr : style.fonts.bold), cell.rect.width());
        canvas.fill({cell.rect.x1 - underline, split - 2, cell.rect.x1, split}, colors.text);
    }
    if (!two) return;
    std::string sign = cell.verdict == Verdict::better ? "▲" : cell.verdict == Verdict::worse ? "▼" : "";
    if (!tight && !sign.empty()) sign += " ";
    const bool bold = cell.verdict == Verdict::better && !tight;
    canvas.text_at_right({cell.rect.x0, split, cell.rect.x1, cell.rect.y1}, sign + cell.difference,
                         cell.verdict == Verdict::none ? colors.dim : colors.text, bold ? style.fonts.bold : nullptr);
}

/// The figures that do not differ, in a few lines.
void draw_same(const Canvas& canvas, const FiguresTable& table) {
    constexpr std::size_t kMostLines = 4;
    const Rect& r = table.same_rect;
    if (r.empty() || table.same.empty()) return;
    const float em = canvas.style().em;
    float y = r.y0 + 0.1F * em;
    for (const std::string& line : wrapped(metrics_of(canvas.style()), r.width(), r.width(), table.same, kMostLines)) {
        canvas.text({r.x0, y}, line, canvas.style().colors().dim);
        y += 1.25F * em;
    }
}

/// `table` where layout_figures has put it.
void draw_figures_table(const Canvas& canvas, const FiguresTable& table) {
    const Style& style = canvas.style();
    const Palette& colors = style.colors();
    const auto halves = [](Rect r) {
        return std::pair{Rect{r.x0, r.y0, r.x1, r.middle_y()}, Rect{r.x0, r.middle_y(), r.x1, r.y1}};
    };
    const auto [upper, lower] = halves(table.note);
    canvas.text({upper.x0, canvas.text_y(upper)}, table.upper, colors.dim, nullptr, upper.width());
    canvas.text({lower.x0, canvas.text_y(lower)}, table.lower, colors.dim, nullptr, lower.width());
    draw_same(canvas, table);
    const ImFont* font = table.tight ? style.fonts.text : style.fonts.bold;
    for (const FigureHead& head : table.heads) {
        const auto [first, second] = halves(head.rect);
        canvas.text_at_right(head.lower.empty() ? second : first, head.upper, colors.text, font);
        if (!head.lower.empty()) canvas.text_at_right(second, head.lower, colors.text, font);
        if (ImGui::IsWindowHovered() &&
            ImGui::IsMouseHoveringRect({head.rect.x0, head.rect.y0}, {head.rect.x1, head.rect.y1}))
            ImGui::SetTooltip("%s", head.meaning.c_str());
    }
    for (const FigureRow& row : table.rows) {
        const float right = row.cells.empty() ? row.name_rect.x1 : row.cells.back().rect.x1;
        canvas.line({row.name_rect.x0, row.name_rect.y0 - 1}, {right, row.name_rect.y0 - 1}, colors.line);
        canvas.text({row.name_rect.x0, canvas.text_y(row.name_rect, style.fonts.bold)}, row.name, colors.text,
                    style.fonts.bold, row.name_rect.width());
        for (const FigureCell& cell : row.cells) draw_cell(canvas, cell, table.tight);
    }
}

}  // namespace

float FiguresPanel::height(std::size_t files, std::size_t lines, float em) noexcept {
    return figures_height(files, em) + kVerdictLine * em * static_cast<float>(lines);
}

void FiguresPanel::draw(Rect area, const std::vector<std::string>& verdict) {
    const Style& style = state_.style;
    drawn_ = {};
    shown_ = !area.empty();
    if (!shown_) return;
    state_.note_panel("figures", area);
    std::vector<FiguresOf> files;
    for (Tab& tab : state_.files.tabs())
        if (tab.readable()) files.push_back({tab.document->title(), tab.figures()});
    const Rect r = begin_panel("figures", area, style, "");
    drawn_ = layout_figures(files, r, metrics_of(style));
    const Canvas canvas(ImGui::GetWindowDrawList(), style);
    draw_figures_table(canvas, drawn_);
    float y = r.y1 - kVerdictLine * style.em * static_cast<float>(verdict.size());
    for (const std::string& line : verdict) {
        canvas.text({r.x0, y}, line, style.colors().text, nullptr, r.width());
        y += kVerdictLine * style.em;
    }
    end_panel();
}

}  // namespace fiberscope::viewer
