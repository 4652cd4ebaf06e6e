#include "viewer/panels/compare/row_title.h"

namespace fiberscope::viewer {

void draw_row_title(const Canvas& canvas, Rect r, const trace::Trace& trace, const Sentence& words) {
    const Style& style = canvas.style();
    const RowTitle row = row_title(trace, words, r.width(), metrics_of(style));
    float x = r.x0;
    x += canvas.text({x, canvas.text_y(r)}, row.title, style.colors().text, style.fonts.bold) + style.em;
    x += canvas.text({x, canvas.text_y(r)}, row.where, style.colors().dim) + style.em;
    canvas.text({x, canvas.text_y(r)}, row.happened, style.colors().text);
}

}  // namespace fiberscope::viewer
