#include <cmath>

#include "viewer/layout/base/fitting.h"
#include "viewer/layout/page/frame.h"
#include "viewer/layout/trace_facts/sentence.h"
#include "viewer/panels/panels.h"

namespace fiberscope::viewer {

namespace {

/// Underlined text in `r`; returns whether it was clicked.
bool draw_link(const Canvas& canvas, Rect r, const std::string& words) {
    const bool over = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({r.x0, r.y0}, {r.x1, r.y1});
    const Color color = over ? canvas.style().colors().text : canvas.style().colors().dim;
    canvas.text({r.x0, canvas.text_y(r)}, words, color);
    const float y = std::round(r.middle_y() + 0.55F * canvas.style().em);
    if (!words.empty()) canvas.line({r.x0, y}, {r.x1, y}, color.with_alpha(130));
    return over && !words.empty() && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
}

/// Links to the handout, at the right end of `r`, as many as fit.
std::optional<Mechanism> draw_handout(const Canvas& canvas, Rect r, const trace::Head& head) {
    std::optional<Mechanism> whole = handout_of(head);
    if (!whole) return std::nullopt;
    const Style& style = canvas.style();
    const std::string step = style.says("read {0}: ", title_of(*whole, style.language)),
                      section = handout_in(*whole, style.language),
                      source(whole->source.substr(whole->source.rfind('/') + 1));
    const std::string words = first_fitting(metrics_of(canvas.style()), r.width(),
                                            {step + section + "  ·  " + source, step + section, step + source, ""});
    return draw_link(canvas, {r.x1 - canvas.text_width(words), r.y0, r.x1, r.y1}, words) ? whole : std::nullopt;
}

/// "step N.N →" after `x` in `r`, if it fits; returns whether it was clicked.
bool draw_step(const Canvas& canvas, Rect r, float x, const std::optional<Mechanism>& mechanism) {
    if (!mechanism) return false;
    const std::string words = title_of(*mechanism, canvas.style().language) + " →";
    const float left = x + 0.8F * canvas.style().em;
    const Rect place{left, r.y0, left + canvas.text_width(words), r.y1};
    return place.x1 <= r.x1 && draw_link(canvas, place, words);
}

/// In large letters; if it is too long, in normal ones, in up to two lines.
void draw_happened(const Canvas& canvas, Rect r, const std::string& words) {
    const Style& style = canvas.style();
    const Color color = style.colors().text;
    if (canvas.text_width(words, style.fonts.large) <= r.width()) {
        canvas.text({r.x0, canvas.text_y(r, style.fonts.large)}, words, color, style.fonts.large);
        return;
    }
    auto lines = wrapped(metrics_of(style), r.width(), r.width(), words, 2);
    if (lines.empty()) lines = {words};
    float y = r.middle_y() - 0.5F * style.em * static_cast<float>(lines.size());
    for (const std::string& line : lines) {
        canvas.text({r.x0, y}, line, color, nullptr, r.width());
        y += style.em;
    }
}

/// The sentence about coroutine `chosen`, if any, with the sign of its state before it and the step of its state after
/// it. Returns the clicked mechanism.
std::optional<Mechanism> draw_chosen(const Canvas& canvas, const Scene& scene, Rect r, const std::string& words,
                                     std::uint32_t chosen) {
    const Style& style = scene.style;
    const float em = style.em;
    const bool exists = chosen < scene.replay.coroutines() && scene.replay.coroutine(chosen).exists;
    float x = r.x0;
    if (exists) {
        const float side = 1.2F * em, y = r.middle_y() - side / 2;
        canvas.chip({x, y, x + side, y + side}, look(scene.replay.coroutine(chosen).state,
                                                     idle_now(scene.replay, scene.index, chosen), style.theme));
        x += side + 0.5F * em;
    }
    const Color ink = chosen == trace::kNone ? style.colors().dim : style.colors().text;
    const float end = x + canvas.text({x, canvas.text_y(r)}, words, ink, nullptr, r.x1 - x);
    if (!exists) return std::nullopt;
    const trace::CoroutineNow& now = scene.replay.coroutine(chosen);
    const auto holds = mechanism_of(scene.replay.trace(), now.state, now.reason);
    return draw_step(canvas, r, end, holds) ? holds : std::nullopt;
}

/// The framed position of the playhead, from `at`; returns its right end.
float draw_where(const Canvas& canvas, Point at, const Sentence& words) {
    const Style& style = canvas.style();
    const float width = canvas.text_width(words.where, style.fonts.bold) + 1.2F * style.em;
    const Rect where{at.x, at.y + 0.1F * style.em, at.x + width, at.y + 1.8F * style.em};
    canvas.frame(where, style.colors().playhead, 2);
    canvas.text_in(where, words.where, style.colors().text, style.fonts.bold);
    return where.x1;
}

/// In a narrow panel: the position, and below it one sentence after the other, each in as many lines as it needs and as
/// remain.
void draw_narrow(const Canvas& canvas, const Scene& scene, Rect r, const Sentence& words, const Selection& selection) {
    constexpr float kLine = 1.25F;
    const Style& style = scene.style;
    const float em = style.em, x = draw_where(canvas, {r.x0, r.y0}, words) + 0.8F * em;
    const Metrics metrics = metrics_of(style);
    const std::string name = first_fitting(metrics, r.x1 - x, {scene.replay.trace().file.filename().string(), ""});
    canvas.text({x, canvas.text_y({x, r.y0, r.x1, r.y0 + 1.9F * em})}, name, style.colors().dim);
    float y = r.y0 + 2 * em;
    const auto write = [&](const std::string& sentence, Color color) {
        const auto left = static_cast<std::size_t>(std::max(0.0F, (r.y1 - y + 0.2F * em) / (kLine * em)));
        if (left == 0) return;
        auto lines = wrapped(metrics, r.width(), r.width(), sentence, left);
        if (lines.empty()) lines = {fitting_sentence(metrics, r.width(), sentence, true)};
        for (const std::string& line : lines) {
            canvas.text({r.x0, y}, line, color, nullptr, r.width());
            y += kLine * em;
        }
    };
    write(words.happened, style.colors().text);
    write(words.why, style.colors().text);
    write(words.chosen, selection.chosen == trace::kNone ? style.colors().dim : style.colors().text);
}

}  // namespace

std::optional<Mechanism> draw_sentence(const Scene& scene, Rect area, const Selection& selection) {
    const Rect r = begin_panel("sentence", area, scene.style, "");
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const Style& style = scene.style;
    const float em = style.em;
    const Sentence words = sentence_at(scene.replay, scene.index, selection, style.language);
    if (is_narrow(area, em)) {
        draw_narrow(canvas, scene, r, words, selection);
        end_panel();
        return std::nullopt;
    }
    const Rect top{r.x0, r.y0, r.x1, r.y0 + 1.2F * em};
    const float title = canvas.text({top.x0, canvas.text_y(top)}, title_line(scene.replay.trace()), style.colors().dim,
                                    nullptr, top.width());
    std::optional<Mechanism> clicked =
        draw_handout(canvas, {top.x0 + title + 2 * em, top.y0, top.x1, top.y1}, scene.replay.trace().head);
    const Rect upper{r.x0, top.y1, r.x1, top.y1 + 1.9F * em}, because{r.x0, upper.y1, r.x1, upper.y1 + 1.25F * em},
        lower{r.x0, because.y1, r.x1, because.y1 + 1.35F * em};
    const float why =
        canvas.text({because.x0, canvas.text_y(because)}, words.why, style.colors().text, nullptr, because.width());
    const auto chose = line_before(scene.replay, scene.index.switches(), selection.playhead);
    if (draw_step(canvas, because, because.x0 + why, chose)) clicked = chose;
    const float x = draw_where(canvas, {upper.x0, upper.y0}, words) + 0.8F * em;
    draw_happened(canvas, {x, upper.y0, upper.x1, upper.y1}, words.happened);
    if (const auto step = draw_chosen(canvas, scene, lower, words.chosen, selection.chosen)) clicked = step;
    end_panel();
    return clicked;
}

}  // namespace fiberscope::viewer
