#include "viewer/panels/compare/row_title.h"

namespace fiberscope::viewer {
namespace {

constexpr float kTwoLines = 2;  // em: the title of a row that has two

}  // namespace

void draw_row_title(const Canvas& canvas, Rect r, const trace::Trace& trace, const Sentence& words) {
    const Style& style = canvas.style();
    const bool two = r.height() >= kTwoLines * style.em;
    const Rect first{r.x0, r.y0, r.x1, two ? r.middle_y() : r.y1}, second{r.x0, first.y1, r.x1, r.y1};
    const RowTitle row = row_title(trace, words, r.width(), metrics_of(style), two);
    float x = r.x0;
    x += canvas.text({x, canvas.text_y(first)}, row.title, style.colors().text, style.fonts.bold) + style.em;
    x += canvas.text({x, canvas.text_y(first)}, row.where, style.colors().dim) + style.em;
    const Rect place = two ? second : Rect{x, first.y0, r.x1, first.y1};
    canvas.text({place.x0, canvas.text_y(place)}, row.happened, style.colors().text);
}

}  // namespace fiberscope::viewer
