#include "viewer/panels/workspace.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "viewer/layout/page/frame.h"
#include "viewer/layout/words/sentence.h"
#include "viewer/panels/over/strip.h"

namespace fiberscope::viewer {
namespace {

/// Text in a presentation has this part of the window's height.
constexpr float kPresentation = 0.03F;
constexpr float kZoomStep = 1.1F, kLeastZoom = 0.6F, kMostZoom = 3.0F;

}  // namespace

Workspace::Workspace(std::vector<std::unique_ptr<Document>> documents, const Style& style)
    : style_(style), usual_em_(style.em) {
    for (auto& document : documents) tabs_.push_back({std::move(document), {}, {}, {}, {}, {}, {}});
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
    case Action::present: present_ = !present_; return;
    case Action::larger: zoom_ = std::min(kMostZoom, zoom_ * kZoomStep); return;
    case Action::smaller: zoom_ = std::max(kLeastZoom, zoom_ / kZoomStep); return;
    case Action::predict:
        if (!beside_) predict_.toggle();
        return;
    case Action::picture: wants_picture_ = true; return;
    case Action::copy: return copy_sentences();
    case Action::choose_none:
        if (search_.open()) return search_.close();
        if (help_) {
            help_ = false;
            return;
        }
        break;
    default: break;
    }
    if (beside_)
        apply_side_by_side(action, readable(), document(), lock_);
    else
        apply_predicting(action);
}

void Workspace::copy_sentences() {
    const Document& active = document();
    if (!active.readable()) return;
    const Sentence words = sentence_at(active.replay(), active.index(), active.selection());
    std::string text =
        title_line(active.replay().trace()) + "\n" + words.where + ": " + words.happened + ".\n" + words.why;
    if (active.selection().chosen != trace::kNone) text += "\n" + words.chosen + ".";
    ImGui::SetClipboardText(text.c_str());
}

void Workspace::apply_predicting(Action action) {
    Document& active = document();
    const std::size_t before = active.selection().playhead;
    active.apply(action);
    if (!predict_.on() || !active.readable()) return;
    const std::size_t now = active.selection().playhead;
    if (now == before) return;
    active.selection().playhead = predict_.stop(active.replay(), active.index(), before, now);
    active.sync();
}

void Workspace::take_answer(std::uint32_t chosen_before) {
    Document& active = document();
    if (!predict_.asks() || active.selection().chosen == chosen_before || active.selection().chosen == trace::kNone)
        return;
    set_playhead(predict_.answer(active.replay(), active.selection().chosen), active.replay(), active.index(),
                 active.selection());
    active.selection().chosen = trace::kNone;
    active.sync();
}

bool Workspace::renew_fonts(float height) {
    const float wanted =
        std::round(present_ ? std::max(usual_em_ * zoom_, kPresentation * height * zoom_) : usual_em_ * zoom_);
    if (wanted == style_.em && !new_names_) return false;
    std::string texts;
    for (const Tab& tab : tabs_)
        if (tab.document->readable()) {
            texts += tab.document->replay().trace().texts();
            for (const trace::Note& note : tab.document->notes().notes) texts += note.text;
        }
    style_.em = wanted;
    style_.fonts = load_fonts(wanted, texts);
    apply_style(style_);
    new_names_ = false;
    for (Tab& tab : tabs_) tab.states = {};
    return true;
}

void Workspace::open(const std::string& file) {
    if (beside_) toggle_side_by_side();
    tabs_.push_back({std::make_unique<Document>(file), {}, {}, {}, {}, {}, {}});
    active_ = tabs_.size() - 1;
    tab_asked_ = new_names_ = true;
    differences_ = {};
}

bool Workspace::refresh() {
    bool any = false;
    for (Tab& tab : tabs_) {
        if (!tab.document->changed()) continue;
        const bool playing = tab.document->playback().playing;
        tab.document->reload();
        tab.document->playback().playing = playing;
        tab.figures.reset();
        tab.states = {};
        any = new_names_ = true;
    }
    if (any) differences_ = {};
    if (any && beside_ && readable().size() < 2) toggle_side_by_side();
    return any;
}

