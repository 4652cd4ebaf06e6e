#include "viewer/layout/base/fitting.h"
#include "viewer/layout/words/handout.h"
#include "viewer/layout/words/sentence.h"
#include "viewer/panels/panels.h"

namespace fiberscope::viewer {

namespace {

/// Where to read on, at the right end of `r`, as much as has room.
void draw_handout(const Canvas& canvas, Rect r, const trace::Head& head) {
    const Handout* handout = handout_of(head);
    if (handout == nullptr) return;
    const std::string step = "read " + std::string(handout->title) + ": ", section(handout->section),
                      source(handout->source);
    const std::string words = first_fitting(metrics_of(canvas.style().fonts.text, canvas.style().em), r.width(),
                                            {step + section + "  ·  " + source, step + section, step + source, ""});
    canvas.text({r.x1 - canvas.text_width(words), canvas.text_y(r)}, words, canvas.style().colors().dim);
}

}  // namespace

void draw_sentence(const Scene& scene, Rect area, const Selection& selection) {
    const Rect r = begin_panel("sentence", area, scene.style, "");
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const Style& style = scene.style;
    const float em = style.em;
    const Sentence words = sentence_at(scene.replay, scene.index, selection);
    const Rect top{r.x0, r.y0, r.x1, r.y0 + 1.2F * em};
    const float title = canvas.text({top.x0, canvas.text_y(top)}, title_line(scene.replay.trace()), style.colors().dim,
                                    nullptr, top.width());
    draw_handout(canvas, {top.x0 + title + 2 * em, top.y0, top.x1, top.y1}, scene.replay.trace().head);
    const Rect upper{r.x0, top.y1, r.x1, top.y1 + 1.9F * em}, because{r.x0, upper.y1, r.x1, upper.y1 + 1.25F * em},
        lower{r.x0, because.y1, r.x1, because.y1 + 1.35F * em};
    canvas.text({because.x0, canvas.text_y(because)}, words.why, style.colors().text, nullptr, because.width());
    const float where_width = canvas.text_width(words.where, style.fonts.bold) + 1.2F * em;
    const Rect where{upper.x0, upper.y0 + 0.1F * em, upper.x0 + where_width, upper.y1 - 0.1F * em};
    canvas.frame(where, style.colors().playhead, 2);
    canvas.text_in(where, words.where, style.colors().text, style.fonts.bold);
    const float x = where.x1 + 0.8F * em;
    canvas.text({x, canvas.text_y(upper, style.fonts.large)}, words.happened, style.colors().text, style.fonts.large,
                upper.x1 - x);
    float chosen_x = lower.x0;
    if (selection.chosen < scene.replay.coroutines() && scene.replay.coroutine(selection.chosen).exists) {
        const float side = 1.2F * em, y = lower.middle_y() - side / 2;
        canvas.chip({chosen_x, y, chosen_x + side, y + side},
                    look(scene.replay.coroutine(selection.chosen).state,
                         idle_now(scene.replay, scene.index, selection.chosen), style.theme));
        chosen_x += side + 0.5F * em;
    }
    canvas.text({chosen_x, canvas.text_y(lower)}, words.chosen,
                selection.chosen == trace::kNone ? style.colors().dim : style.colors().text, nullptr,
                lower.x1 - chosen_x);
    end_panel();
}

}  // namespace fiberscope::viewer
