#include "viewer/panels/files/one_file.h"

#include <algorithm>
#include <array>

#include "viewer/panels/over/mode_tabs.h"
#include "viewer/panels/over/strip.h"

namespace fiberscope::viewer {

namespace {

/// Whether the event at the playhead writes a link of a tree.
bool changes_a_tree(const trace::Replay& replay) {
    return replay.at() > 0 && replay.trace()[replay.at() - 1].kind == trace::Kind::link;
}

}  // namespace

bool OneFilePanel::draws_sets(const Document& document) const {
    return state_.settings.sets && has_sets_to_draw(document.index());
}

OneFilePanel::Panels OneFilePanel::layout_panels(Tab& tab, Rect area) const {
    const Document& document = *tab.document;
    const float em = style_.em, width = left_width(area, em), around_sets = 2.2F * em;
    const TraceIndex& index = document.index();
    const bool sets = draws_sets(document), shared = index.shared_stacks() > 0;
    const Legend legend =
        layout_legend(std::array{LegendSource{&document.replay().trace(), &index, sets && !state_.settings.table}},
                      width - 0.6F * em, metrics_of(style_));
    const float around = em * (1 + kMinimap);
    return {legend, layout_frame(area, em,
                                 {.timeline = wanted_timeline_height(index, em) + around,
                                  .legend = legend.height,
                                  .states = wanted_states_height(index, em, sets),
                                  .stacks = shared ? wanted_shared_stacks_height(index, em) + 2 * em : 0,
                                  .stacks_low = shared ? wanted_shared_stacks_height(index, em, 2) + 2 * em : 0,
                                  .registers = index.has_registers(),
                                  .sets = sets ? wanted_sets_height(index, width, em) + around_sets : 0,
                                  .least_timeline = least_timeline_height(index, em) + around,
                                  .table = state_.settings.table,
                                  .present = state_.present,
                                  .maximized = state_.alone(),
                                  .tab = state_.tab})};
}

Rect Frame::*WindowState::alone() const {
    const Document& document = files.document();
    const bool shows_change = present && !all_panels && settings.sets && !settings.table && !files.side_by_side();
    if (maximized != nullptr || !shows_change || !document.readable()) return maximized;
    return changes_a_tree(document.replay()) ? &Frame::sets : nullptr;
}

void OneFilePanel::note_panels(const Frame& frame) {
    for (const FramePart& part : frame_parts()) {
        const bool fixed = part.rect == &Frame::sentence || part.rect == &Frame::legend;
        state_.note_panel(part.name, frame.*part.rect, fixed ? nullptr : part.rect, state_.files.active());
    }
}

void OneFilePanel::draw_panel_tabs(const Document& document, const Frame& frame) {
    std::vector<ModeWord> words;
    std::vector<Rect Frame::*> parts;
    const Wishes there{.stacks = document.index().shared_stacks() > 0 ? 1.0F : 0.0F,
                       .registers = document.index().has_registers(),
                       .sets = draws_sets(document) ? 1.0F : 0.0F};
    for (const FramePart& part : frame_parts())
        if (!part.tab.empty() && there.exists(part.rect)) {
            words.push_back({style_.says(part.tab), ""});
            parts.push_back(part.rect);
        }
    const std::vector<ModeTab> tabs = layout_modes(frame.tabs, words, metrics_of(style_));
    const TabsUsed used = draw_tab_row(style_, tabs, [&](std::size_t i) { return !(frame.*parts[i]).empty(); });
    if (!used.clicked) return;
    state_.tab = parts[*used.clicked];
    state_.settings.table = false;
}

void OneFilePanel::draw_timeline_panel(Tab& tab, const Scene& scene, Rect area) {
    tab.timeline.allow_low_lanes(0);
    tab.timeline.show_minimap(true);
    tab.timeline.show_ruler(true);
    tab.timeline.share_ready(0);
    tab.timeline.draw(scene, area, tab.document->selection(), 0, {}, predicting_.on());
    if (tab.timeline.take_corner_click()) state_.overlays.lanes.toggle();
}

std::optional<Action> OneFilePanel::draw_panels(Tab& tab, Rect area) {
    Document& document = *tab.document;
    Selection& selection = document.selection();
    const Scene scene{document.replay(), document.index(), style_, state_.glide()};
    const Selection before = selection;
    const auto [legend, frame] = layout_panels(tab, area);
    note_panels(frame);
    if (const auto link = draw_sentence(scene, frame.sentence, selection))
        state_.overlays.source.show({{*link, document.replay().trace(), {}}}, style_.language);
    if (!frame.timeline.empty()) draw_timeline_panel(tab, scene, frame.timeline);
    if (!frame.tabs.empty()) draw_panel_tabs(document, frame);
    if (!frame.legend.empty()) draw_legend(scene, frame.legend, legend, tab.timeline.drawn().has_shares());
    if (!frame.sets.empty()) tab.sets.draw(scene, frame.sets, selection);
    if (!frame.table.empty()) tab.table.draw(scene, frame.table, selection);
    if (!frame.events.empty()) tab.events.draw(scene, frame.events, selection, predicting_.on());
    if (!frame.registers.empty()) draw_registers(scene, frame.registers, selection);
    if (!frame.states.empty()) tab.states.draw(scene, frame.states, selection, draws_sets(document));
    if (!frame.stacks.empty()) tab.stacks.draw(scene, frame.stacks, selection);
    std::optional<Action> pressed;
    if (!frame.playback.empty()) pressed = draw_playback_bar(scene, frame.playback, selection, document.playback());
    state_.files.follow(document, before);
    draw_overlays(state_, area, frame.timeline.y1, scene, selection);
    predicting_.draw_set_answers(frame.timeline.empty() ? area : frame.timeline);
    predicting_.take_answer(before.chosen);
    if (selection.playhead != before.playhead) document.playback().playing = false;
    return pressed;
}

float OneFilePanel::draw_notes(Tab& tab, Rect area) {
    const Document& document = *tab.document;
    const std::string& region =
        tab.region.of(document.replay(), document.index(), document.selection(), style_.language);
    return draw_strips(style_, area, std::array{state_.said, state_.told, region, predicting_.words()}, &state_.strip);
}

std::optional<Action> OneFilePanel::draw(Rect area) {
    Tab& tab = state_.files.active_tab();
    if (!tab.readable()) {
        const Rect all = area.shrunk(0.35F * style_.em);
        if (tab.document->loading())
            draw_loading(style_, all, tab.document->title(), tab.document->share());
        else
            draw_message(style_, all, tab.document->title(), tab.document->error(), tab.document->condition());
        return std::nullopt;
    }
    std::string warning = tab.document->warning();
    if (!style_.fonts.missing.empty()) warning += (warning.empty() ? "" : " ") + style_.fonts.missing;
    area.y0 = draw_banner(style_, area, warning, trace::Condition::cut);
    area.y0 = draw_banner(style_, area, tab.document->live_words(), trace::Condition::live);
    area.y0 = draw_banner(style_, area, tab.document->disk_words(), trace::Condition::empty);
    area.y0 = draw_notes(tab, area);
    return draw_panels(tab, area);
}

}  // namespace fiberscope::viewer
