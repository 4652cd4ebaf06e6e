#include "viewer/panels/workspace.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "traces/read/printable.h"
#include "viewer/layout/page/frame.h"
#include "viewer/layout/words/copied.h"
#include "viewer/layout/words/sentence.h"
#include "viewer/panels/over/strip.h"
#include "viewer/panels/widgets.h"

namespace fiberscope::viewer {
namespace {

/// Text in a presentation has this part of the window's height.
constexpr float kPresentation = 0.03F;
constexpr float kZoomStep = 1.1F, kLeastZoom = 0.6F, kMostZoom = 3.0F;

}  // namespace

Workspace::Workspace(std::vector<std::unique_ptr<Document>> documents, const Style& style)
    : style_(style), usual_em_(style.em) {
    for (auto& document : documents) {
        document->set_language(style_.language);
        tabs_.push_back({std::move(document), {}, {}, {}, {}, {}, {}, {}, {}, {}});
    }
    apply_style(style_);
}

void Workspace::apply(Action action) {
    said_.clear();
    switch (action) {
    case Action::help: help_ = !help_; return;
    case Action::theme:
        style_.theme = style_.theme == Theme::dark ? Theme::light : Theme::dark;
        apply_style(style_);
        return;
    case Action::next_tab:
    case Action::previous_tab:
        if (beside_ && predict_.on()) return;  // the question is about the active file
        document().playback().playing = document().playback().playing && !beside_;
        do active_ = (active_ + (action == Action::next_tab ? 1 : tabs_.size() - 1)) % tabs_.size();
        while (beside_ && !document().readable());
        tab_asked_ = true;
        return;
    case Action::sets: (beside_ ? beside_sets_ : sets_) ^= true; return;
    case Action::figures: figures_ = !shows_figures_; return;
    case Action::lock_by: return change_lock();
    case Action::next_difference: return go_to_difference(1);
    case Action::previous_difference: return go_to_difference(-1);
    case Action::side_by_side: return toggle_side_by_side();
    case Action::search: return search_.toggle();
    case Action::until_menu: return until_.toggle();
    case Action::source: return show_source();
    case Action::filter_lanes: return lanes_.toggle();
    case Action::present: present_ = !present_; return;
    case Action::larger: zoom_ = std::min(kMostZoom, zoom_ * kZoomStep); return;
    case Action::smaller: zoom_ = std::max(kLeastZoom, zoom_ / kZoomStep); return;
    case Action::predict: return toggle_predict();
    case Action::picture: wants_picture_ = true; return;
    case Action::panel_picture: return want_panel();
    case Action::svg: wants_svg_ = true; return;
    case Action::recent: return recent_.toggle();
    case Action::copy:
    case Action::copy_row:
    case Action::copy_state: return copy(action);
    case Action::overlay: overlay_ = !overlay_ && !predict_.on(); return;
    case Action::fold_same: fold_same_ = !fold_same_; return apply_same();
    case Action::table: table_ = !table_; return;
    case Action::plots: plots_ = !plots_; return;
    case Action::choose_none:
        if (search_.open()) return search_.close();
        if (lanes_.open()) return lanes_.close();
        if (source_.open()) return source_.close();
        if (until_.open()) return until_.close();
        if (recent_.open()) return recent_.close();
        if (help_) {
            help_ = false;
            return;
        }
        break;
    default: break;
    }
    apply_predicting(action);
}

void Workspace::copy(Action action) {
    const Document& active = document();
    if (!active.readable()) return;
    const Selection& selection = active.selection();
    std::string text = copied_sentences(active.replay(), active.index(), selection, style_.language);
    Text what = mark("The sentences are on the clipboard.");
    if (action == Action::copy_state) {
        text = copied_state(active.replay(), active.index(), selection, style_.language);
        what = mark("The state is on the clipboard.");
    } else if (action == Action::copy_row && table_ && !beside_) {
        text = tabs_[active_].table.as_text({active.replay(), active.index(), style_}, selection);
        what = mark("The table is on the clipboard.");
    } else if (action == Action::copy_row) {
        text = copied_row(active.replay().trace(), selection, style_.language);
        what = text.empty() ? mark("There is no event before the first: nothing is on the clipboard.")
                            : mark("The row of the event is on the clipboard.");
    }
    ImGui::SetClipboardText(text.c_str());
    said_ = style_.says(what);
}

void Workspace::note_panel(std::string_view name, Rect r) {
    if (!r.empty()) panels_.emplace_back(name, r);
}

void Workspace::want_panel() {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (const auto& [name, r] : panels_)
        if (r.contains({mouse.x, mouse.y})) wanted_panel_ = name;
    wants_picture_ = !wanted_panel_.empty();
    if (!wants_picture_) said_ = style_.says("Put the mouse on a panel, then press Ctrl P.");
}

void Workspace::restore(const Settings& settings) {
    settings_ = settings;
    zoom_ = settings.zoom;
    sets_ = settings.sets;
    table_ = settings.table;
    plots_ = settings.plots;
    if (settings.theme == style_.theme) return;
    style_.theme = settings.theme;
    apply_style(style_);
}

Settings Workspace::remembered() const {
    Settings settings = settings_;
    settings.zoom = zoom_;
    settings.sets = sets_;
    settings.table = table_;
    settings.plots = plots_;
    settings.theme = style_.theme;
    for (const Tab& tab : tabs_)
        if (tab.document->readable() && !tab.document->file().empty()) remember_file(settings, tab.document->file());
    return settings;
}

void Workspace::show_source() {
    if (source_.open()) {
        said_ = source_.edit();
        return;
    }
    if (!document().readable()) return;
    std::vector<std::size_t> tabs{active_};
    std::array<std::string, 2> names;
    if (const Differences& compared = differences(); beside_ && compared.found) {
        tabs = {compared.first, compared.second};
        names = run_names(tabs_[tabs[0]].document->replay().trace(), tabs_[tabs[1]].document->replay().trace());
    }
    std::vector<SourceWish> wishes;
    for (std::size_t i = 0; i < tabs.size(); ++i) {
        const Document& its = *tabs_[tabs[i]].document;
        if (const auto* found = mechanism_before(its.replay(), its.index().switches(), its.selection().playhead))
            wishes.push_back({*found, its.replay().trace(), names[i]});
    }
    source_.show(wishes, style_.language);
    if (wishes.empty()) said_ = style_.says("The labs have no source for this.");
}

void Workspace::draw_overlays(Rect area, Rect lanes, const Scene& scene, Selection& selection) {
    const float em = style_.em;
    search_.draw(scene, area, selection);
    lanes_.draw(scene, {area.x0, std::min(lanes.y1, area.y1 - 10 * em), area.x1, area.y1}, selection);
    if (const auto wish = until_.draw(scene, area, selection))
        said_ = document().play_until(wish->until, wish->at_once, style_.language);
    if (const std::string said = source_.draw(style_, area); !said.empty()) said_ = said;
    if (predict_.asks_set()) draw_set_answers(lanes);
}

const SetLengths* Workspace::lengths_of(Tab& tab) {
    if (!plots_ || !has_sets_to_draw(tab.document->index())) return nullptr;
    if (!tab.lengths) tab.lengths = std::make_unique<SetLengths>(tab.document->replay().trace());
    return tab.lengths.get();
}

bool Workspace::renew_fonts(float height) {
    const float wanted =
        std::round(present_ ? std::max(usual_em_ * zoom_, kPresentation * height * zoom_) : usual_em_ * zoom_);
    if (wanted == style_.em && !new_names_) return false;
    std::string texts;
    for (const Tab& tab : tabs_)
        if (tab.document->readable()) {
            texts += tab.document->replay().trace().texts();
            texts += tab.document->notes().title.bytes();
            for (const trace::Note& note : tab.document->notes().notes) texts += note.text.bytes();
        }
    style_.em = wanted;
    style_.fonts = load_fonts(wanted, texts, style_.language);
    apply_style(style_);
    new_names_ = false;
    for (Tab& tab : tabs_) tab.states = {};
    return true;
}

void Workspace::open(const std::string& file) {
    if (beside_) toggle_side_by_side();
    tabs_.push_back({std::make_unique<Document>(file, Document::Later()), {}, {}, {}, {}, {}, {}, {}, {}, {}});
    active_ = tabs_.size() - 1;
    tabs_.back().document->set_language(style_.language);
    tab_asked_ = new_names_ = true;
    differences_ = {};
    matches_.clear();
    plot_scales_.reset();
}

bool Workspace::loading() const noexcept {
    return std::any_of(tabs_.begin(), tabs_.end(),
                       [](const Tab& tab) { return tab.document->loading() && !tab.document->readable(); });
}

bool Workspace::live() const noexcept {
    return std::any_of(tabs_.begin(), tabs_.end(), [](const Tab& tab) { return tab.document->live(); });
}

bool Workspace::refresh() {
    bool any = false;
    for (Tab& tab : tabs_) {
        if (!tab.document->loading() && tab.document->changed()) tab.document->reload_later();
        if (!tab.document->poll()) continue;
        tab.figures.reset();
        tab.table = {};
        tab.lengths.reset();
        tab.region = {};
        tab.states = {};
        any = new_names_ = true;
    }
    if (any) {
        differences_ = {};
        matches_.clear();
        plot_scales_.reset();
        apply_same();
    }
    if (any && beside_ && readable().size() < 2) toggle_side_by_side();
    return any;
}

float Workspace::draw_strips(Tab& tab, Rect area) {
    const Document& document = *tab.document;
    float y = area.y0;
    const trace::Note* note = document.note_here();
    const auto& notes = document.notes().notes;
    std::string lecture;
    if (note != nullptr)
        lecture = trace::printable(document.notes().title) +
                  (document.notes().title.empty() ? "" : style_.says(mark(", ", "list"))) +
                  style_.says("{0} of {1}:  {2}", note - notes.data() + 1, notes.size(), trace::printable(note->text));
    const std::string& region =
        tab.region.of(document.replay(), document.index(), document.selection(), style_.language);
    for (const std::string& text : {said_, lecture, region, predict_.words(document.replay(), style_.language)}) {
        const float height = strip_height(style_, area.width(), text);
        draw_strip(style_, {area.x0, y, area.x1, y + height}, text);
        y += height;
    }
    return y;
}

float Workspace::draw_tabs(float width) {
    if (tabs_.size() < 2) return 0;
    ImGui::SetCursorPos({0.35F * style_.em, 0.3F * style_.em});
    ImGui::SetNextItemWidth(width);
    const std::size_t wanted = active_;
    if (ImGui::BeginTabBar("files", ImGuiTabBarFlags_FittingPolicyScroll)) {
        for (std::size_t i = 0; i < tabs_.size(); ++i) {
            const ImGuiTabItemFlags flags = tab_asked_ && i == wanted ? ImGuiTabItemFlags_SetSelected : 0;
            const std::string label = tabs_[i].document->title() + "##" + std::to_string(i);
            const bool shown = ImGui::BeginTabItem(label.c_str(), nullptr, flags);
            note_label(style_, label);
            if (!shown) continue;
            if (!tab_asked_ && (!beside_ || tabs_[i].document->readable())) active_ = i;
            ImGui::EndTabItem();
        }
        const std::string label = style_.says(beside_ ? mark("one file (C)") : mark("side by side (C)"));
        if (ImGui::TabItemButton(label.c_str(), ImGuiTabItemFlags_Trailing | ImGuiTabItemFlags_NoTooltip))
            toggle_side_by_side();
        note_label(style_, label);
        const bool holds = beside_ && in_step();
        const std::string lock =
            (holds ? style_.says("locked by {0} (L)", style_.says(lock_word(lock_))) : style_.says("not locked (L)")) +
            "###lock";
        if (beside_ && ImGui::TabItemButton(lock.c_str(), ImGuiTabItemFlags_Trailing | ImGuiTabItemFlags_NoTooltip))
            change_lock();
        if (beside_) note_label(style_, lock);
        ImGui::EndTabBar();
    }
    tab_asked_ = false;
    return 1.9F * style_.em;
}

bool Workspace::draws_shapes() const {
    return std::any_of(tabs_.begin(), tabs_.end(),
                       [](const Tab& tab) { return tab.document->readable() && has_shapes(tab.document->index()); });
}

bool Workspace::draws_sets(const Document& document) const { return sets_ && has_sets_to_draw(document.index()); }

void Workspace::draw_panels(Tab& tab, Rect area) {
    Document& document = *tab.document;
    Selection& selection = document.selection();
    const Scene scene{document.replay(), document.index(), style_};
    const std::size_t playhead = selection.playhead;
    const float em = style_.em;
    const TraceIndex& index = document.index();
    const bool sets = draws_sets(document);
    const std::uint32_t chosen = selection.chosen;
    const Legend legend = layout_legend(std::array{LegendSource{&document.replay().trace(), &index, sets && !table_}},
                                        left_width(area, em) - 0.6F * em, metrics_of(style_));
    const bool shared = index.shared_stacks() > 0;
    const SetLengths* lengths = lengths_of(tab);
    const float around =
        em * (1 + kMinimap + (lengths == nullptr ? 0 : kPlotGap + kPlot * static_cast<float>(count_plots(index))));
    const Frame frame =
        layout_frame(area, em,
                     {.timeline = wanted_timeline_height(index, em) + around,
                      .legend = legend.height,
                      .states = wanted_states_height(index, em, sets),
                      .stacks = shared ? wanted_shared_stacks_height(index, em) + 2 * em : 0,
                      .stacks_low = shared ? wanted_shared_stacks_height(index, em, 2) + 2 * em : 0,
                      .registers = index.has_registers(),
                      .sets = sets ? wanted_sets_height(index, left_width(area, em), em) + 2.2F * em : 0,
                      .least_timeline = least_timeline_height(index, em) + around,
                      .plots = around - em * (1 + kMinimap),
                      .table = table_,
                      .present = present_});
    const std::pair<std::string_view, Rect> named[] = {{"sentence", frame.sentence}, {"lanes", frame.timeline},
                                                       {"legend", frame.legend},     {"sets", frame.sets},
                                                       {"events", frame.events},     {"registers", frame.registers},
                                                       {"states", frame.states},     {"stacks", frame.stacks},
                                                       {"table", frame.table},       {"histograms", frame.histograms}};
    for (const auto& [name, r] : named) note_panel(name, r);
    if (const auto link = draw_sentence(scene, frame.sentence, selection))
        source_.show({{*link, document.replay().trace(), {}}}, style_.language);
    tab.timeline.allow_low_lanes(0);
    tab.timeline.show_minimap(true);
    tab.timeline.plot(lengths);
    tab.timeline.draw(scene, frame.timeline, selection, 0, {}, predict_.on());
    if (tab.timeline.take_corner_click()) lanes_.toggle();
    if (!frame.legend.empty()) draw_legend(scene, frame.legend, legend);
    if (!frame.sets.empty()) tab.sets.draw(scene, frame.sets, selection);
    if (!frame.table.empty()) tab.table.draw(scene, frame.table, selection);
    if (!frame.histograms.empty()) tab.table.draw_histograms(scene, frame.histograms, selection);
    if (!frame.events.empty()) tab.events.draw(scene, frame.events, selection, predict_.on());
    if (!frame.registers.empty()) draw_registers(scene, frame.registers, selection);
    if (!frame.states.empty()) tab.states.draw(scene, frame.states, selection, sets);
    if (!frame.stacks.empty()) tab.stacks.draw(scene, frame.stacks, selection);
    std::optional<Action> pressed;
    if (!frame.playback.empty()) pressed = draw_playback_bar(scene, frame.playback, selection, document.playback());
    draw_overlays(area, frame.timeline, scene, selection);
    take_answer(chosen);
    if (selection.playhead != playhead) document.playback().playing = false;
    if (pressed) apply(*pressed);
}

void Workspace::draw_tab(Tab& tab, Rect area) {
    if (tab.document->loading() && !tab.document->readable())
        return draw_loading(style_, area.shrunk(0.35F * style_.em), tab.document->title(), tab.document->share());
    if (!tab.document->readable()) {
        draw_message(style_, area.shrunk(0.35F * style_.em), tab.document->title(), tab.document->error(),
                     tab.document->condition());
        return;
    }
    std::string warning = tab.document->warning();
    if (!style_.fonts.missing.empty()) warning += (warning.empty() ? "" : " ") + style_.fonts.missing;
    area.y0 = draw_banner(style_, area, warning, trace::Condition::cut);
    area.y0 = draw_banner(style_, area, tab.document->live_words(), trace::Condition::live);
    area.y0 = draw_strips(tab, area);
    draw_panels(tab, area);
}

void Workspace::draw(float width, float height, double seconds) {
    advance(seconds);
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({width, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::Begin("fiberscope", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
    panels_.clear();
    const float top = draw_tabs(width);
    document().sync();  // a click on a tab shows another document in this very frame
    if (beside_)
        draw_side_by_side({0, top, width, height});
    else
        draw_tab(tabs_[active_], {0, top, width, height});
    ImGui::End();
    if (const std::string file = recent_.draw(style_, {0, 0, width, height}, settings_.recent); !file.empty())
        open(file);
    if (help_)
        if (const auto action = draw_help(style_, {0, 0, width, height})) apply(*action);
}

}  // namespace fiberscope::viewer
