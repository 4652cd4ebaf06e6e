#include "viewer/panels/file_rows.h"

#include <algorithm>
#include <array>

#include "viewer/layout/base/fitting.h"
#include "viewer/layout/trace_facts/row_title.h"
#include "viewer/layout/trace_facts/sentence.h"
#include "viewer/panels/over/strip.h"

namespace fiberscope::viewer {
namespace {

constexpr float kLowestLane = 5;  // pixels
constexpr float kTwoLines = 2;    // em: a title of two lines

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

/// "owners_2.json   event 12 of 81   main resumes A"; returns whether it was clicked. `hidden`: number of files without
/// a row.
bool draw_title(const Scene& scene, Rect area, const Document& document, bool active, std::size_t hidden) {
    const Rect r = begin_panel("title", area, scene.style, "");
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const Palette& colors = scene.style.colors();
    const float em = scene.style.em;
    if (active) canvas.fill({area.x0, area.y0, area.x0 + 0.3F * em, area.y1}, colors.chosen);
    float right = r.x1;
    if (hidden > 0) {
        const std::string more =
            first_fitting(metrics_of(scene.style), r.width() / 2,
                          {scene.style.says("{0} more, not shown (Page down)", hidden), "+" + std::to_string(hidden)});
        right -= canvas.text_width(more) + em;
        canvas.text({right + em, canvas.text_y(r)}, more, colors.text);
    }
    draw_row_title(canvas, {r.x0 + 0.5F * em, r.y0, right, r.y1}, scene.replay.trace(),
                   sentence_at(scene.replay, scene.index, document.selection(), scene.style.language));
    const bool clicked = ImGui::IsWindowHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    end_panel();
    return clicked;
}

}  // namespace

Rect Frame::*FileRowsPanel::draw_aside(Tab& tab, const Scene& scene, Rect area) {
    Selection& selection = tab.document->selection();
    if (state_.beside_sets && has_sets_to_draw(scene.index)) {
        tab.sets.draw(scene, area, selection);
        return &Frame::sets;
    }
    if (scene.index.shared_stacks() > 0) {
        tab.stacks.draw(scene, area, selection, comparing_.largest_image());
        return &Frame::stacks;
    }
    tab.states.draw(scene, area, selection, false);
    return &Frame::states;
}

void FileRowsPanel::take_mouse(std::size_t index, const FileRow& row, const Selection& before, bool title_clicked) {
    Tab& tab = state_.files.tabs()[index];
    const Selection& selection = tab.document->selection();
    const bool acted = title_clicked || before.playhead != selection.playhead || before.chosen != selection.chosen;
    if (acted && !predicting_.on()) state_.files.activate(index);
    if (selection.playhead != before.playhead) tab.document->playback().playing = false;
    state_.files.follow(*tab.document, before);
    if (const auto clicked = tab.timeline.take_difference()) comparing_.choose_difference(*clicked);
    const bool over =
        ImGui::IsMouseHoveringRect({row.timeline.x0, row.timeline.y0}, {row.timeline.x1, row.timeline.y1}, false);
    if (over && before.scroll != selection.scroll)  // scrolls are linked
        for (Document* document : state_.files.readable()) document->selection().scroll = selection.scroll;
}

void FileRowsPanel::draw_row(std::size_t index, const FileRow& row, float names, std::size_t hidden) {
    Tab& tab = state_.files.tabs()[index];
    const bool active = index == state_.files.active();
    Selection& selection = tab.document->selection();
    const Selection before = selection;
    const Scene scene{tab.document->replay(), tab.document->index(), style_, state_.glide()};
    ImGui::PushID(static_cast<int>(index));
    const bool clicked = draw_title(scene, row.title, *tab.document, active, hidden);
    tab.timeline.allow_low_lanes(state_.present ? 0 : kLowestLane);
    tab.timeline.show_minimap(false);
    tab.timeline.show_ruler(row.ruler);
    std::uint32_t most = 0;
    for (const Document* document : state_.files.readable()) most = std::max(most, document->index().ready().most());
    tab.timeline.share_ready(most);
    tab.timeline.draw(scene, row.timeline, selection, names, comparing_.differences_of(index), predicting_.on());
    if (active) predicting_.draw_set_answers(row.timeline);
    state_.note_panel("lanes", row.timeline, &Frame::timeline, index);
    if (!row.aside.empty()) state_.note_panel("aside", row.aside, draw_aside(tab, scene, row.aside), index);
    ImGui::PopID();
    take_mouse(index, row, before, clicked);
}

float FileRowsPanel::draw_head(Rect area) {
    std::string warning;
    for (const Tab& tab : state_.files.tabs())
        if (const std::string its = tab.document->warning(); !its.empty())
            warning += (warning.empty() ? "" : " ") + tab.document->title() + style_.says(": {0}", its);
    if (!style_.fonts.missing.empty()) warning += (warning.empty() ? "" : " ") + style_.fonts.missing;
    area.y0 = draw_banner(style_, area, warning, trace::Condition::cut);
    std::string live;
    for (const Tab& tab : state_.files.tabs())
        if (const std::string its = tab.document->live_words(); !its.empty())
            live += (live.empty() ? "" : " ") + tab.document->title() + style_.says(": {0}", its);
    area.y0 = draw_banner(style_, area, live, trace::Condition::live);
    std::string disk;
    for (const Tab& tab : state_.files.tabs())
        if (const std::string its = tab.document->disk_words(); !its.empty()) disk += (disk.empty() ? "" : " ") + its;
    area.y0 = draw_banner(style_, area, disk, trace::Condition::empty);
    const Document& active = state_.files.document();
    const std::string& region =
        state_.files.active_tab().region.of(active.replay(), active.index(), active.selection(), style_.language);
    return draw_strips(style_, area,
                       std::array{state_.said, state_.told, region, predicting_.words(), comparing_.difference_words()},
                       &state_.strip);
}

FileRowsPanel::Wishes FileRowsPanel::wishes() {
    Wishes wishes;
    const auto tabs = state_.files.tabs();
    for (std::size_t i = 0; i < tabs.size(); ++i) {
        const Document& document = *tabs[i].document;
        if (!document.readable()) continue;
        if (i == state_.files.active()) wishes.active = wishes.tabs.size();
        wishes.tabs.push_back(i);
        wishes.legend.push_back({&document.replay().trace(), &document.index(), state_.beside_sets});
        wishes.above.push_back(difference_lane_height(comparing_.differences_of(i)) * style_.em);
        wishes.heights.push_back(wanted_timeline_height(document.index(), style_.em) + style_.em + wishes.above.back());
        const Range &its = document.selection().visible,
                    &first = tabs[wishes.tabs.front()].document->selection().visible;
        wishes.one_axis = wishes.one_axis && its.from == first.from && its.to == first.to;
        wishes.names =
            std::max(wishes.names, wanted_names_width(document.replay(), document.index(), metrics_of(style_)));
    }
    return wishes;
}

FileRows FileRowsPanel::layout(Rect area, const Wishes& wishes, float legend) const {
    const float em = style_.em;
    const auto tabs = state_.files.tabs();
    const bool shapes = state_.beside_sets && std::any_of(tabs.begin(), tabs.end(), [](const Tab& tab) {
                            return tab.readable() && has_shapes(tab.document->index());
                        });
    return layout_file_rows(area, em, wishes.heights, wishes.active,
                            {.legend = legend,
                             .ruler = wishes.one_axis ? kTimelineRuler * em : 0,
                             .above = wishes.above,
                             .wide = shapes,
                             .present = state_.present});
}

std::optional<Action> FileRowsPanel::draw(Rect area) {
    const float em = style_.em;
    const std::uint32_t chosen = state_.files.document().selection().chosen;
    const Wishes wanted = wishes();
    const Legend legend = layout_legend(wanted.legend, area.width() - 2 * em, metrics_of(style_));
    const FileRows beside = layout(area, wanted, legend.height);
    for (const FileRow& row : beside.rows)
        draw_row(wanted.tabs[row.index], row, wanted.names, &row == &beside.rows.back() ? beside.hidden : 0);
    Document& leader = state_.files.document();
    const Scene scene{leader.replay(), leader.index(), style_};
    const bool shares = std::any_of(beside.rows.begin(), beside.rows.end(), [&](const FileRow& row) {
        return state_.files.tabs()[wanted.tabs[row.index]].timeline.drawn().has_shares();
    });
    if (!beside.legend.empty()) draw_legend(scene, beside.legend, legend, shares);
    for (const std::size_t tab : wanted.tabs)
        if (state_.files.tabs()[tab].timeline.take_corner_click()) state_.overlays.lanes.toggle();
    predicting_.take_answer(chosen);
    const Selection before = leader.selection();
    draw_overlays(state_, area, area.y1, scene, leader.selection());
    std::optional<Action> pressed;
    if (!beside.playback.empty())
        pressed = draw_playback_bar(scene, beside.playback, leader.selection(), leader.playback());
    state_.files.follow(leader, before);
    if (leader.selection().playhead != before.playhead) leader.playback().playing = false;
    return pressed;
}

}  // namespace fiberscope::viewer
