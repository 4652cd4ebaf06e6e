#include "viewer/layout/page/svg/card_svg.h"

#include "viewer/layout/page/svg/svg_writer.h"

namespace fiberscope::viewer {
namespace {

const std::string kBoldText = " font-weight=\"bold\"", kCodeText = " font-family=\"monospace\" xml:space=\"preserve\"";

std::string frame_of(Color color, float width) {
    return " fill-opacity=\"0\" stroke=\"" + svg_color(color) + "\" stroke-width=\"" +
           std::to_string(static_cast<int>(width)) + "\"";
}

class CardSvg : SvgWriter {
  public:
    CardSvg(float width, float height, float em, Theme theme)
        : SvgWriter(width, height, em), colors_(palette(theme)), em_(em), theme_(theme) {
        rect({0, 0, width, height}, colors_.panel);
    }

    std::string picture(const DecisionCard& card) {
        for (const CardCell& cell : card.cells) draw(cell);
        words(card.caption, colors_.dim);
        return finished();
    }

  private:
    float base(Rect r) const { return r.middle_y() + 0.35F * em_; }
    void words(const CardText& its, Color color, const std::string& more = "") {
        text({its.rect.x0, base(its.rect)}, its.words, color, more);
    }

    void draw(const CardCell& cell) {
        rect(cell.rect.shrunk(0.15F * em_), colors_.panel, frame_of(colors_.line, 1));
        words(cell.title, colors_.text, kBoldText);
        words(cell.more, colors_.dim);
        for (const CardRow& row : cell.rows) {
            words(row.name, colors_.text, kBoldText);
            words(row.count, colors_.dim);
            for (const CardBox& its : row.boxes) box(its);
            words(row.more, colors_.text);
        }
        for (const CardText& line : cell.rule) words(line, colors_.text);
        words(cell.source, colors_.dim);
        for (const CardLine& code : cell.lines) {
            if (code.chose) rect(code.rect, colors_.playhead, " fill-opacity=\"0.35\"");
            text({code.text_x - 0.6F * em_, base(code.rect)}, code.number, colors_.dim,
                 kCodeText + " text-anchor=\"end\"");
            text({code.text_x, base(code.rect)}, code.text, colors_.text, kCodeText);
        }
    }

    /// A member in the colour of its state; ringed: what runs next; with dashes: what another file runs instead.
    void box(const CardBox& its) {
        const Look& state = look(its.state, theme_);
        if (its.there) rect(its.rect, state.fill);
        const Color ink = its.there ? state.ink : colors_.text;
        if (its.there) text({its.rect.x0 + 0.35F * em_, base(its.rect)}, state.letter, ink, kBoldText);
        text({its.rect.x0 + 1.45F * em_, base(its.rect)}, its.name, ink);
        rect(its.rect, colors_.panel, its.chosen ? frame_of(colors_.playhead, 3) : frame_of(colors_.line, 1));
        if (its.others.empty()) return;
        rect(its.rect, colors_.panel, frame_of(colors_.text, 2) + " stroke-dasharray=\"6 4\"");
        rect(its.others_rect, colors_.text);
        text({its.others_rect.middle_x(), base(its.others_rect)}, its.others, colors_.panel,
             kBoldText + " text-anchor=\"middle\"");
    }

    const Palette& colors_;
    float em_;
    Theme theme_;
};

}  // namespace

std::string card_svg_of(std::span<const CardFile> files, float width, float em, Theme theme, Language language) {
    const Metrics metrics = rough_metrics(em, language);
    const float height = wanted_card_height(files, width, metrics);
    return CardSvg(width, height, em, theme)
        .picture(layout_decision_card(files, {0, 0, width, height}, metrics, metrics));
}

}  // namespace fiberscope::viewer
