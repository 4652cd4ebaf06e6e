// The part of the workspace that shows all files at once.
#include "viewer/layout/page/beside.h"
#include "viewer/layout/tables/region_words.h"
#include "viewer/layout/words/sentence.h"
#include "viewer/panels/compare/row_title.h"
#include "viewer/panels/over/strip.h"
#include "viewer/panels/workspace.h"

namespace fiberscope::viewer {
namespace {

constexpr float kHighRow = 17;              // em: a row in which shapes are drawn well
constexpr float kLowestLane = 5;            // pixels
constexpr float kBesideVerdictLine = 1.3F;  // em: a line of the verdict

/// "owners_2.json   event 12 of 81   main resumes A"; returns whether it was clicked. `hidden`: files without a row.
bool draw_title(const Scene& scene, Rect area, const Document& document, bool active, std::size_t hidden) {
    const Rect r = begin_panel("title", area, scene.style, "");
    const Canvas canvas(ImGui::GetWindowDrawList(), scene.style);
    const Palette& colors = scene.style.colors();
    const float em = scene.style.em;
    if (active) canvas.fill({area.x0, area.y0, area.x0 + 0.3F * em, area.y1}, colors.chosen);
    float right = r.x1;
    if (hidden > 0) {
        const std::string more = scene.style.says("{0} more, not shown (Page down, G)", hidden);
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

std::uint64_t Workspace::largest_image() const {
    std::uint64_t largest = 0;
    for (const Document* document : readable()) largest = std::max(largest, document->index().largest_image());
    return largest;
}

const PlotScales* Workspace::plot_scales() {
    if (!plots_ || !beside_) return nullptr;
    if (!plot_scales_) {
        plot_scales_.emplace();
        for (const Document* document : readable())
            for (std::uint32_t set = 0; set < document->index().sets(); ++set) {
                auto& most = (*plot_scales_)[std::string(document->replay().trace().set_name(set).bytes())];
                most = std::max(most, document->index().set(set).most);
            }
    }
    return &*plot_scales_;
}

Documents Workspace::readable() const {
    Documents documents;
    for (const Tab& tab : tabs_)
        if (tab.document->readable()) documents.push_back(tab.document.get());
    return documents;
}

void Workspace::toggle_side_by_side() {
    const Documents documents = readable();
    if (!beside_ && (documents.size() < 2 || !document().readable())) return;
    beside_ = !beside_;
    if (beside_)
        begin_side_by_side(documents, document(), lock_);
    else
        end_side_by_side(documents);
    apply_same();
}

void Workspace::change_lock() {
    // The first press brings those that stand apart back.
    if (!beside_ || in_step()) lock_ = static_cast<Lock>((static_cast<std::size_t>(lock_) + 1) % kLocks);
    if (beside_) lock_by(readable(), document(), lock_);
}

const trace::Figures& Workspace::figures_of(std::size_t index) {
    Tab& tab = tabs_[index];
    if (!tab.figures) tab.figures = trace::figures_of(tab.document->replay());
    return *tab.figures;
}

/// Draws one trace; what the mouse does there makes it the active one, and the others follow it.
void Workspace::draw_row(std::size_t index, const BesideRow& row, float names, std::size_t hidden) {
    Tab& tab = tabs_[index];
    Selection& selection = tab.document->selection();
    const Selection before = selection;
    const Scene scene{tab.document->replay(), tab.document->index(), style_};
    ImGui::PushID(static_cast<int>(index));
    bool acted = draw_title(scene, row.title, *tab.document, index == active_, hidden);
    tab.timeline.allow_low_lanes(present_ ? 0 : kLowestLane);
    tab.timeline.show_minimap(false);
    tab.timeline.plot(lengths_of(tab), plot_scales());
    const bool hides = predict_.on();
    tab.timeline.draw(scene, row.timeline, selection, names, differences_of(index), hides);
    if (index == active_ && predict_.asks_set()) draw_set_answers(row.timeline);
    if (beside_sets_ && has_sets_to_draw(scene.index))
        tab.sets.draw(scene, row.aside, selection);
    else if (scene.index.shared_stacks() > 0)
        tab.stacks.draw(scene, row.aside, selection, largest_image());
    else
        tab.states.draw(scene, row.aside, selection, false);
    ImGui::PopID();
    acted = acted || before.playhead != selection.playhead || before.chosen != selection.chosen;
    if (acted && index != active_ && !predict_.on()) {
        document().playback().playing = false;
        active_ = index;
        tab_asked_ = true;
    }
    if (selection.playhead != before.playhead) tab.document->playback().playing = false;
    follow(readable(), *tab.document, before, lock_);
    if (const auto clicked = tab.timeline.take_difference()) choose_difference(*clicked);
    const bool over =
        ImGui::IsMouseHoveringRect({row.timeline.x0, row.timeline.y0}, {row.timeline.x1, row.timeline.y1}, false);
    if (over && before.scroll != selection.scroll)  // scrolls are linked
        for (Document* document : readable()) document->selection().scroll = selection.scroll;
}

void Workspace::draw_side_by_side(Rect area) {
    const float em = style_.em;
    std::string warning;
    for (const Tab& tab : tabs_)
        if (const std::string its = tab.document->warning(); !its.empty())
            warning += (warning.empty() ? "" : " ") + tab.document->title() + style_.says(": {0}", its);
    if (!style_.fonts.missing.empty()) warning += (warning.empty() ? "" : " ") + style_.fonts.missing;
    area.y0 = draw_banner(style_, area, warning, trace::Condition::cut);
    std::string live;
    for (const Tab& tab : tabs_)
        if (const std::string its = tab.document->live_words(); !its.empty())
            live += (live.empty() ? "" : " ") + tab.document->title() + style_.says(": {0}", its);
    area.y0 = draw_banner(style_, area, live, trace::Condition::live);
    const Document& active_file = document();
    const std::uint32_t chosen = active_file.selection().chosen;
    const std::string& region =
        tabs_[active_].region.of(active_file.replay(), active_file.index(), active_file.selection(), style_.language);
    for (const std::string& text :
         {said_, region, predict_.words(active_file.replay(), style_.language), difference_words()}) {
        const float height = strip_height(style_, area.width(), text);
        draw_strip(style_, {area.x0, area.y0, area.x1, area.y0 + height}, text);
        area.y0 += height;
    }
    const Metrics metrics = metrics_of(style_);
    if (overlay_) return draw_overlay(area);
    std::vector<LegendSource> sources;
    std::vector<std::size_t> tabs;
    std::vector<float> wishes;
    float names = 0;
    std::size_t active = 0;
    for (std::size_t i = 0; i < tabs_.size(); ++i) {
        const Document& document = *tabs_[i].document;
        if (!document.readable()) continue;
        if (i == active_) active = tabs.size();
        tabs.push_back(i);
        sources.push_back({&document.replay().trace(), &document.index(), beside_sets_});
        wishes.push_back(wanted_timeline_height(document.index(), em) +
                         (1 + difference_lane_height(differences_of(i))) * em);
        names = std::max(names, wanted_names_width(document.replay(), document.index(), metrics));
    }
    const Legend legend = layout_legend(sources, area.width() - 2 * em, metrics);
    const bool shapes = beside_sets_ && draws_shapes();
    // Large text has room for the table, not for what it means.
    const std::vector<std::string> lines = present_ ? std::vector<std::string>() : verdict_lines(area.width() - 2 * em);
    const float table = figures_height(tabs.size(), em) + kBesideVerdictLine * em * static_cast<float>(lines.size());
    // Shapes that would be too low get the room of the table, unless somebody asks for it.
    const float high = (area.height() - legend.height - table) / static_cast<float>(tabs.size());
    shows_figures_ = figures_.value_or(!present_ && (!shapes || high >= kHighRow * em));
    const Beside beside = layout_beside(
        area, em, wishes, active,
        {.legend = legend.height, .figures = shows_figures_ ? table : 0, .wide = shapes, .present = present_});
    shows_figures_ = !beside.figures.empty();
    for (const BesideRow& row : beside.rows)
        draw_row(tabs[row.index], row, names, &row == &beside.rows.back() ? beside.hidden : 0);
    Document& leader = document();
    const Scene scene{leader.replay(), leader.index(), style_};
    if (!beside.legend.empty()) draw_legend(scene, beside.legend, legend);
    draw_figures(beside.figures, lines);
    for (const std::size_t tab : tabs)
        if (tabs_[tab].timeline.take_corner_click()) lanes_.toggle();
    take_answer(chosen);
    const Selection before = leader.selection();
    draw_overlays_beside(area, scene, leader.selection());
    std::optional<Action> pressed;
    if (!beside.playback.empty())
        pressed = draw_playback_bar(scene, beside.playback, leader.selection(), leader.playback());
    follow(readable(), leader, before, lock_);
    if (leader.selection().playhead != before.playhead) leader.playback().playing = false;
    if (pressed) apply(*pressed);
}

void Workspace::draw_overlays_beside(Rect area, const Scene& scene, Selection& selection) {
    search_.draw(scene, area, selection);
    if (const auto wish = until_.draw(scene, area, selection)) {
        const Selection before = selection;
        said_ = document().play_until(wish->until, wish->at_once, style_.language);
        follow(readable(), document(), before, lock_);
    }
    lanes_.draw(scene, {area.x0, area.y1 - 10 * style_.em, area.x1, area.y1}, selection);
    if (const std::string said = source_.draw(style_, area); !said.empty()) said_ = said;
}

/// The table of all readable files; the first of them is what the others are compared with.
void Workspace::draw_figures(Rect area, const std::vector<std::string>& lines) {
    drawn_figures_ = {};
    if (area.empty()) return;
    note_panel("figures", area);
    std::vector<FiguresOf> files;
    for (std::size_t i = 0; i < tabs_.size(); ++i)
        if (tabs_[i].document->readable()) files.push_back({tabs_[i].document->title(), figures_of(i)});
    const Rect r = begin_panel("figures", area, style_, "");
    drawn_figures_ = layout_figures(files, r, metrics_of(style_));
    const Canvas canvas(ImGui::GetWindowDrawList(), style_);
    draw_figures_table(canvas, drawn_figures_);
    float y = r.y1 - kBesideVerdictLine * style_.em * static_cast<float>(lines.size());
    for (const std::string& line : lines) {
        canvas.text({r.x0, y}, line, style_.colors().text, nullptr, r.width());
        y += kBesideVerdictLine * style_.em;
    }
    end_panel();
}

}  // namespace fiberscope::viewer