float Workspace::draw_strips(const Document& document, Rect area) {
    float y = area.y0;
    const trace::Note* note = document.note_here();
    const auto& notes = document.notes().notes;
    std::string lecture;
    if (note != nullptr)
        lecture = document.notes().title + (document.notes().title.empty() ? "" : ", ") +
                  std::to_string(note - notes.data() + 1) + " of " + std::to_string(notes.size()) + ":  " + note->text;
    for (const std::string& text : {said_, lecture, predict_.words(document.replay())}) {
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
            if (!ImGui::BeginTabItem(label.c_str(), nullptr, flags)) continue;
            if (!tab_asked_ && (!beside_ || tabs_[i].document->readable())) active_ = i;
            ImGui::EndTabItem();
        }
        const char* label = beside_ ? "one file (C)" : "side by side (C)";
        if (ImGui::TabItemButton(label, ImGuiTabItemFlags_Trailing | ImGuiTabItemFlags_NoTooltip))
            toggle_side_by_side();
        const std::string lock = "locked by " + std::string(lock_word(lock_)) + " (L)###lock";
        if (beside_ && ImGui::TabItemButton(lock.c_str(), ImGuiTabItemFlags_Trailing | ImGuiTabItemFlags_NoTooltip))
            change_lock();
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
    const Legend legend = layout_legend(std::array{LegendSource{&document.replay().trace(), &index, sets}},
                                        left_width(area, em) - 0.6F * em, metrics_of(style_.fonts.text, em));
    const bool shared = index.shared_stacks() > 0;
    const Frame frame =
        layout_frame(area, em,
                     {.timeline = wanted_timeline_height(index, em) + em,
                      .legend = legend.height,
                      .states = wanted_states_height(index, em, sets),
                      .stacks = shared ? wanted_shared_stacks_height(index, em) + 2 * em : 0,
                      .stacks_low = shared ? wanted_shared_stacks_height(index, em, 2) + 2 * em : 0,
                      .registers = index.has_registers(),
                      .sets = sets ? wanted_sets_height(index, left_width(area, em), em) + 2.2F * em : 0,
                      .least_timeline = least_timeline_height(index, em) + em,
                      .present = present_});
    draw_sentence(scene, frame.sentence, selection);
    tab.timeline.allow_low_lanes(0);
    tab.timeline.draw(scene, frame.timeline, selection, 0, {}, predict_.on());
    if (!frame.legend.empty()) draw_legend(scene, frame.legend, legend);
    if (!frame.sets.empty()) tab.sets.draw(scene, frame.sets, selection);
    if (!frame.events.empty()) tab.events.draw(scene, frame.events, selection, predict_.on());
    if (!frame.registers.empty()) draw_registers(scene, frame.registers, selection);
    if (!frame.states.empty()) tab.states.draw(scene, frame.states, selection, sets);
    if (!frame.stacks.empty()) tab.stacks.draw(scene, frame.stacks, selection);
    std::optional<Action> pressed;
    if (!frame.playback.empty()) pressed = draw_playback_bar(scene, frame.playback, selection, document.playback());
    search_.draw(scene, area, selection);
    take_answer(chosen);
    if (selection.playhead != playhead) document.playback().playing = false;
    if (pressed) apply(*pressed);
}

void Workspace::draw_tab(Tab& tab, Rect area) {
    if (!tab.document->readable()) {
        draw_message(style_, area.shrunk(0.35F * style_.em), tab.document->title(), tab.document->error());
        return;
    }
    std::string warning = tab.document->warning();
    if (!style_.fonts.missing.empty()) warning += (warning.empty() ? "" : " ") + style_.fonts.missing;
    if (!warning.empty()) {
        draw_banner(style_, {area.x0, area.y0, area.x1, area.y0 + 1.7F * style_.em}, warning);
        area.y0 += 1.7F * style_.em;
    }
    area.y0 = draw_strips(*tab.document, area);
    draw_panels(tab, area);
}

void Workspace::draw(float width, float height, double seconds) {
    if (beside_)
        advance_side_by_side(seconds, readable(), document(), lock_);
    else if (document().readable() && predict_.on() && document().playback().playing) {
        const std::size_t before = document().selection().playhead;
        document().advance(seconds);
        const std::size_t now = document().selection().playhead;
        document().selection().playhead = predict_.stop(document().replay(), document().index(), before, now);
        if (predict_.asks()) document().playback().playing = false;
        document().sync();
    } else
        document().advance(seconds);
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({width, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::Begin("fiberscope", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar();
    const float top = draw_tabs(width);
    document().sync();  // a click on a tab shows another document in this very frame
    if (beside_)
        draw_side_by_side({0, top, width, height});
    else
        draw_tab(tabs_[active_], {0, top, width, height});
    ImGui::End();
    if (help_)
        if (const auto action = draw_help(style_, {0, 0, width, height})) apply(*action);
}

}  // namespace fiberscope::viewer
