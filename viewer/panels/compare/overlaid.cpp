#include "viewer/panels/compare/overlaid.h"

#include <algorithm>

#include "viewer/layout/trace_facts/sentence.h"
#include "viewer/panels/compare/row_title.h"

namespace fiberscope::viewer {
namespace {

constexpr float kTitle = 1.5F, kLeastRows = 7;  // em

/// "1  mixed …  event 12 of 81  main resumes A": a line for each file.
void draw_titles(const Style& style, std::span<const OverlayFile> files, std::size_t leader, const std::string& same,
                 Rect area) {
    const Rect r = begin_panel("titles", area, style, "");
    const Canvas canvas(ImGui::GetWindowDrawList(), style);
    const Palette& colors = style.colors();
    for (std::size_t f = 0; f < files.size(); ++f) {
        const float y = r.y0 + kTitle * style.em * static_cast<float>(f);
        const Rect line{r.x0, y, r.x1, y + kTitle * style.em};
        if (f == leader) canvas.fill({area.x0, line.y0, area.x0 + 0.3F * style.em, line.y1}, colors.chosen);
        const Sentence words = sentence_at(files[f].replay, files[f].index, files[f].selection, style.language);
        const float x = line.x0 + 0.5F * style.em;
        canvas.text({x, canvas.text_y(line)}, std::to_string(f + 1), colors.text, style.fonts.bold);
        draw_row_title(canvas, {x + 1.2F * style.em, line.y0, line.x1, line.y1}, files[f].replay.trace(), words);
    }
    if (!same.empty())
        canvas.text(
            {r.x0 + 0.5F * style.em, r.y0 + kTitle * style.em * static_cast<float>(files.size()) + 0.1F * style.em},
            same, colors.dim, nullptr, r.width());
    end_panel();
}

}  // namespace

void OverlaidPanel::take_deed(const OverlayDeed& deed) {
    if (deed.difference) return comparing_.choose_difference(*deed.difference);
    const Documents documents = state_.files.readable();
    Document& acted = *documents[deed.file];
    const Selection before = acted.selection();
    acted.selection() = deed.selection;
    const auto tabs = state_.files.tabs();
    if (before.chosen != deed.selection.chosen || before.playhead != deed.selection.playhead)
        for (std::size_t i = 0; i < tabs.size(); ++i)
            if (tabs[i].document.get() == &acted) state_.files.activate(i);
    if (before.playhead != deed.selection.playhead) acted.playback().playing = false;
    state_.files.follow(acted, before);
}

OverlaidPanel::Places OverlaidPanel::layout(Rect area, Heights wish) const {
    const float em = style_.em, gap = 0.35F * em, around = 0.6F * em;
    const bool present = state_.present;  // the rows have the room of the playback and the legend then
    const Rect all = area.shrunk(gap);
    Places at;
    at.titles = {all.x0, all.y0, all.x1, all.y0 + wish.titles + around};
    at.playback = {all.x0, all.y1 - (present ? 0 : 2.5F * em), all.x1, all.y1};
    at.legend = {all.x0, at.playback.y0 - (present ? 0 : gap + wish.legend + around), all.x1,
                 at.playback.y0 - (present ? 0 : gap)};
    // The rows come first, then the sets.
    const float rows = std::max(kLeastRows * em, wish.rows + around);
    if (at.legend.y0 - at.titles.y1 - 2 * gap - wish.strip < rows) wish.strip = 0;
    at.sets = {all.x0, at.legend.y0 - gap - wish.strip, all.x1, at.legend.y0 - gap};
    at.rows = {all.x0, at.titles.y1 + gap, all.x1, (wish.strip > 0 ? at.sets.y0 : at.legend.y0) - gap};
    return at;
}

std::optional<OverlayDeed> OverlaidPanel::draw_rows(const std::vector<OverlayFile>& files, std::size_t leader,
                                                    const Places& at) {
    std::optional<OverlayDeed> deed =
        panel_.draw(style_, files, comparing_.matches(), leader, at.rows, comparing_.leaves_out_same());
    draw_titles(style_, files, leader, panel_.drawn().same_words, at.titles);
    if (!at.sets.empty())
        if (const auto chosen = draw_sets_strip(style_, files, at.sets)) deed = chosen;
    state_.note_panel("lanes", at.rows);
    state_.note_panel("sets", at.sets);
    state_.note_panel("legend", at.legend);
    return deed;
}

std::optional<Action> OverlaidPanel::draw(Rect area) {
    const float em = style_.em, width = area.shrunk(0.35F * em).width();
    std::size_t leader = 0;
    const std::vector<OverlayFile> files = comparing_.overlay_files(leader);
    std::vector<LegendSource> sources;
    for (const OverlayFile& file : files) sources.push_back({&file.replay.trace(), &file.index, false, false});
    const Legend legend = layout_legend(sources, width - em, metrics_of(style_));
    const auto& matches = comparing_.matches();
    const bool same = comparing_.leaves_out_same() &&
                      std::any_of(matches.begin(), matches.end(), [](const auto& m) { return m.same; });
    const Places at = layout(area, {.titles = kTitle * em * static_cast<float>(files.size() + (same ? 1 : 0)),
                                    .rows = least_overlay_height(files, matches, same, em),
                                    .strip = sets_strip_height(files) * em,
                                    .legend = legend.height});
    const std::optional<OverlayDeed> deed = draw_rows(files, leader, at);
    Document& active = state_.files.document();
    const Scene scene{active.replay(), active.index(), style_};
    if (!at.legend.empty()) draw_legend(scene, at.legend, legend);
    const Selection before = active.selection();
    draw_overlays(state_, area, area.y1, scene, active.selection());
    std::optional<Action> pressed;
    if (!at.playback.empty()) pressed = draw_playback_bar(scene, at.playback, active.selection(), active.playback());
    state_.files.follow(active, before);
    if (deed) take_deed(*deed);
    return pressed;
}

}  // namespace fiberscope::viewer
