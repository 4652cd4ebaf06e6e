// The part of the workspace that shows all files at once, one row a coroutine.
#include <algorithm>

#include "viewer/layout/words/sentence.h"
#include "viewer/panels/compare/row_title.h"
#include "viewer/panels/workspace.h"

namespace fiberscope::viewer {
namespace {

constexpr float kTitle = 1.5F, kOverlaidVerdictLine = 1.3F, kLeastRows = 7;  // em

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

std::vector<OverlayFile> Workspace::overlay_files(std::size_t& leader) {
    std::vector<OverlayFile> files;
    for (std::size_t i = 0; i < tabs_.size(); ++i) {
        const Document& document = *tabs_[i].document;
        if (!document.readable()) continue;
        if (i == active_) leader = files.size();
        files.push_back({document.replay(), document.index(), document.selection(), differences_of(i)});
    }
    return files;
}

const std::vector<OverlayMatch>& Workspace::matches() {
    std::size_t leader = 0;
    if (matches_.empty()) matches_ = match_lanes(overlay_files(leader), style_.language);
    return matches_;
}

void Workspace::apply_same() {
    const Documents documents = readable();
    for (std::size_t f = 0; f < documents.size(); ++f) {
        auto& same = documents[f]->selection().lanes.same;
        same.clear();
        if (!beside_ || !fold_same_) continue;
        for (const OverlayMatch& match : matches())
            if (match.same && !match.machine) same.push_back(match.ids[f]);
    }
}

void Workspace::take_deed(const OverlayDeed& deed) {
    if (deed.difference) return choose_difference(*deed.difference);
    const Documents documents = readable();
    Document& acted = *documents[deed.file];
    const Selection before = acted.selection();
    acted.selection() = deed.selection;
    if (&acted != &document() &&
        (before.chosen != deed.selection.chosen || before.playhead != deed.selection.playhead)) {
        document().playback().playing = false;
        for (std::size_t i = 0; i < tabs_.size(); ++i)
            if (tabs_[i].document.get() == &acted) active_ = i;
        tab_asked_ = true;
    }
    if (before.playhead != deed.selection.playhead) acted.playback().playing = false;
    follow(documents, acted, before, lock_);
}

void Workspace::draw_overlay(Rect area) {
    const float em = style_.em, gap = 0.35F * em;
    const Rect all = area.shrunk(gap);
    std::size_t leader = 0;
    const std::vector<OverlayFile> files = overlay_files(leader);
    std::vector<LegendSource> sources;
    for (const OverlayFile& file : files) sources.push_back({&file.replay.trace(), &file.index, false, false});
    const Legend legend = layout_legend(sources, all.width() - em, metrics_of(style_));
    const std::vector<std::string> lines = present_ ? std::vector<std::string>() : verdict_lines(all.width() - 2 * em);
    const float table = figures_height(files.size(), em) + kOverlaidVerdictLine * em * static_cast<float>(lines.size());
    const bool same =
        fold_same_ && std::any_of(matches().begin(), matches().end(), [](const auto& m) { return m.same; });
    float strip = sets_strip_height(files) * em;
    const float titles = (kTitle * static_cast<float>(files.size() + (same ? 1 : 0)) + 0.6F) * em;
    // In a presentation the rows have the room of both.
    const Rect playback{all.x0, all.y1 - (present_ ? 0 : 2.5F * em), all.x1, all.y1};
    const Rect signs{all.x0, playback.y0 - (present_ ? 0 : gap + legend.height + 0.6F * em), all.x1,
                     playback.y0 - (present_ ? 0 : gap)};
    // The rows come first, then the sets, then the figures unless they are asked for.
    const float room = signs.y0 - all.y0 - titles - 3 * gap;
    shows_figures_ = figures_.value_or(!present_ && room - strip - table > 12 * em) && room - table > kLeastRows * em;
    if (room - strip - (shows_figures_ ? table : 0) < kLeastRows * em) strip = 0;
    Rect figures{all.x0, signs.y0 - gap - (shows_figures_ ? table : 0), all.x1, signs.y0 - gap};
    const Rect sets{all.x0, figures.y0 - gap - strip, all.x1, figures.y0 - gap};
    const Rect rows{all.x0, all.y0 + titles + gap, all.x1, (strip > 0 ? sets.y0 : figures.y0) - gap};
    std::optional<OverlayDeed> deed = overlay_panel_.draw(style_, files, matches(), leader, rows, fold_same_);
    draw_titles(style_, files, leader, overlay_panel_.drawn().same_words, {all.x0, all.y0, all.x1, all.y0 + titles});
    if (strip > 0)
        if (const auto chosen = draw_sets_strip(style_, files, sets)) deed = chosen;
    note_panel("lanes", rows);
    note_panel("sets", strip > 0 ? sets : Rect{});
    note_panel("legend", signs);
    Document& active = document();
    const Scene scene{active.replay(), active.index(), style_};
    if (!signs.empty()) draw_legend(scene, signs, legend);
    draw_figures(figures, lines);
    const Selection before = active.selection();
    draw_overlays_beside(area, scene, active.selection());
    std::optional<Action> pressed;
    if (!playback.empty()) pressed = draw_playback_bar(scene, playback, active.selection(), active.playback());
    follow(readable(), active, before, lock_);
    if (deed) take_deed(*deed);
    if (pressed) apply(*pressed);
}

}  // namespace fiberscope::viewer
