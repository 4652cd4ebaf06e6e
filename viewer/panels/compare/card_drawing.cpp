#include "viewer/panels/compare/card_drawing.h"

#include "viewer/panels/sets/set_drawing.h"
#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {
namespace {

constexpr float kLeastLanes = 20;  // em, with titles and what is below them

Metrics code_metrics(const Style& style) {
    Metrics metrics = metrics_of(style);
    const ImFont* mono = style.fonts.mono;
    metrics.width = [mono](std::string_view text) {
        return mono->CalcTextSizeA(size_of(mono), 1e9F, 0, text.data(), text.data() + text.size()).x;
    };
    return metrics;
}

void draw_box(const Canvas& canvas, const CardBox& box) {
    const Style& style = canvas.style();
    const Palette& colors = style.colors();
    const Rect r = box.rect;
    const float em = style.em;
    Color ink = colors.text;
    if (box.there) {
        canvas.fill_state(r, box.state);
        ink = look(box.state, style.theme).ink;
        canvas.text({r.x0 + 0.35F * em, canvas.text_y(r)}, look(box.state, style.theme).letter, ink, style.fonts.bold);
    }
    canvas.text({r.x0 + 1.45F * em, canvas.text_y(r)}, box.name, ink);
    if (box.chosen) {
        canvas.list()->AddRect({r.x0 - 2, r.y0 - 2}, {r.x1 + 2, r.y1 + 2}, packed(colors.playhead), 0.3F * em, 0,
                               std::max(3.0F, 0.2F * em));
    } else {
        canvas.frame(r, colors.line);
    }
    if (box.others.empty()) return;
    draw_dashed_frame(canvas, {r.x0 - 1, r.y0 - 1, r.x1 + 1, r.y1 + 1}, colors.text, std::max(2.0F, 0.13F * em));
    canvas.fill(box.others_rect, colors.text);
    canvas.text_in(box.others_rect, box.others, colors.panel, style.fonts.bold);
}

void draw_row(const Canvas& canvas, const CardRow& row) {
    const Palette& colors = canvas.style().colors();
    canvas.text({row.name.rect.x0, canvas.text_y(row.name.rect)}, row.name.words, colors.text,
                canvas.style().fonts.bold);
    canvas.text({row.count.rect.x0, canvas.text_y(row.count.rect)}, row.count.words, colors.dim);
    for (const CardBox& box : row.boxes) draw_box(canvas, box);
    canvas.text({row.more.rect.x0, canvas.text_y(row.more.rect)}, row.more.words, colors.text);
}

void draw_code(const Canvas& canvas, const CardLine& line) {
    const Palette& colors = canvas.style().colors();
    const ImFont* mono = canvas.style().fonts.mono;
    const float y = canvas.text_y(line.rect, mono);
    if (line.chose) canvas.fill(line.rect, colors.playhead.with_alpha(90));
    canvas.text({line.text_x - 0.6F * canvas.style().em - canvas.text_width(line.number, mono), y}, line.number,
                colors.dim, mono);
    canvas.text({line.text_x, y}, line.text, colors.text, mono);
}

/// Returns whether the source was clicked.
bool draw_cell(const Canvas& canvas, const CardCell& cell) {
    const Style& style = canvas.style();
    const Palette& colors = style.colors();
    const auto line = [&](const CardText& text, Color color, const ImFont* font = nullptr) {
        canvas.text({text.rect.x0, canvas.text_y(text.rect, font)}, text.words, color, font);
    };
    canvas.frame(cell.rect.shrunk(0.15F * style.em), colors.line);
    line(cell.title, colors.text, style.fonts.bold);
    line(cell.more, colors.dim);
    for (const CardRow& row : cell.rows) draw_row(canvas, row);
    for (const CardText& words : cell.rule) line(words, colors.text);
    line(cell.source, colors.dim);
    bool source = clicked(cell.source.rect);
    for (const CardLine& code : cell.lines) {
        draw_code(canvas, code);
        source = source || clicked(code.rect);
    }
    return source;
}

}  // namespace

Rect place_of_card(const Style& style, Rect area, std::span<const CardFile> files) {
    const float wanted = wanted_card_height(files, area.width(), metrics_of(style));
    const bool all = area.height() - wanted < kLeastLanes * style.em;
    return {area.x0, area.y0, area.x1, all ? area.y1 : area.y0 + wanted};
}

std::optional<Action> draw_decision_card(const Style& style, Rect area, std::span<const CardFile> files) {
    begin_panel("card", area, style, "");
    const Canvas canvas(ImGui::GetWindowDrawList(), style);
    const DecisionCard card = layout_decision_card(files, area, metrics_of(style), code_metrics(style));
    bool source = false;
    for (const CardCell& cell : card.cells) source = draw_cell(canvas, cell) || source;
    canvas.text({card.caption.rect.x0, canvas.text_y(card.caption.rect)}, card.caption.words, style.colors().dim);
    end_panel();
    return source ? std::optional(Action::source) : std::nullopt;
}

}  // namespace fiberscope::viewer
